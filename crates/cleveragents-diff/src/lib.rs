//! Differences between files, as plain bytes.
//!
//! Bytes go in and bytes come out: no file is opened, no clock is read, no text encoding is assumed. A line ends
//! at `\n` and keeps it; a lone `\r` is content.
//!
//! What there is:
//!
//! - **Numbers**: [`line_counts`], and as git prints them for many files [`stat`] and [`numstat`].
//! - **Writing**: [`UnifiedDiff`] writes a [`FileChange`] the way git does, so that `git apply` gives the same bytes back.
//!   [`find_renames`] tells which created file was a deleted one.
//! - **Reading**: [`Patch`] reads git's diffs, plain unified ones and the `*** Begin Patch` form; [`apply_file`] gives
//!   the bytes of one file after it. Where a hunk goes is decided by its text.
//! - **Editing**: [`Edit`] replaces text that is quoted, not numbered ([`apply_edits`]). It refuses whatever is not exact.
//! - **Merging**: [`merge()`] lays two changes of one text over one another, with conflicts as data; [`render`] writes it
//!   like `git merge-file`.
//! - **Highlights**: [`word_diff`] tells what changed within a line.
//!
//! Limits:
//!
//! - The time of all of this grows with the number of lines, also on inputs made to be slow, and patches have limits
//!   on their size. Beyond a few thousand changed lines a diff may therefore be longer than the shortest one; it is
//!   always a correct one.
//! - git knows two file modes and no empty directories. What a patch cannot carry stands in a comment line that
//!   begins with `#`, which `git apply` skips.
//! - Binary contents are named, not written out. A `GIT binary patch` is recognised and refused: its bytes are
//!   compressed, and this crate brings no decompressor.
//! - Paths in a patch are given as they are. Whether one leads out of the project, or two name the same file, is for
//!   the caller to ask.
//!
//! ```
//! use cleveragents_diff::{Edit, FileChange, Side, UnifiedDiff, apply_edits, line_counts};
//!
//! let before = b"alpha\r\nbeta\r\n";
//! let after = apply_edits(before, &[Edit { old: b"beta", new: b"gamma\ndelta", all: false }])?;
//! assert_eq!(after, b"alpha\r\ngamma\r\ndelta\r\n");
//!
//! let counts = line_counts(before, &after);
//! assert_eq!((counts.added, counts.removed), (2, 1));
//!
//! let mut patch = Vec::new();
//! let change = FileChange {
//!     path: b"greek.txt",
//!     before: Some(Side::file(0o644, before)),
//!     after: Some(Side::file(0o644, &after)),
//! };
//! UnifiedDiff::new().append(&change, &mut patch);
//! assert!(patch.starts_with(b"diff --git a/greek.txt b/greek.txt\n--- a/greek.txt\n"));
//! # Ok::<(), cleveragents_diff::EditError>(())
//! ```

mod apply;
mod binary;
mod count;
mod edit;
mod excerpt;
mod line;
mod merge;
mod patch;
mod rename;
mod slide;
mod span;
mod stat;
mod unified;
mod word;

pub use apply::{ApplyError, apply_file};
pub use binary::is_binary;
pub use count::{LineCounts, line_counts};
pub use edit::{Candidate, EDIT_RESULT_LIMIT, Edit, EditError, EditErrorKind, apply_edits};
pub use merge::{Merge, MergeLabels, MergeStyle, Region, RegionKind, merge, render};
pub use patch::{
    BinaryPatch, FilePatch, Hunk, HunkHeader, HunkLine, HunkLines, LineKind, Miscount, Operation,
    PATCH_FILE_LIMIT, PATCH_HUNK_LIMIT, PATCH_LIMIT, Patch, PatchError, PatchErrorKind, PatchForm,
};
pub use rename::{RENAME_SIZE_LIMIT, RenameEnd, RenamePair, find_renames};
pub use stat::{BinarySizes, FileStat, numstat, stat};
pub use unified::{Content, FileChange, Rename, Side, SideKind, UnifiedDiff};
pub use word::{WordSpan, WordSpanKind, word_diff};
