//! Making conflicts as small as they are.

use std::ops::Range;

use super::text::Text;
use super::{Merge, MergeStyle, Region, RegionKind, compare};

/// Between two conflicts at most so many lines are drawn into one.
const NEAR: usize = 3;

/// A changed stretch as it is written.
pub(super) struct Part {
    pub(super) kind: RegionKind,
    /// Its lines in the base; for a part of a conflict that was made smaller they are not known.
    pub(super) base: Range<usize>,
    pub(super) ours: Range<usize>,
    pub(super) theirs: Range<usize>,
}

/// The regions that `style` writes other than as ours has them.
pub(super) fn parts(merge: &Merge<'_>, style: MergeStyle) -> Vec<Part> {
    let mut parts = Vec::new();
    for region in &merge.regions {
        match region.kind {
            RegionKind::Unchanged | RegionKind::Both => {}
            RegionKind::Conflict if style == MergeStyle::Merge => refine(merge, region, &mut parts),
            kind => parts.push(Part {
                kind,
                base: region.base.clone(),
                ours: region.ours.clone(),
                theirs: region.theirs.clone(),
            }),
        }
    }
    if style == MergeStyle::Merge { join(parts, &merge.ours) } else { parts }
}

/// The parts of a conflict in which its two sides differ. There are none if the sides are the same.
fn refine(merge: &Merge<'_>, region: &Region, parts: &mut Vec<Part>) {
    let (ours, theirs) = (region.ours.clone(), region.theirs.clone());
    let part = |ours, theirs| Part { kind: RegionKind::Conflict, base: 0..0, ours, theirs };
    if ours.is_empty() || theirs.is_empty() {
        parts.push(part(ours, theirs));
        return;
    }
    let [left, right, _] =
        compare::tokens([&Text::new(merge.ours(region)), &Text::new(merge.theirs(region)), &Text::new(b"")]);
    for span in compare::changes(&left, &right) {
        let shift = |range: Range<usize>, start: usize| range.start + start..range.end + start;
        parts.push(part(shift(span.before, ours.start), shift(span.after, theirs.start)));
    }
}

/// Joins conflicts between which there are few lines, or none with a letter or a digit.
fn join(parts: Vec<Part>, ours: &Text<'_>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match joined.last_mut() {
            Some(last)
                if last.kind == RegionKind::Conflict
                    && part.kind == RegionKind::Conflict
                    && is_nothing(ours, last.ours.end..part.ours.start) =>
            {
                last.ours.end = part.ours.end;
                last.theirs.end = part.theirs.end;
            }
            _ => joined.push(part),
        }
    }
    joined
}

fn is_nothing(ours: &Text<'_>, rows: Range<usize>) -> bool {
    rows.len() <= NEAR || !ours.slice(rows).iter().any(u8::is_ascii_alphanumeric)
}
