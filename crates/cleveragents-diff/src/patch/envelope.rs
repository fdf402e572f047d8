//! The `*** Begin Patch` form.

mod update;

use std::borrow::Cow;

use super::hunk::{Tally, is_bare, kind};
use super::reader::Reader;
use super::{FilePatch, Files, Hunk, LineKind, Operation, PatchError, PatchErrorKind, PatchForm};

/// Whether `line` opens an envelope.
pub(super) fn begins(line: &[u8]) -> bool {
    line.trim_ascii() == b"*** Begin Patch"
}

/// Reads the envelope that opens with the next line, and makes sure that nothing follows it.
pub(super) fn read<'a>(reader: &mut Reader<'a>, files: &mut Files<'a>) -> Result<(), PatchError> {
    reader.next();
    loop {
        let number = reader.line();
        let line = reader.next().ok_or_else(|| PatchErrorKind::NoEnd.at(number))?;
        let mark = line.trim_ascii();
        if mark == b"*** End Patch" {
            break;
        }
        if mark.is_empty() {
            continue;
        }
        if let Some(path) = mark.strip_prefix(b"*** Add File: ") {
            let hunk = added(reader)?;
            let mut file = file(number, Operation::Create, None, Some(path))?;
            file.hunks.extend(hunk);
            files.push(file, number)?;
        } else if let Some(path) = mark.strip_prefix(b"*** Delete File: ") {
            files.push(file(number, Operation::Delete, Some(path), None)?, number)?;
        } else if let Some(path) = mark.strip_prefix(b"*** Update File: ") {
            files.push(update::read(reader, path, number)?, number)?;
        } else {
            return Err(PatchErrorKind::BadEnvelopeLine { text: line.to_vec() }.at(number));
        }
    }
    loop {
        let number = reader.line();
        match reader.next() {
            None => return Ok(()),
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(line) => return Err(PatchErrorKind::TextAfterEnd { text: line.to_vec() }.at(number)),
        }
    }
}

fn file<'a>(
    line: u32,
    operation: Operation,
    old: Option<&'a [u8]>,
    new: Option<&'a [u8]>,
) -> Result<FilePatch<'a>, PatchError> {
    for name in [old, new].into_iter().flatten() {
        if name.is_empty() || name.contains(&0) {
            return Err(PatchErrorKind::BadName { name: name.to_vec() }.at(line));
        }
    }
    Ok(FilePatch {
        line,
        form: PatchForm::Envelope,
        operation,
        old_path: old.map(Cow::Borrowed),
        new_path: new.map(Cow::Borrowed),
        old_mode: None,
        new_mode: None,
        similarity: None,
        hunks: Vec::new(),
        binary: None,
    })
}

/// The `+` lines of a new file, as one hunk.
fn added<'a>(reader: &mut Reader<'a>) -> Result<Option<Hunk<'a>>, PatchError> {
    let start = *reader;
    let mut tally = Tally::default();
    while let Some(line) = reader.peek() {
        if is_mark(*reader) || is_separator(*reader) {
            break;
        }
        if kind(line) != Some(LineKind::Added) {
            return Err(PatchErrorKind::BadHunkLine { text: line.to_vec() }.at(reader.line()));
        }
        tally.count(LineKind::Added);
        reader.skip(line);
    }
    let line = start.line();
    let body = start.until(reader);
    Ok((tally.added > 0).then_some(Hunk {
        line,
        header: None,
        anchors: Vec::new(),
        at_end: false,
        body,
        tally,
    }))
}

/// Whether the next line is one of the form's own: content always has a mark in front of it. A blank in front of the
/// last line of all is let pass; anywhere else it makes a line of context.
fn is_mark(reader: Reader<'_>) -> bool {
    let is_last = |line: &[u8]| line.trim_ascii() == b"*** End Patch" && reader.second().is_none();
    reader.peek().is_some_and(|line| line.starts_with(b"***") || is_last(line))
}

/// Whether the next line is an empty one in front of a header, which models like to put there.
fn is_separator(reader: Reader<'_>) -> bool {
    let mut ahead = reader;
    reader.peek().is_some_and(is_bare) && {
        ahead.next();
        ahead.peek().is_none() || is_mark(ahead)
    }
}
