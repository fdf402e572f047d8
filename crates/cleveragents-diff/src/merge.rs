//! Merging two changes of one text.

mod combine;
mod compare;
mod myers;
mod prune;
mod refine;
mod render;
mod text;

#[cfg(test)]
mod tests;

pub use render::{MergeLabels, MergeStyle, render};

use std::ops::Range;

use combine::combine;
use text::Text;

/// Merges `ours` and `theirs`, which both came from `base`.
///
/// The verdict and the bytes are those of `git merge-file -p`: lines are compared as git compares them there (Myers'
/// algorithm), not as [`UnifiedDiff`](crate::UnifiedDiff) does. Like git's, the comparison gives up looking for the
/// shortest way where it would take too long, so time grows with the number of lines. One rule of git's for doing so,
/// which matters beyond some 65,000 lines, is left out: there the regions may differ from git's.
///
/// Whether the contents are text is not asked: git refuses to merge what [`is_binary`](crate::is_binary).
///
/// ```
/// use cleveragents_diff::{MergeLabels, MergeStyle, RegionKind, merge, render};
///
/// let merged = merge(b"a\nb\nc\n", b"A\nb\nc\n", b"a\nb\nC\n");
/// let labels = MergeLabels { ours: b"ours", base: b"base", theirs: b"theirs" };
/// assert!(merged.is_clean());
/// assert_eq!(render(&merged, &labels, MergeStyle::Merge), b"A\nb\nC\n");
///
/// let merged = merge(b"a\n", b"b\n", b"c\n");
/// assert_eq!(merged.regions[0].kind, RegionKind::Conflict);
/// assert_eq!(
///     render(&merged, &labels, MergeStyle::Diff3),
///     b"<<<<<<< ours\nb\n||||||| base\na\n=======\nc\n>>>>>>> theirs\n"
/// );
/// ```
pub fn merge<'a>(base: &'a [u8], ours: &'a [u8], theirs: &'a [u8]) -> Merge<'a> {
    let (base, ours, theirs) = (Text::new(base), Text::new(ours), Text::new(theirs));
    let tokens = compare::tokens([&base, &ours, &theirs]);
    let regions = combine(&tokens);
    Merge { regions, base, ours, theirs }
}

/// The result of [`merge`]: the three texts cut into regions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merge<'a> {
    /// In order and without gaps: on each of the three sides the regions together are the whole text.
    pub regions: Vec<Region>,
    base: Text<'a>,
    ours: Text<'a>,
    theirs: Text<'a>,
}

/// A stretch of lines and what became of it. All line numbers are from zero.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// Who changed it.
    pub kind: RegionKind,
    /// Its lines in the base.
    pub base: Range<usize>,
    /// Its lines in ours.
    pub ours: Range<usize>,
    /// Its lines in theirs.
    pub theirs: Range<usize>,
}

/// Who changed a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// Nobody.
    Unchanged,
    /// Ours alone.
    Ours,
    /// Theirs alone.
    Theirs,
    /// Both, in the same way.
    Both,
    /// Both, or both so near one another that no line between them stays.
    Conflict,
}

impl<'a> Merge<'a> {
    /// Whether no conflict is left when it is rendered as [`MergeStyle::Merge`].
    pub fn is_clean(&self) -> bool {
        self.conflicts(MergeStyle::Merge) == 0
    }

    /// How many conflicts [`render`] writes. A style that shows the base can have more of them, since it does not
    /// settle a conflict whose two sides are the same.
    pub fn conflicts(&self, style: MergeStyle) -> usize {
        refine::parts(self, style).iter().filter(|part| part.kind == RegionKind::Conflict).count()
    }

    /// The region's text in the base.
    pub fn base(&self, region: &Region) -> &'a [u8] {
        self.base.slice(region.base.clone())
    }

    /// The region's text in ours.
    pub fn ours(&self, region: &Region) -> &'a [u8] {
        self.ours.slice(region.ours.clone())
    }

    /// The region's text in theirs.
    pub fn theirs(&self, region: &Region) -> &'a [u8] {
        self.theirs.slice(region.theirs.clone())
    }

    /// The region's text in the result; `None` if it is a conflict.
    pub fn merged(&self, region: &Region) -> Option<&'a [u8]> {
        match region.kind {
            RegionKind::Unchanged | RegionKind::Ours | RegionKind::Both => Some(self.ours(region)),
            RegionKind::Theirs => Some(self.theirs(region)),
            RegionKind::Conflict => None,
        }
    }
}
