//! Why a patch could not be read.

use crate::excerpt::excerpt;

/// Why [`Patch::parse`](crate::Patch::parse) gave nothing. The text is written for whoever made the patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
#[non_exhaustive]
pub struct PatchError {
    /// The line of the patch, from one.
    pub line: u32,
    /// What is wrong with it.
    pub kind: PatchErrorKind,
}

/// What is wrong with a patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchErrorKind {
    /// It is longer than [`PATCH_LIMIT`](crate::PATCH_LIMIT).
    #[error("the patch is longer than {limit} bytes; split it")]
    TooLong {
        /// In bytes.
        limit: usize,
    },
    /// It has more files than [`PATCH_FILE_LIMIT`](crate::PATCH_FILE_LIMIT).
    #[error("the patch has more than {limit} files; split it")]
    TooManyFiles {
        /// How many are read.
        limit: usize,
    },
    /// It has more hunks than [`PATCH_HUNK_LIMIT`](crate::PATCH_HUNK_LIMIT).
    #[error("the patch has more than {limit} hunks; split it")]
    TooManyHunks {
        /// How many are read.
        limit: usize,
    },
    /// There is no file in it.
    #[error(
        "no file is named; begin with '*** Begin Patch', with 'diff --git' or with '---' and '+++' lines"
    )]
    NoFile,
    /// A hunk stands in front of the first file.
    #[error("a hunk without a file; put '--- a/PATH' and '+++ b/PATH' in front of it")]
    HunkWithoutFile,
    /// A merge's diff, with more than one old side.
    #[error("a combined diff of a merge cannot be applied; make one against a single parent")]
    Combined,
    /// `Binary files … differ` where no header names the file.
    #[error("the patch says that binary files differ, but does not hold their bytes")]
    BinaryWithoutHeader,
    /// The two lines `---` and `+++` must follow one another.
    #[error("a line '+++ PATH' must follow the '--- PATH' line")]
    NoNewName,
    /// A name that is empty, not closed by its quote, or holds a NUL byte.
    #[error("not a file name: {}", excerpt(name))]
    BadName {
        /// As it stands there.
        name: Vec<u8>,
    },
    /// `diff --git` with names that differ, or that cannot be told apart, and no other line that names the file.
    #[error("the 'diff --git' line does not say which file is meant, and no other line does")]
    UnclearName,
    /// The header lines name different files.
    #[error("the header names different files: {} and {}", excerpt(one), excerpt(other))]
    DifferentNames {
        /// In the `diff --git` line.
        one: Vec<u8>,
        /// In the line at hand.
        other: Vec<u8>,
    },
    /// Both sides are `/dev/null`.
    #[error("both sides are /dev/null")]
    NoSide,
    /// A mode that is no octal number.
    #[error("not a file mode: {}", excerpt(text))]
    BadMode {
        /// As it stands there.
        text: Vec<u8>,
    },
    /// A hunk header that is not `@@ -LINE,COUNT +LINE,COUNT @@`.
    #[error("not a hunk header: {}; write '@@ -LINE,COUNT +LINE,COUNT @@'", excerpt(text))]
    BadHunkHeader {
        /// As it stands there.
        text: Vec<u8>,
    },
    /// A line in a hunk that is no hunk line, where the hunk is not over.
    #[error("a hunk line begins with neither ' ', '-', '+' nor '\\': {}", excerpt(text))]
    BadHunkLine {
        /// As it stands there.
        text: Vec<u8>,
    },
    /// A hunk without a line.
    #[error("the hunk is empty")]
    EmptyHunk,
    /// A line behind the one that `\ No newline at end of file` calls the last.
    #[error("a line follows the one that has no newline because it ends the file")]
    LineAfterEnd,
    /// A line of the envelope form that is none of its headers.
    #[error(
        "not a line of the '*** Begin Patch' form: {}; write '*** Add File: PATH', '*** Update File: PATH', \
         '*** Delete File: PATH' or '*** End Patch'",
        excerpt(text)
    )]
    BadEnvelopeLine {
        /// As it stands there.
        text: Vec<u8>,
    },
    /// The envelope does not end.
    #[error("'*** End Patch' is missing: the patch may be cut off")]
    NoEnd,
    /// Something stands behind the envelope.
    #[error("text behind '*** End Patch': {}", excerpt(text))]
    TextAfterEnd {
        /// As it stands there.
        text: Vec<u8>,
    },
    /// An update of nothing.
    #[error("the update has no hunk; leave it out, or add '*** Move to: PATH' or a hunk")]
    EmptyUpdate,
}

impl PatchErrorKind {
    pub(super) fn at(self, line: u32) -> PatchError {
        PatchError { line, kind: self }
    }
}
