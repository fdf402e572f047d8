//! The changed stretches between two lists of lines, in time bounded by their length.
//!
//! Only the regions that hold differences are compared at all. imara-diff gives good stretches, but both its algorithms
//! are quadratic on some inputs (few distinct lines). So a large region is cut into windows of at most [`WINDOW`]
//! lines, at lines that occur once on both sides where there are such, and each window is compared by itself.

mod compare;
mod region;
mod window;

#[cfg(test)]
mod tests;

use std::ops::Range;

use imara_diff::InternedInput;

use compare::Comparison;

/// The most lines of one side that are compared at once: about a hundredth of a second at the worst.
const WINDOW: usize = 4096;

/// Lines `before` were replaced by lines `after`; one of the two may be empty. All other lines are equal in pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// The changed stretches in order, never touching one another.
pub(crate) fn spans(before: &[&[u8]], after: &[&[u8]]) -> Vec<Span> {
    let regions = region::regions(before, after);
    let mut input: InternedInput<&[u8]> = InternedInput::default();
    input.interner.reserve(regions.iter().map(|region| region.before.len().max(region.after.len())).sum());
    input.update_before(regions.iter().flat_map(|region| before[region.before.clone()].iter().copied()));
    input.update_after(regions.iter().flat_map(|region| after[region.after.clone()].iter().copied()));

    let mut comparison = Comparison::new(&input.interner);
    let mut found: Vec<Span> = Vec::new();
    let (mut left, mut right) = (&input.before[..], &input.after[..]);
    for region in regions {
        let (before, after);
        (before, left) = left.split_at(region.before.len());
        (after, right) = right.split_at(region.after.len());
        let mut start = (0, 0);
        for end in window::ends(before, after, WINDOW) {
            let offset = (region.before.start + start.0, region.after.start + start.1);
            for span in comparison.spans(&before[start.0..end.0], &after[start.1..end.1]) {
                let next = Span {
                    before: span.before.start + offset.0..span.before.end + offset.0,
                    after: span.after.start + offset.1..span.after.end + offset.1,
                };
                match found.last_mut() {
                    // Two changes that meet where the input was cut are one.
                    Some(last)
                        if last.before.end == next.before.start && last.after.end == next.after.start =>
                    {
                        last.before.end = next.before.end;
                        last.after.end = next.after.end;
                    }
                    _ => found.push(next),
                }
            }
            start = end;
        }
    }
    found
}

/// The stretches that are marked on either side, of which all other lines are pairs.
pub(crate) fn of_marks(removed: &[bool], added: &[bool]) -> Vec<Span> {
    let run = |marks: &[bool], from: usize| from + marks[from..].iter().take_while(|&&mark| mark).count();
    let mut spans = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < removed.len() || column < added.len() {
        let (before, after) = (run(removed, row), run(added, column));
        if (before, after) != (row, column) {
            spans.push(Span { before: row..before, after: column..after });
        }
        (row, column) = (before + 1, after + 1);
    }
    spans
}
