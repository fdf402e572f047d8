//! The lines of a hunk, and where they end.

use super::hunk::{Tally, is_bare, kind};
use super::reader::Reader;
use super::{Hunk, HunkHeader, LineKind, PatchError, PatchErrorKind, header, unified};

/// Reads the hunk whose `@@` line comes next.
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Hunk<'a>, PatchError> {
    let number = reader.line();
    let line = reader.next().unwrap_or_default();
    let header = header::parse(line, number)?;
    let start = *reader;
    let counted = header.and_then(|header| counted(start, header));
    let (end, tally) = match counted {
        Some(found) => found,
        None => uncounted(start, header)?,
    };
    *reader = end;
    let hunk =
        Hunk { line: number, header, anchors: Vec::new(), at_end: false, body: start.until(&end), tally };
    check(&hunk, start.line())?;
    Ok(hunk)
}

/// The end of a hunk that has as many lines as its header says; `None` if it does not.
fn counted(mut reader: Reader<'_>, header: HunkHeader) -> Option<(Reader<'_>, Tally)> {
    let stated = (header.old_count, header.new_count);
    let mut tally = Tally::default();
    while tally.sides() != stated {
        let line = reader.peek()?;
        match kind(line) {
            Some(kind) => tally.count(kind),
            None if line.starts_with(b"\\") => {}
            None => return None,
        }
        let found = tally.sides();
        if found.0 > stated.0 || found.1 > stated.1 {
            return None;
        }
        reader.skip(line);
    }
    skip_marker(&mut reader);
    let goes_on = reader.peek().is_some_and(|line| kind(line).is_some() && !is_bare(line));
    (!goes_on || is_over(reader)).then_some((reader, tally))
}

/// The end of a hunk whose header is wrong or has no numbers: the next thing that is no line of a hunk.
fn uncounted(mut reader: Reader<'_>, header: Option<HunkHeader>) -> Result<(Reader<'_>, Tally), PatchError> {
    let mut tally = Tally::default();
    // Empty lines in the end belong to whatever follows.
    let mut solid = (reader, tally);
    while let Some(line) = reader.peek() {
        if is_over(reader) {
            break;
        }
        match kind(line) {
            Some(kind) => tally.count(kind),
            None if line.starts_with(b"\\") => {}
            None => return Err(PatchErrorKind::BadHunkLine { text: line.to_vec() }.at(reader.line())),
        }
        reader.skip(line);
        if !is_bare(line) {
            solid = (reader, tally);
            continue;
        }
        // Behind an empty line there may be text that is no part of the patch, but only if nothing is missing yet.
        let is_text = reader.peek().is_some_and(|next| kind(next).is_none() && !next.starts_with(b"\\"));
        let (old, new) = solid.1.sides();
        if is_text && header.is_some_and(|header| old >= header.old_count && new >= header.new_count) {
            break;
        }
    }
    Ok(solid)
}

/// Whether something else begins with the next line.
fn is_over(reader: Reader<'_>) -> bool {
    let Some(line) = reader.peek() else { return true };
    match line.first() {
        Some(b'@') => header::begins(line) || line.starts_with(b"@@ "),
        Some(b'-') => unified::begins(reader) || is_signature(reader),
        Some(b'd') => line.starts_with(b"diff "),
        Some(b'I') => line.starts_with(b"Index: "),
        Some(b'*') => line.starts_with(b"*** "),
        _ => false,
    }
}

/// The end of a mail: `-- ` and git's version.
fn is_signature(reader: Reader<'_>) -> bool {
    let is_version = |line: &[u8]| line.first().is_some_and(u8::is_ascii_digit);
    reader.peek().map(super::reader::without_return) == Some(b"-- ")
        && reader.second().is_none_or(is_version)
        && reader.third().is_none_or(is_bare)
}

fn skip_marker(reader: &mut Reader<'_>) {
    if let Some(line) = reader.peek().filter(|line| line.starts_with(b"\\")) {
        reader.skip(line);
    }
}

/// Whether the lines make sense: there are some, and none behind the last line of the file.
pub(super) fn check(hunk: &Hunk<'_>, first: u32) -> Result<(), PatchError> {
    if hunk.tally == Tally::default() {
        return Err(PatchErrorKind::EmptyHunk.at(hunk.line));
    }
    if memchr::memchr(b'\\', hunk.body).is_none() {
        return Ok(());
    }
    let mut reader = Reader::new(hunk.body);
    let mut ended = (false, false);
    let mut last = None;
    loop {
        let number = first.saturating_add(reader.line() - 1);
        let Some(line) = reader.next() else { return Ok(()) };
        match kind(line) {
            Some(kind) => {
                let (old, new) = (kind != LineKind::Added, kind != LineKind::Removed);
                if (old && ended.0) || (new && ended.1) {
                    return Err(PatchErrorKind::LineAfterEnd.at(number));
                }
                last = Some((old, new));
            }
            None => {
                let Some((old, new)) = last else {
                    return Err(PatchErrorKind::BadHunkLine { text: line.to_vec() }.at(number));
                };
                ended = (ended.0 || old, ended.1 || new);
            }
        }
    }
}
