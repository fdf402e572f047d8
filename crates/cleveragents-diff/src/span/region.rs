//! Where two texts differ, roughly: most lines of a changed file are not, and need not be looked at twice.

use std::ops::Range;

/// Equal lines left around a change, so that it can be moved to where a reader expects it.
const MARGIN: usize = 32;
/// So many equal lines in a row end a region.
const RUN: usize = 2 * MARGIN;
/// Behind a difference so many lines at the most are passed over in search of lines that are equal again.
const PASSED: usize = 16;
/// So many equal lines in a row are taken for a sign that the two sides are in step again.
const STEP: usize = 4;

/// A stretch that holds differences, with equal lines around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// The stretches outside which both sides are equal, in order. None holds more of the two sides than it must, but one
/// whose end is not found within a few lines goes on to the last difference.
pub(super) fn regions(before: &[&[u8]], after: &[&[u8]]) -> Vec<Region> {
    let head = equal(before, after, (0, 0));
    let mut at = (head, head);
    let mut start = (head.saturating_sub(MARGIN), head.saturating_sub(MARGIN));
    let mut regions = Vec::new();
    let mut push = |start: (usize, usize), end: (usize, usize)| {
        regions.push(Region { before: start.0..end.0, after: start.1..end.1 });
    };
    while at != (before.len(), after.len()) {
        let Some(next) = in_step(before, after, at) else {
            let (rest, other) = (&before[at.0..], &after[at.1..]);
            let tail = rest.iter().rev().zip(other.iter().rev()).take_while(|(b, a)| b == a).count();
            let left = tail.saturating_sub(MARGIN);
            push(start, (before.len() - left, after.len() - left));
            break;
        };
        let run = equal(before, after, next);
        at = (next.0 + run, next.1 + run);
        let is_end = at == (before.len(), after.len());
        if run >= RUN || is_end {
            let margin = run.min(MARGIN);
            push(start, (next.0 + margin, next.1 + margin));
            start = (at.0 - margin, at.1 - margin);
        }
    }
    regions
}

/// How many lines are equal from a place on.
fn equal(before: &[&[u8]], after: &[&[u8]], from: (usize, usize)) -> usize {
    before[from.0..].iter().zip(&after[from.1..]).take_while(|(b, a)| b == a).count()
}

/// The nearest place behind `at` where a few lines are equal.
fn in_step(before: &[&[u8]], after: &[&[u8]], at: (usize, usize)) -> Option<(usize, usize)> {
    (1..=PASSED).flat_map(|passed| (0..=passed).map(move |left| (at.0 + left, at.1 + passed - left))).find(
        |next| {
            let left = before.get(next.0..next.0 + STEP);
            left.is_some() && left == after.get(next.1..next.1 + STEP)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{Region, regions};

    fn numbered(numbers: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
        numbers.map(|number| format!("{number}\n").into_bytes()).collect()
    }

    fn found(before: &[Vec<u8>], after: &[Vec<u8>]) -> Vec<Region> {
        let (before, after): (Vec<&[u8]>, Vec<&[u8]>) =
            (before.iter().map(Vec::as_slice).collect(), after.iter().map(Vec::as_slice).collect());
        let regions = regions(&before, &after);
        let (mut row, mut column) = (0, 0);
        for region in &regions {
            assert_eq!(before[row..region.before.start], after[column..region.after.start]);
            (row, column) = (region.before.end, region.after.end);
        }
        assert_eq!(before[row..], after[column..]);
        regions
    }

    #[test]
    fn far_changes_are_regions_of_their_own() {
        let before = numbered(0..1000);
        let mut after = before.clone();
        after.splice(700..703, numbered(5000..5001));
        after[150] = b"x\n".to_vec();
        after[160] = b"x\n".to_vec();
        assert_eq!(
            found(&before, &after),
            [Region { before: 118..193, after: 118..193 }, Region { before: 668..735, after: 668..733 }]
        );
        assert_eq!(found(&before, &before), []);
    }

    #[test]
    fn a_change_whose_end_is_far_goes_on_to_the_last_difference() {
        let before = numbered(0..1000);
        let mut after = before.clone();
        after.splice(500..500, numbered(5000..5100));
        after[900] = b"x\n".to_vec();
        assert_eq!(found(&before, &after), [Region { before: 468..833, after: 468..933 }]);
        found(&before, &[]);
        found(&[], &before);
        found(&before, &numbered((0..1000).rev()));
        found(&before[..990], &before);
    }
}
