//! The files of a workspace, as tools see them.

use std::sync::Arc;

use thiserror::Error;

use cleveragents_domain::{NodeKind, RelPath};

/// What stands at a path, without its content's hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInfo {
    /// The kind.
    pub kind: NodeKind,
    /// Permission bits, `0o7777` at most.
    pub mode: u32,
    /// Bytes of content.
    pub size: u64,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// Its path below the root.
    pub path: RelPath,
    /// Its kind.
    pub kind: NodeKind,
}

/// What a write does with what stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// Refuse when anything stands there.
    CreateNew,
    /// Create, or replace a file's content and keep its mode.
    CreateOrReplace,
}

/// Why a file operation was refused or failed. Nothing was changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// Nothing stands there.
    #[error("{0}: no such file or directory")]
    NotFound(RelPath),
    /// Something stands there already.
    #[error("{0}: already exists")]
    Exists(RelPath),
    /// Another kind of node is needed.
    #[error("{path}: is a {found}, not a {needed}")]
    WrongKind {
        /// The path.
        path: RelPath,
        /// What it is.
        found: &'static str,
        /// What the operation needs.
        needed: &'static str,
    },
    /// The directory holds something.
    #[error("{0}: the directory is not empty; say recursive to delete what it holds")]
    NotEmpty(RelPath),
    /// The path leads out of the project, by a link.
    #[error("{path}: leads out of the project through a symbolic link")]
    Escapes {
        /// The path.
        path: RelPath,
    },
    /// The path is protected: `.git`, in any spelling of case, at any depth.
    #[error("{0}: is protected: nothing may be written inside .git")]
    Protected(RelPath),
    /// The call may not write: its phase is read-only, or its tool has no write capability.
    #[error("{0}: this call may only read")]
    ReadOnly(RelPath),
    /// The call that these files were given to has ended.
    #[error("the call that this handle belonged to has ended")]
    Ended,
    /// The file system said no.
    #[error("{path}: {source}")]
    Io {
        /// The path.
        path: RelPath,
        /// Its words.
        source: std::io::Error,
    },
}

/// File operations beneath a workspace's root. Blocking, and brief.
///
/// What an implementer promises:
///
/// - Every operation resolves beneath the root at the time it acts, with directory handles: neither `..`, an absolute
///   path nor a link leads out. Links in the middle of a path, and a link at its end for `read` and `write`, are
///   followed as long as they stay inside; the node at the end of the links is what changes. `remove`, `rename`,
///   `info` and `read_link` act on the link itself.
/// - Writing inside `.git`, at any depth and in any spelling of case, is [`FileError::Protected`].
/// - A failed operation changes nothing.
pub trait Files: Send + Sync {
    /// What stands at a path, links not followed; `None` when nothing does.
    fn info(&self, path: &RelPath) -> Result<Option<FileInfo>, FileError>;
    /// At most `limit` bytes of a file's content from byte `offset` on.
    fn read(&self, path: &RelPath, offset: u64, limit: u64) -> Result<Vec<u8>, FileError>;
    /// The target of a symlink.
    fn read_link(&self, path: &RelPath) -> Result<Vec<u8>, FileError>;
    /// The names in a directory, sorted; `None` is the root.
    fn list(&self, path: Option<&RelPath>) -> Result<Vec<DirEntry>, FileError>;
    /// Writes a file whole. Missing directories above it are made. `permissions` of `None` keeps a replaced file's
    /// mode, and gives a new file the usual one.
    fn write(
        &self,
        path: &RelPath,
        content: &[u8],
        permissions: Option<u32>,
        mode: WriteMode,
    ) -> Result<(), FileError>;
    /// Removes a file, a link, or a directory (with all it holds when `recursive`).
    fn remove(&self, path: &RelPath, recursive: bool) -> Result<(), FileError>;
    /// Moves a node with all below it. Missing directories above `to` are made. When `to` exists it is replaced only
    /// if `overwrite` says so and both are files or links.
    fn rename(&self, from: &RelPath, to: &RelPath, overwrite: bool) -> Result<(), FileError>;
    /// Makes a directory and those above it; fine when it is there already.
    fn create_dir(&self, path: &RelPath) -> Result<(), FileError>;
    /// Makes a symlink; refuses when anything stands there. The target may be any bytes.
    fn create_symlink(&self, path: &RelPath, target: &[u8]) -> Result<(), FileError>;
    /// Sets the permission bits of a file or directory.
    fn set_mode(&self, path: &RelPath, mode: u32) -> Result<(), FileError>;
}

/// The same files without any way to change them: what a read-only phase or tool is given.
pub struct ReadOnlyFiles(pub Arc<dyn Files>);

impl Files for ReadOnlyFiles {
    fn info(&self, path: &RelPath) -> Result<Option<FileInfo>, FileError> {
        self.0.info(path)
    }
    fn read(&self, path: &RelPath, offset: u64, limit: u64) -> Result<Vec<u8>, FileError> {
        self.0.read(path, offset, limit)
    }
    fn read_link(&self, path: &RelPath) -> Result<Vec<u8>, FileError> {
        self.0.read_link(path)
    }
    fn list(&self, path: Option<&RelPath>) -> Result<Vec<DirEntry>, FileError> {
        self.0.list(path)
    }
    fn write(&self, path: &RelPath, _: &[u8], _: Option<u32>, _: WriteMode) -> Result<(), FileError> {
        Err(FileError::ReadOnly(path.clone()))
    }
    fn remove(&self, path: &RelPath, _: bool) -> Result<(), FileError> {
        Err(FileError::ReadOnly(path.clone()))
    }
    fn rename(&self, from: &RelPath, _: &RelPath, _: bool) -> Result<(), FileError> {
        Err(FileError::ReadOnly(from.clone()))
    }
    fn create_dir(&self, path: &RelPath) -> Result<(), FileError> {
        Err(FileError::ReadOnly(path.clone()))
    }
    fn create_symlink(&self, path: &RelPath, _: &[u8]) -> Result<(), FileError> {
        Err(FileError::ReadOnly(path.clone()))
    }
    fn set_mode(&self, path: &RelPath, _: u32) -> Result<(), FileError> {
        Err(FileError::ReadOnly(path.clone()))
    }
}
