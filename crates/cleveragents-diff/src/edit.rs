//! Replacing quoted text in a file.

mod candidate;
mod error;
mod find;
mod replacement;

#[cfg(test)]
mod tests;

pub use candidate::Candidate;
pub use error::{EditError, EditErrorKind};

pub(crate) use candidate::nearest;
pub(crate) use error::listed;

use crate::line;
use find::{Base, Match};

/// The largest result in bytes that [`apply_edits`] makes; a small edit of all occurrences can ask for terabytes.
pub const EDIT_RESULT_LIMIT: usize = 256 * 1024 * 1024;

/// How many line numbers an error lists.
const LISTED: usize = 20;

/// Text to be replaced, quoted with as many lines around it as make it the only one of its kind.
///
/// Line ends: where `old` has no `\r`, its `\n` also matches the `\r\n` of the file, and where `new` has none
/// either, its lines take the line end of the lines they replace, or else of their neighbours. An edit that spells
/// out a `\r` is taken byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit<'a> {
    /// The text that stands in the file.
    pub old: &'a [u8],
    /// The text that takes its place; empty to delete.
    pub new: &'a [u8],
    /// Replaces every occurrence, from the front and without overlap, instead of refusing more than one.
    pub all: bool,
}

/// Applies `edits` to `base`, all or none.
///
/// Every edit is looked up in `base` itself, never in the result of another one, so their order does not matter;
/// two that share a byte are refused. Every byte that no edit quotes is kept, and so are the lines inside a quoted
/// text that its replacement repeats.
///
/// ```
/// use cleveragents_diff::{Edit, EditErrorKind, apply_edits};
///
/// let edit = Edit { old: b"x = 1", new: b"x = 2", all: false };
/// assert_eq!(apply_edits(b"\xef\xbb\xbfx = 1\r\ncaf\xe9", &[edit])?, b"\xef\xbb\xbfx = 2\r\ncaf\xe9");
///
/// let error = apply_edits(b"x = 1\nx = 1\n", &[edit]).unwrap_err();
/// assert_eq!(error.kind(), EditErrorKind::Ambiguous);
/// assert_eq!(
///     error.to_string(),
///     "edit 1: the old text occurs 2 times, on lines 1, 2; quote more of the lines around it, or replace all"
/// );
/// # Ok::<(), cleveragents_diff::EditError>(())
/// ```
pub fn apply_edits(base: &[u8], edits: &[Edit<'_>]) -> Result<Vec<u8>, EditError> {
    let file = Base::new(base);
    let mut places: Vec<Place> = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        places.extend(locate(&file, index, edit)?.into_iter().map(|found| Place { edit: index, found }));
    }
    places.sort_by_key(|place| place.found.range.start);
    for pair in places.windows(2) {
        let [left, right] = pair else { continue };
        if right.found.range.start < left.found.range.end {
            return Err(EditError::Overlap {
                edit: left.edit.max(right.edit),
                other: left.edit.min(right.edit),
                line: line::number_at(base, right.found.range.start),
            });
        }
    }
    splice(base, edits, &places)
}

/// Where an edit applies.
struct Place {
    edit: usize,
    found: Match,
}

fn locate(file: &Base<'_>, index: usize, edit: &Edit<'_>) -> Result<Vec<Match>, EditError> {
    if edit.old.is_empty() {
        return Err(EditError::EmptyOld { edit: index });
    }
    if edit.old == edit.new {
        return Err(EditError::NoChange { edit: index });
    }
    let found = file.find(edit.old);
    if found.is_empty() {
        return Err(EditError::NotFound {
            edit: index,
            candidates: candidate::nearest(file.bytes(), edit.old),
        });
    }
    if edit.all {
        return Ok(without_overlap(found));
    }
    if found.len() > 1 {
        let number = |found: &Match| line::number_at(file.bytes(), found.range.start);
        let lines = found.iter().take(LISTED).map(number).collect();
        return Err(EditError::Ambiguous { edit: index, count: found.len(), lines });
    }
    Ok(found)
}

fn without_overlap(found: Vec<Match>) -> Vec<Match> {
    let mut end = 0;
    let free = |found: &Match| {
        let free = found.range.start >= end;
        if free {
            end = found.range.end;
        }
        free
    };
    found.into_iter().filter(free).collect()
}

fn splice(base: &[u8], edits: &[Edit<'_>], places: &[Place]) -> Result<Vec<u8>, EditError> {
    // Asked before a byte is written. Line ends that become `\r\n` are not counted: they at most double the rest.
    let mut size = base.len() - places.iter().map(|place| place.found.range.len()).sum::<usize>();
    for Place { edit, .. } in places {
        size = size.saturating_add(edits[*edit].new.len());
        if size > EDIT_RESULT_LIMIT {
            return Err(EditError::TooLarge { edit: *edit, limit: EDIT_RESULT_LIMIT });
        }
    }
    let mut result = Vec::with_capacity(size);
    let mut kept = 0;
    for Place { edit, found } in places {
        result.extend_from_slice(&base[kept..found.range.start]);
        replacement::append(base, found, &edits[*edit], &mut result);
        kept = found.range.end;
    }
    result.extend_from_slice(&base[kept..]);
    Ok(result)
}
