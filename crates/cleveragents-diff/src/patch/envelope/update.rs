//! `*** Update File`.

use super::super::hunk::{Tally, kind};
use super::super::reader::{Reader, without_return};
use super::super::{FilePatch, Hunk, Operation, PATCH_HUNK_LIMIT, PatchError, PatchErrorKind, body, header};
use super::{file, is_mark, is_separator};

/// Reads what follows the header of a file that is changed, moved or both.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    path: &'a [u8],
    number: u32,
) -> Result<FilePatch<'a>, PatchError> {
    let mut target = None;
    if let Some(line) = reader.peek()
        && let Some(path) = line.trim_ascii().strip_prefix(b"*** Move to: ")
    {
        target = Some(path);
        reader.skip(line);
    }
    let operation = match target {
        Some(target) if plain(target) != plain(path) => Operation::Rename,
        _ => Operation::Modify,
    };
    let new = if operation == Operation::Rename { target } else { Some(path) };
    let mut file = file(number, operation, Some(path), new)?;
    while let Some(line) = reader.peek() {
        if is_mark(*reader) {
            break;
        }
        if is_separator(*reader) {
            reader.skip(line);
            continue;
        }
        if file.hunks.len() >= PATCH_HUNK_LIMIT {
            return Err(PatchErrorKind::TooManyHunks { limit: PATCH_HUNK_LIMIT }.at(reader.line()));
        }
        file.hunks.push(hunk(reader)?);
    }
    if file.hunks.is_empty() && target.is_none() {
        return Err(PatchErrorKind::EmptyUpdate.at(number));
    }
    Ok(file)
}

/// A path without `./` in front: that a file moves to itself is no move.
fn plain(mut path: &[u8]) -> &[u8] {
    while let Some(rest) = path.strip_prefix(b"./") {
        path = rest.trim_ascii_start();
    }
    path
}

fn hunk<'a>(reader: &mut Reader<'a>) -> Result<Hunk<'a>, PatchError> {
    let number = reader.line();
    let mut anchors = Vec::new();
    let mut header = None;
    while let Some(line) = reader.peek() {
        let Some(text) = without_return(line).strip_prefix(b"@@") else { break };
        if header::is_numbered(line) {
            // Numbers are not of this form, but where they are given they are taken for what they are.
            header = header::parse(line, reader.line())?;
            reader.skip(line);
            continue;
        }
        let text = text.strip_prefix(b" ").unwrap_or(text);
        let text = text.strip_suffix(b" @@").unwrap_or(text);
        if !text.trim_ascii().is_empty() {
            anchors.push(text);
        }
        reader.skip(line);
    }
    let start = *reader;
    let mut tally = Tally::default();
    let mut at_end = false;
    let mut end = *reader;
    while let Some(line) = reader.peek() {
        if line.trim_ascii() == b"*** End of File" {
            end = *reader;
            reader.skip(line);
            at_end = true;
            break;
        }
        if is_mark(*reader) || line.starts_with(b"@@") || is_separator(*reader) {
            break;
        }
        match kind(line) {
            Some(kind) => tally.count(kind),
            None if line.starts_with(b"\\") => {}
            None => return Err(PatchErrorKind::BadHunkLine { text: line.to_vec() }.at(reader.line())),
        }
        reader.skip(line);
        end = *reader;
    }
    let hunk = Hunk { line: number, header, anchors, at_end, body: start.until(&end), tally };
    body::check(&hunk, start.line())?;
    Ok(hunk)
}
