//! Reading patches.

mod body;
mod envelope;
mod error;
mod file;
mod git;
mod header;
mod hunk;
mod name;
mod reader;
mod unified;

#[cfg(test)]
mod tests;

pub use error::{PatchError, PatchErrorKind};
pub use file::{BinaryPatch, FilePatch, Operation, PatchForm};
pub use hunk::{Hunk, HunkHeader, HunkLine, HunkLines, LineKind, Miscount};

use reader::Reader;

/// The longest patch in bytes that [`Patch::parse`] reads.
pub const PATCH_LIMIT: usize = 256 * 1024 * 1024;
/// The most files in one patch.
pub const PATCH_FILE_LIMIT: usize = 200_000;
/// The most hunks in one patch, all files together.
pub const PATCH_HUNK_LIMIT: usize = 1_000_000;

/// A patch that was read: what is to happen to which file. It borrows every text from the bytes it was read from.
///
/// Three forms are understood, and told apart by what stands in them:
///
/// - **git**: `diff --git` and its extended headers: creation, deletion, mode, rename, copy, quoted names.
/// - **plain unified**: `---` and `+++`, with or without timestamps. GNU diff's `1970-01-01` beside an empty range
///   means that there is no file.
/// - **envelope**: `*** Begin Patch` to `*** End Patch`, the form that models write. It has no line numbers.
///
/// Text in front of and between the files (mails, commit messages, comment lines) is skipped, as git does. A patch
/// in which no file is found is an error.
///
/// Prefixes: `a/` of an old and `b/` of a new name are taken off (and git's `i/`, `w/`, `c/`, `o/`), unless both
/// names bear the same prefix: then it is a directory. Names in `rename` and `copy` lines bear none. The names of
/// the envelope are taken as they are.
///
/// Inside a hunk the lines are counted, so that a removed line `-- old` is no header. Where the counts of the
/// header turn out wrong, the lines decide, and [`Hunk::miscount`] tells.
///
/// ```
/// use cleveragents_diff::{Operation, Patch, apply_file};
///
/// let text = b"--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- old\n keep\n";
/// let patch = Patch::parse(text)?;
/// let [file] = &patch.files[..] else { panic!() };
/// assert_eq!((file.operation, file.path()), (Operation::Modify, &b"x.sql"[..]));
/// assert_eq!(apply_file(b"-- old\nkeep\n", file).unwrap(), b"keep\n");
///
/// let error = Patch::parse(b"--- a/x\n+++ b/x\n@@ -1,4 +1,3 @@\n a\n?\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 5: a hunk line begins with neither ' ', '-', '+' nor '\\': \"?\""
/// );
/// # Ok::<(), cleveragents_diff::PatchError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch<'a> {
    /// The files in the order of the patch; one path may come twice (a file that becomes a link goes and comes).
    pub files: Vec<FilePatch<'a>>,
}

impl<'a> Patch<'a> {
    /// Reads a patch. Time and memory grow with its length and stop at the limits; nothing in it is trusted.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, PatchError> {
        if bytes.len() > PATCH_LIMIT {
            return Err(PatchErrorKind::TooLong { limit: PATCH_LIMIT }.at(1));
        }
        let mut reader = Reader::new(bytes);
        let mut files = Files::default();
        while let Some(line) = reader.peek() {
            if line.starts_with(b"diff --git ") {
                files.push(git::read(&mut reader)?, reader.line())?;
            } else if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
                return Err(PatchErrorKind::Combined.at(reader.line()));
            } else if unified::begins(reader) {
                files.push(unified::read(&mut reader)?, reader.line())?;
            } else if line.starts_with(b"@@ -") && header::is_numbered(line) {
                return Err(PatchErrorKind::HunkWithoutFile.at(reader.line()));
            } else if line.starts_with(b"Binary files ") && line.trim_ascii_end().ends_with(b" differ") {
                return Err(PatchErrorKind::BinaryWithoutHeader.at(reader.line()));
            } else if files.list.is_empty() && envelope::begins(line) {
                envelope::read(&mut reader, &mut files)?;
                break;
            } else {
                reader.next();
            }
        }
        if files.list.is_empty() {
            return Err(PatchErrorKind::NoFile.at(1));
        }
        Ok(Self { files: files.list })
    }
}

/// The files read so far, kept within the limits.
#[derive(Default)]
struct Files<'a> {
    list: Vec<FilePatch<'a>>,
    hunks: usize,
}

impl<'a> Files<'a> {
    fn push(&mut self, file: FilePatch<'a>, line: u32) -> Result<(), PatchError> {
        self.hunks += file.hunks.len();
        if self.list.len() >= PATCH_FILE_LIMIT {
            return Err(PatchErrorKind::TooManyFiles { limit: PATCH_FILE_LIMIT }.at(line));
        }
        if self.hunks > PATCH_HUNK_LIMIT {
            return Err(PatchErrorKind::TooManyHunks { limit: PATCH_HUNK_LIMIT }.at(line));
        }
        self.list.push(file);
        Ok(())
    }
}
