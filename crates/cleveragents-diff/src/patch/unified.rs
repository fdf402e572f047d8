//! A file of a plain unified diff, and the `---` and `+++` lines of any.

use super::reader::{Reader, without_return};
use super::{FilePatch, Hunk, Operation, PatchError, PatchErrorKind, PatchForm, body, header, name};

/// Whether `---`, `+++` and a hunk come next.
pub(super) fn begins(reader: Reader<'_>) -> bool {
    reader.peek().is_some_and(|line| line.starts_with(b"--- "))
        && reader.second().is_some_and(|line| line.starts_with(b"+++ "))
        && reader.third().is_some_and(header::begins)
}

/// Reads the file whose `---` line comes next.
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<FilePatch<'a>, PatchError> {
    let number = reader.line();
    let (old, new) = names(reader)?;
    let hunks = hunks(reader)?;
    let (old_path, new_path) = name::strip(old.name.clone(), new.name.clone());
    // GNU diff gives a file that is not there the first second of 1970, and its side is empty.
    let ranges = match &hunks[..] {
        [hunk] => hunk.header.map(|header| (header.old_count, header.new_count)),
        _ => None,
    };
    let absent =
        |side: &Side<'_>, count: Option<u32>| side.name.is_none() || (side.epoch && count == Some(0));
    let old_path = old_path.filter(|_| !absent(&old, ranges.map(|range| range.0)));
    let new_path = new_path.filter(|_| !absent(&new, ranges.map(|range| range.1)));
    let operation = match (&old_path, &new_path) {
        (None, None) => return Err(PatchErrorKind::NoSide.at(number)),
        (None, Some(_)) => Operation::Create,
        (Some(_), None) => Operation::Delete,
        (Some(_), Some(_)) => Operation::Modify,
    };
    // `diff -u x.orig x`: two names of one file, whose own is the later one.
    let old_path = if operation == Operation::Modify { new_path.clone() } else { old_path };
    Ok(FilePatch {
        line: number,
        form: PatchForm::Unified,
        operation,
        old_path,
        new_path,
        old_mode: None,
        new_mode: None,
        similarity: None,
        hunks,
        binary: None,
    })
}

/// What a `---` or `+++` line says.
pub(super) struct Side<'a> {
    /// `None` if it is `/dev/null`.
    pub(super) name: Option<name::Name<'a>>,
    epoch: bool,
}

/// Reads the `---` and the `+++` line.
pub(super) fn names<'a>(reader: &mut Reader<'a>) -> Result<(Side<'a>, Side<'a>), PatchError> {
    let old = side(reader, b"--- ")?;
    let new = side(reader, b"+++ ")?;
    Ok((old, new))
}

fn side<'a>(reader: &mut Reader<'a>, mark: &[u8]) -> Result<Side<'a>, PatchError> {
    let number = reader.line();
    let text = reader.peek().and_then(|line| line.strip_prefix(mark));
    let text = without_return(text.ok_or_else(|| PatchErrorKind::NoNewName.at(number))?);
    reader.next();
    let (name, rest) =
        name::read(text).ok_or_else(|| PatchErrorKind::BadName { name: text.to_vec() }.at(number))?;
    Ok(Side { name: (*name != *b"/dev/null").then_some(name), epoch: is_epoch(rest) })
}

/// The first second of 1970, in whatever time zone.
fn is_epoch(stamp: &[u8]) -> bool {
    let stamp = stamp.trim_ascii();
    let day = stamp.starts_with(b"1970-01-01 ") || stamp.starts_with(b"1969-12-31 ");
    // Hours and minutes are the zone's; seconds and their fraction are not.
    day && stamp.get(16..19) == Some(b":00")
        && stamp[19..].iter().take_while(|&&byte| byte != b' ').all(|byte| b".0".contains(byte))
}

/// Reads hunks as long as they come.
pub(super) fn hunks<'a>(reader: &mut Reader<'a>) -> Result<Vec<Hunk<'a>>, PatchError> {
    let mut hunks = Vec::new();
    while let Some(line) = reader.peek() {
        if line.starts_with(b"@@@ ") {
            return Err(PatchErrorKind::Combined.at(reader.line()));
        }
        if !header::begins(line) {
            break;
        }
        if hunks.len() >= super::PATCH_HUNK_LIMIT {
            return Err(PatchErrorKind::TooManyHunks { limit: super::PATCH_HUNK_LIMIT }.at(reader.line()));
        }
        hunks.push(body::read(reader)?);
    }
    Ok(hunks)
}
