//! Why edits were refused.

use std::fmt::Write as _;

use super::candidate::Candidate;

/// Why [`apply_edits`](crate::apply_edits) changed nothing.
///
/// The text is written for whoever made the edits, a model included: it counts edits and lines from one and says
/// what to do next. The fields count edits from zero, lines from one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// There is nothing to look for.
    #[error("edit {}: the old text is empty; quote the text to replace, or write the whole file", edit + 1)]
    EmptyOld {
        /// Its place in the list.
        edit: usize,
    },
    /// Old and new text are the same.
    #[error("edit {}: the old and the new text are the same; leave the edit out or change the new text", edit + 1)]
    NoChange {
        /// Its place in the list.
        edit: usize,
    },
    /// The old text does not occur.
    #[error("edit {}: the old text does not occur in the file{}", edit + 1, nearest(candidates))]
    NotFound {
        /// Its place in the list.
        edit: usize,
        /// The lines most like it, the best first; at most three.
        candidates: Vec<Candidate>,
    },
    /// The old text occurs more than once.
    #[error(
        "edit {}: the old text occurs {count} times, on lines {}; quote more of the lines around it, or replace all",
        edit + 1,
        listed(lines, *count)
    )]
    Ambiguous {
        /// Its place in the list.
        edit: usize,
        /// How often.
        count: usize,
        /// The lines on which the first twenty occurrences begin.
        lines: Vec<u32>,
    },
    /// Two edits quote the same bytes.
    #[error("edits {} and {} overlap on line {line}; make one edit of the two", other + 1, edit + 1)]
    Overlap {
        /// The later one in the list.
        edit: usize,
        /// The earlier one.
        other: usize,
        /// Where the overlap begins.
        line: u32,
    },
    /// The result would be too large.
    #[error("edit {}: the result is larger than {limit} bytes; replace fewer occurrences or insert less", edit + 1)]
    TooLarge {
        /// The edit that crossed the limit.
        edit: usize,
        /// See [`EDIT_RESULT_LIMIT`](crate::EDIT_RESULT_LIMIT).
        limit: usize,
    },
}

/// The kinds of [`EditError`], without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// There is nothing to look for.
    EmptyOld,
    /// Old and new text are the same.
    NoChange,
    /// The old text does not occur.
    NotFound,
    /// The old text occurs more than once.
    Ambiguous,
    /// Two edits quote the same bytes.
    Overlap,
    /// The result would be too large.
    TooLarge,
}

impl EditError {
    /// Which kind it is.
    pub fn kind(&self) -> EditErrorKind {
        match self {
            Self::EmptyOld { .. } => EditErrorKind::EmptyOld,
            Self::NoChange { .. } => EditErrorKind::NoChange,
            Self::NotFound { .. } => EditErrorKind::NotFound,
            Self::Ambiguous { .. } => EditErrorKind::Ambiguous,
            Self::Overlap { .. } => EditErrorKind::Overlap,
            Self::TooLarge { .. } => EditErrorKind::TooLarge,
        }
    }
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

pub(crate) fn listed(lines: &[u32], count: usize) -> String {
    let mut text = lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    if count > lines.len() {
        let _ = write!(text, " and {} more", count - lines.len());
    }
    text
}
