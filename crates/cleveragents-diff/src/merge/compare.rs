//! Comparing lines the way `git merge-file` does.

use std::collections::HashMap;

use super::text::Text;
use super::{myers, prune};
use crate::slide::slide;
use crate::span::{Span, of_marks};

/// The lines of the base, ours and theirs as numbers: equal lines have equal numbers.
pub(super) fn tokens(texts: [&Text<'_>; 3]) -> [Vec<u32>; 3] {
    let mut numbers: HashMap<&[u8], u32> = HashMap::with_capacity(texts[0].len());
    texts.map(|text| {
        let number = |row| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(text.line(row)).or_insert(next)
        };
        (0..text.len()).map(number).collect()
    })
}

/// The changes from `before` to `after`.
pub(super) fn changes(before: &[u32], after: &[u32]) -> Vec<Span> {
    let (mut removed, mut added) = (vec![false; before.len()], vec![false; after.len()]);
    let (kept_before, kept_after) = prune::prune(before, after, &mut removed, &mut added);
    myers::mark(
        &kept_before.iter().map(|&row| before[row]).collect::<Vec<_>>(),
        &kept_after.iter().map(|&row| after[row]).collect::<Vec<_>>(),
        |row| removed[kept_before[row]] = true,
        |row| added[kept_after[row]] = true,
    );
    slide(before, &mut removed, &added, |run, _| run.end);
    slide(after, &mut added, &removed, |run, _| run.end);
    of_marks(&removed, &added)
}
