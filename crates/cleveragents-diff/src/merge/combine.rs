//! Laying the changes of both sides over one another.

use std::ops::Range;

use super::{Region, RegionKind, compare};
use crate::span::Span;

/// The regions of a merge of the base (first), ours and theirs.
pub(super) fn combine([base, ours, theirs]: &[Vec<u32>; 3]) -> Vec<Region> {
    let (mine, other) = (compare::changes(base, ours), compare::changes(base, theirs));
    let (mut mine, mut other) = (Side::new(&mine), Side::new(&other));
    let mut changed = Vec::new();
    loop {
        match (mine.changes.first(), other.changes.first()) {
            (None, None) => break,
            (Some(a), b) if b.is_none_or(|b| a.before.end < b.before.start) => {
                let theirs = other.shifted(&a.before);
                push(&mut changed, RegionKind::Ours, a.before.clone(), a.after.clone(), theirs);
                mine.pass();
            }
            (Some(a), Some(b)) if b.before.end >= a.before.start => {
                if a.before == b.before && ours[a.after.clone()] == theirs[b.after.clone()] {
                    push(&mut changed, RegionKind::Both, a.before.clone(), a.after.clone(), b.after.clone());
                } else {
                    // Both are widened to the same lines of the base.
                    let all = a.before.start.min(b.before.start)..a.before.end.max(b.before.end);
                    push(&mut changed, RegionKind::Conflict, all.clone(), widened(a, &all), widened(b, &all));
                }
                let (mine_end, other_end) = (a.before.end, b.before.end);
                if mine_end <= other_end {
                    mine.pass();
                }
                if other_end <= mine_end {
                    other.pass();
                }
            }
            (_, Some(b)) => {
                let ours = mine.shifted(&b.before);
                push(&mut changed, RegionKind::Theirs, b.before.clone(), ours, b.after.clone());
                other.pass();
            }
            (Some(_), None) => mine.pass(), // the second arm has it
        }
    }
    with_gaps(changed, (base.len(), ours.len(), theirs.len()))
}

/// The changes of one side that are still to come.
struct Side<'a> {
    changes: &'a [Span],
    /// The place in the base and in this side behind the last change.
    passed: (usize, usize),
}

impl<'a> Side<'a> {
    fn new(changes: &'a [Span]) -> Self {
        Self { changes, passed: (0, 0) }
    }

    fn pass(&mut self) {
        if let Some((first, rest)) = self.changes.split_first() {
            self.passed = (first.before.end, first.after.end);
            self.changes = rest;
        }
    }

    /// Lines of the base that this side has not changed, where they are in it.
    fn shifted(&self, base: &Range<usize>) -> Range<usize> {
        let place = |row: usize| (row + self.passed.1).saturating_sub(self.passed.0);
        place(base.start)..place(base.end)
    }
}

/// The lines of a side that stand for `all` of the base, of which `span` is the changed part.
fn widened(span: &Span, all: &Range<usize>) -> Range<usize> {
    let (ahead, behind) = (span.before.start - all.start, all.end - span.before.end);
    // Where an earlier change of this side lies in `all` too, the start is wrong, but then the region has begun before.
    span.after.start.saturating_sub(ahead)..span.after.end + behind
}

/// Adds a region. One that meets the last one is part of it, and a conflict if they are not of the same kind.
fn push(
    changed: &mut Vec<Region>,
    kind: RegionKind,
    base: Range<usize>,
    ours: Range<usize>,
    theirs: Range<usize>,
) {
    match changed.last_mut() {
        Some(last) if ours.start <= last.ours.end || theirs.start <= last.theirs.end => {
            if last.kind != kind {
                last.kind = RegionKind::Conflict;
            }
            last.base.end = base.end;
            last.ours.end = ours.end;
            last.theirs.end = theirs.end;
        }
        _ => changed.push(Region { kind, base, ours, theirs }),
    }
}

fn with_gaps(changed: Vec<Region>, ends: (usize, usize, usize)) -> Vec<Region> {
    let mut regions = Vec::with_capacity(changed.len() * 2 + 1);
    let mut reached = (0, 0, 0);
    let end = Region {
        kind: RegionKind::Unchanged,
        base: ends.0..ends.0,
        ours: ends.1..ends.1,
        theirs: ends.2..ends.2,
    };
    for region in changed.into_iter().chain([end]) {
        if region.base.start > reached.0 {
            regions.push(Region {
                kind: RegionKind::Unchanged,
                base: reached.0..region.base.start,
                ours: reached.1..region.ours.start,
                theirs: reached.2..region.theirs.start,
            });
        }
        reached = (region.base.end, region.ours.end, region.theirs.end);
        if region.kind != RegionKind::Unchanged {
            regions.push(region);
        }
    }
    regions
}
