//! What a patch says of one file.

use std::borrow::Cow;

use super::Hunk;

/// What is to happen to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilePatch<'a> {
    /// The line of the patch in which it begins, from one.
    pub line: u32,
    /// The form it is written in.
    pub form: PatchForm,
    /// What is to happen.
    pub operation: Operation,
    /// The path before, as the patch has it: it may be absolute or hold `..`. `None` for a creation.
    pub old_path: Option<Cow<'a, [u8]>>,
    /// The path after. `None` for a deletion.
    pub new_path: Option<Cow<'a, [u8]>>,
    /// git's mode before, where the patch tells it.
    pub old_mode: Option<u32>,
    /// git's mode after, where the patch tells it.
    pub new_mode: Option<u32>,
    /// How alike the two sides of a rename or copy are, out of a hundred.
    pub similarity: Option<u8>,
    /// The changes of its content in order; none if the content stays, or is binary.
    pub hunks: Vec<Hunk<'a>>,
    /// Set if the content is binary: [`apply_file`](crate::apply_file) then refuses.
    pub binary: Option<BinaryPatch>,
}

/// The form in which a file's part of a patch is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PatchForm {
    /// With a `diff --git` line.
    Git,
    /// `---` and `+++` alone.
    Unified,
    /// `*** Begin Patch`.
    Envelope,
}

/// What is to happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// It is not there yet.
    Create,
    /// It goes.
    Delete,
    /// It stays where it is.
    Modify,
    /// It goes to another path, changed or not.
    Rename,
    /// It stays, and a second one is made from it, changed or not: a creation whose base is the old path's content.
    Copy,
}

/// How a patch speaks of binary content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryPatch {
    /// It says that the files differ, no more.
    Differ,
    /// It holds the bytes, compressed (`GIT binary patch`). They are not decoded here.
    Encoded,
}

impl FilePatch<'_> {
    /// The path that the file has in the end; that which it had, if it goes.
    pub fn path(&self) -> &[u8] {
        self.new_path.as_deref().or(self.old_path.as_deref()).unwrap_or_default()
    }

    /// How many lines its hunks add and remove.
    pub fn counts(&self) -> crate::LineCounts {
        let mut counts = crate::LineCounts::default();
        for hunk in &self.hunks {
            counts.added = counts.added.saturating_add(hunk.added());
            counts.removed = counts.removed.saturating_add(hunk.removed());
        }
        counts
    }
}
