//! Differences between files, as plain bytes.
//!
//! Bytes go in and bytes come out: no file is opened, no clock is read, no text encoding is assumed. A line ends
//! at `\n` and keeps it; a lone `\r` is content.
//!
//! Three nouns:
//!
//! - [`LineCounts`]: how many lines a change adds and removes ([`line_counts`]).
//! - [`UnifiedDiff`]: writes a [`FileChange`] the way git does, so that `git apply` gives the same bytes back.
//! - [`Edit`]: replaces text that is quoted, not numbered ([`apply_edits`]). It refuses whatever is not exact.
//!
//! Limits:
//!
//! - The time of a diff grows with the number of lines, also on inputs made to be slow. Beyond a few thousand
//!   changed lines the result may therefore be longer than the shortest one; it is always a correct one.
//! - git knows two file modes and no empty directories. What a patch cannot carry stands in a comment line that
//!   begins with `#`, which `git apply` skips.
//! - Binary contents are named, not written out.
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

mod binary;
mod count;
mod edit;
mod line;
mod span;
mod unified;

pub use binary::is_binary;
pub use count::{LineCounts, line_counts};
pub use edit::{Candidate, EDIT_RESULT_LIMIT, Edit, EditError, EditErrorKind, apply_edits};
pub use unified::{Content, FileChange, Side, SideKind, UnifiedDiff};
