//! Applying one file's part of a patch to its bytes.

mod base;
mod error;
mod find;
mod locate;
mod splice;

#[cfg(test)]
mod tests;

pub use error::ApplyError;

use std::ops::Range;

use base::Base;
use locate::Place;

use crate::{FilePatch, Hunk, Operation, PatchForm};

/// Applies `file` to `base`, all of it or nothing. Where the file is and may go is the caller's affair.
///
/// `base` is what stands at the old path; for a creation it must be empty, and of a deletion nothing may remain.
///
/// **Where a hunk goes** is decided by its text: the lines it keeps and removes must stand in `base`, one after the
/// other. If they do at the line its header names, that is the place. If not, they must stand in exactly one place;
/// with more than one the patch is refused, and so is one whose text stands nowhere. A hunk without any such line
/// says nothing of where it goes and is refused, unless the file is empty; the envelope's goes to the end of the
/// file, as is the rule of that form. Every hunk is looked up in `base` itself; they must come in order and not
/// overlap.
///
/// **Line ends.** Lines match whether they end in `\n` or `\r\n`, and the last one also without. A hunk whose text is
/// the file's, byte for byte, is applied byte for byte. In any other its new lines take the line end of the lines
/// they replace, or else of their neighbours, and the end of the file stays as it was, unless the patch says
/// `\ No newline at end of file` on one side only. A byte order mark in front of the first line is kept.
///
/// Every byte outside the changed lines is kept. Time grows with the lengths of base and patch, and with the number
/// of places at which the text of moved hunks begins to match; there is a limit on that.
pub fn apply_file(base: &[u8], file: &FilePatch<'_>) -> Result<Vec<u8>, ApplyError> {
    if let Some(kind) = file.binary {
        return Err(ApplyError::Binary { line: file.line, kind });
    }
    if file.operation == Operation::Create && !base.is_empty() {
        return Err(ApplyError::NotEmpty { line: file.line });
    }
    if file.operation == Operation::Delete && file.form == PatchForm::Envelope {
        return Ok(Vec::new());
    }
    let base = Base::new(base);
    let mut places: Vec<(&Hunk<'_>, Place)> = Vec::with_capacity(file.hunks.len());
    let mut search = locate::Search::new(&base, file);
    let mut last: Option<(usize, Range<usize>)> = None;
    for (index, hunk) in file.hunks.iter().enumerate() {
        let place = search.place(index, hunk)?;
        let rows = place.rows.clone();
        places.push((hunk, place));
        if rows.is_empty() {
            continue; // lines that go to the end of the file, wherever among the hunks they stand
        }
        if let Some((other, before)) = last.filter(|(_, before)| rows.start < before.end) {
            let (at, other_end) = (base::number(rows.start), base::number(before.end - 1));
            return Err(ApplyError::OutOfOrder { hunk: index, line: hunk.line, at, other, other_end });
        }
        last = Some((index, rows));
    }
    places.sort_by_key(|(_, place)| place.rows.start);
    let result = splice::splice(&base, &places);
    if file.operation == Operation::Delete && !result.is_empty() {
        return Err(ApplyError::Remains { line: file.line, lines: crate::line::count(&result) });
    }
    Ok(result)
}
