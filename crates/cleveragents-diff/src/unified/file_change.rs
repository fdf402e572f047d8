//! What a patch is written from: one path, and what stood and stands there.

use crate::is_binary;

/// One path and its two states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileChange<'a> {
    /// Relative to the root, separated by `/`; any bytes but NUL.
    pub path: &'a [u8],
    /// What stood there; `None` if nothing did.
    pub before: Option<Side<'a>>,
    /// What stands there now; `None` if nothing does.
    pub after: Option<Side<'a>>,
}

/// Where a file came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rename<'a> {
    /// The path where it was.
    pub from: &'a [u8],
    /// How alike the two contents are, out of a hundred; [`find_renames`](crate::find_renames) tells.
    pub similarity: u8,
}

/// One state of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side<'a> {
    /// What sort of thing it is.
    pub kind: SideKind,
    /// Permission bits; anything beyond `0o7777` is ignored, and for a link all of them are.
    pub mode: u32,
    /// What is in it.
    pub content: Content<'a>,
}

/// What sort of thing stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SideKind {
    /// A regular file.
    File,
    /// A symbolic link; its content is where it points.
    Symlink,
    /// A directory, named by itself: what is in it are changes of their own.
    Directory,
    /// A socket, a pipe or a device.
    Special,
}

/// What is in a file or link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// All of it.
    Bytes(&'a [u8]),
    /// Its size only: it is too large to load.
    Summary {
        /// In bytes.
        size: u64,
    },
    /// There is none (directories), or it is not known.
    None,
}

impl<'a> Side<'a> {
    /// A regular file.
    pub fn file(mode: u32, content: &'a [u8]) -> Self {
        Self { kind: SideKind::File, mode, content: Content::Bytes(content) }
    }

    /// A symbolic link that points to `target`.
    pub fn symlink(target: &'a [u8]) -> Self {
        Self { kind: SideKind::Symlink, mode: 0o777, content: Content::Bytes(target) }
    }

    /// A directory.
    pub fn directory(mode: u32) -> Self {
        Self { kind: SideKind::Directory, mode, content: Content::None }
    }

    pub(super) fn permissions(self) -> u32 {
        self.mode & 0o7777
    }

    pub(super) fn is_in_git(&self) -> bool {
        matches!(self.kind, SideKind::File | SideKind::Symlink)
    }

    pub(super) fn git_mode(self) -> u32 {
        match self.kind {
            SideKind::Symlink => 0o120_000,
            _ if self.mode & 0o100 != 0 => 0o100_755,
            _ => 0o100_644,
        }
    }

    /// Whether git's mode says all there is to say.
    pub(super) fn is_git_mode(self) -> bool {
        self.kind == SideKind::Symlink || self.permissions() == self.git_mode() & 0o777
    }

    pub(super) fn bytes(self) -> Option<&'a [u8]> {
        match self.content {
            Content::Bytes(bytes) => Some(bytes),
            Content::Summary { .. } | Content::None => None,
        }
    }

    pub(super) fn text(self) -> Option<&'a [u8]> {
        self.bytes().filter(|bytes| !is_binary(bytes))
    }

    /// Whether there is content that was not given, so that two equal sides may differ all the same.
    pub(super) fn is_unseen(self) -> bool {
        self.is_in_git() && self.bytes().is_none()
    }
}
