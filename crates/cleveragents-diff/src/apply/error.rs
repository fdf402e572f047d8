//! Why a patch was not applied.

use std::fmt::Write as _;

use crate::BinaryPatch;
use crate::edit::{Candidate, listed};
use crate::excerpt::excerpt;

/// How many line numbers an error lists.
pub(super) const LISTED: usize = 20;

/// Why [`apply_file`](crate::apply_file) gave nothing.
///
/// The text is written for whoever made the patch, a model included. It counts hunks and lines from one; `line` is a
/// line of the patch, all other numbers are lines of the file. The fields count hunks from zero.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The lines that the hunk keeps or removes stand nowhere in the file.
    #[error(
        "hunk {} (line {line} of the patch): the file has no such lines: {}{}",
        hunk + 1,
        excerpt(wanted),
        nearest(candidates)
    )]
    NotFound {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
        /// The first of the lines that were looked for.
        wanted: Vec<u8>,
        /// The lines of the file most like them, the best first; at most three.
        candidates: Vec<Candidate>,
    },
    /// They stand in more than one place.
    #[error(
        "hunk {} (line {line} of the patch): its lines stand in {count} places of the file, from lines {}; \
         add more lines of context",
        hunk + 1,
        listed(lines, *count)
    )]
    Ambiguous {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
        /// How often.
        count: usize,
        /// Where the first twenty begin.
        lines: Vec<u32>,
    },
    /// An `@@ text` line stands nowhere, or in more than one place.
    #[error("hunk {} (line {line} of the patch): the anchor {}", hunk + 1, anchors(anchor, lines, *count))]
    Anchor {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
        /// What stands behind `@@`.
        anchor: Vec<u8>,
        /// How often it stands in the file, behind the anchors in front of it.
        count: usize,
        /// Where the first twenty are.
        lines: Vec<u32>,
    },
    /// The hunk neither keeps nor removes a line, so nothing but a number says where it goes.
    #[error(
        "hunk {} (line {line} of the patch): it only adds lines; add lines of context to say where",
        hunk + 1
    )]
    NoContext {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
    },
    /// By the patch the file ends with the hunk, but it does not.
    #[error(
        "hunk {} (line {line} of the patch): it says that the file ends with it, but where its lines stand, at line \
         {at}, {left} more follow",
        hunk + 1
    )]
    NotAtEnd {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
        /// Where its lines stand last.
        at: u32,
        /// How many lines follow them.
        left: usize,
    },
    /// The hunk's place is in front of that of the hunk before it, or overlaps it.
    #[error(
        "hunk {} (line {line} of the patch): its lines begin at line {at}, but hunk {} reaches to line {other_end}; \
         put the hunks in the order of the file, or make one of the two",
        hunk + 1,
        other + 1
    )]
    OutOfOrder {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
        /// Where its lines begin.
        at: u32,
        /// The hunk before it.
        other: usize,
        /// Where the lines of that one end.
        other_end: u32,
    },
    /// A creation where there is something already.
    #[error("line {line} of the patch creates the file, but there is one that is not empty")]
    NotEmpty {
        /// The file's line in the patch.
        line: u32,
    },
    /// A deletion that does not remove all lines.
    #[error("line {line} of the patch deletes the file, but {lines} of its lines are not in the patch")]
    Remains {
        /// The file's line in the patch.
        line: u32,
        /// How many lines remain.
        lines: usize,
    },
    /// The content is binary.
    #[error("line {line} of the patch: {}", binary(*kind))]
    Binary {
        /// The file's line in the patch.
        line: u32,
        /// What the patch has of it.
        kind: BinaryPatch,
    },
    /// The hunks fit in too many places to be looked at.
    #[error(
        "hunk {} (line {line} of the patch): the file repeats its lines too often to look at every place; add more \
         lines of context",
        hunk + 1
    )]
    TooMuchWork {
        /// Its place in the file's part of the patch.
        hunk: usize,
        /// Its line in the patch.
        line: u32,
    },
}

fn nearest(candidates: &[Candidate]) -> String {
    let mut text = String::new();
    for (index, candidate) in candidates.iter().enumerate() {
        text.push_str(if index == 0 { "; the nearest lines are " } else { ", " });
        let _ = write!(text, "{candidate}");
    }
    text.push_str("; read the file again and quote it exactly");
    text
}

fn anchors(anchor: &[u8], lines: &[u32], count: usize) -> String {
    let anchor = excerpt(anchor);
    if count == 0 {
        return format!("{anchor} is no line of the file; quote a whole line");
    }
    format!("{anchor} stands in {count} places, on lines {}; add another anchor", listed(lines, count))
}

fn binary(kind: BinaryPatch) -> &'static str {
    match kind {
        BinaryPatch::Differ => "it says that binary files differ, but does not hold their bytes",
        BinaryPatch::Encoded => "encoded binary content is not read; write the file instead",
    }
}

impl ApplyError {
    /// The line of the patch that could not be applied: that of the hunk, or of the file.
    pub fn line(&self) -> u32 {
        match *self {
            Self::NotFound { line, .. }
            | Self::Ambiguous { line, .. }
            | Self::Anchor { line, .. }
            | Self::NoContext { line, .. }
            | Self::NotAtEnd { line, .. }
            | Self::OutOfOrder { line, .. }
            | Self::NotEmpty { line }
            | Self::Remains { line, .. }
            | Self::Binary { line, .. }
            | Self::TooMuchWork { line, .. } => line,
        }
    }
}
