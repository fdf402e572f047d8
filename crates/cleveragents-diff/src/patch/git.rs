//! A file of a git diff.

mod extended;

use extended::Extended;

use super::name::{self, Name};
use super::reader::{Reader, without_return};
use super::{BinaryPatch, FilePatch, Operation, PatchError, PatchErrorKind, PatchForm, unified};

/// Reads the file whose `diff --git` line comes next.
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<FilePatch<'a>, PatchError> {
    let number = reader.line();
    let first = reader.next().map(without_return).unwrap_or_default();
    let both = name::of_both(first.strip_prefix(b"diff --git ").unwrap_or_default());
    let mut extended = Extended::default();
    while let Some(line) = reader.peek() {
        if !extended.read(without_return(line), reader.line())? {
            break;
        }
        reader.skip(line);
    }
    let mut sides = None;
    let mut hunks = Vec::new();
    let mut binary = None;
    let named = reader.line();
    match reader.peek() {
        Some(line) if line.starts_with(b"--- ") => {
            let (old, new) = unified::names(reader)?;
            sides = Some((old.name, new.name));
            hunks = unified::hunks(reader)?;
        }
        Some(line) if line.starts_with(b"Binary files ") && line.trim_ascii_end().ends_with(b" differ") => {
            reader.skip(line);
            binary = Some(BinaryPatch::Differ);
        }
        Some(line) if line.starts_with(b"GIT binary patch") => {
            skip_encoded(reader);
            binary = Some(BinaryPatch::Encoded);
        }
        _ => {}
    }
    let operation = extended.operation(sides.as_ref(), number)?;
    let (old_path, new_path) = paths(&extended, operation, both.as_ref(), sides, (number, named))?;
    Ok(FilePatch {
        line: number,
        form: PatchForm::Git,
        operation,
        old_path,
        new_path,
        old_mode: extended.old_mode,
        new_mode: extended.new_mode,
        similarity: extended.similarity,
        hunks,
        binary,
    })
}

type Paths<'a> = (Option<Name<'a>>, Option<Name<'a>>);

fn paths<'a>(
    extended: &Extended<'a>,
    operation: Operation,
    both: Option<&Name<'a>>,
    sides: Option<Paths<'a>>,
    (number, named): (u32, u32),
) -> Result<Paths<'a>, PatchError> {
    if let (Some(old), Some(new)) = &extended.renamed {
        return Ok((Some(old.clone()), Some(new.clone())));
    }
    let (old, new) = match sides {
        // The first line has both names, which tells a prefix from a folder even where one side is not there.
        Some((old, new))
            if both.is_some() && [&old, &new].into_iter().flatten().all(|name| Some(name) == both) =>
        {
            (old, new)
        }
        Some((old, new)) => name::strip(old, new),
        None => (both.cloned(), both.cloned()),
    };
    let path = new.clone().or(old.clone()).ok_or_else(|| PatchErrorKind::UnclearName.at(number))?;
    let others = [both, old.as_ref()];
    if let Some(other) = others.into_iter().flatten().find(|other| **other != path) {
        let (one, other) = (other.to_vec(), path.into_owned());
        return Err(PatchErrorKind::DifferentNames { one, other }.at(named));
    }
    Ok(match operation {
        Operation::Create => (None, Some(path)),
        Operation::Delete => (Some(path), None),
        Operation::Modify | Operation::Rename | Operation::Copy => (Some(path.clone()), Some(path)),
    })
}

/// Goes past the blocks of a binary patch: a line `literal N` or `delta N`, lines of letters, an empty line.
fn skip_encoded(reader: &mut Reader<'_>) {
    reader.next();
    while let Some(line) = reader.peek() {
        let head = line.starts_with(b"literal ") || line.starts_with(b"delta ");
        if !head {
            return;
        }
        while let Some(line) = reader.next() {
            if without_return(line).is_empty() {
                break;
            }
        }
    }
}
