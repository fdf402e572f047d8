//! The Workspace port: a private copy in which calls act, and which knows what they did.

mod effect;
mod files;
mod target;

pub use effect::{ChangeSetCapture, Content, Effect, Source};
pub use files::{DirEntry, FileError, FileInfo, Files, ReadOnlyFiles, WriteMode};
pub use target::{Check, Target, TargetError};

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;

use cleveragents_domain::{Blobs, NodeState, RelPath, RootId};

/// Why a workspace failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// An attempt was dropped without an end; call [`Workspace::restore`] first.
    #[error("the sandbox holds an unfinished call: it must be restored first")]
    Unsettled,
    /// The sandbox is damaged or gone.
    #[error("the sandbox cannot be used: {0}")]
    Damaged(String),
    /// The root may not be used.
    #[error("{0}")]
    Refused(String),
    /// Content that is needed is not stored.
    #[error("content is missing")]
    Blob(#[from] cleveragents_domain::BlobError),
    /// The file system failed.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: String,
        /// What the file system said.
        source: std::io::Error,
    },
}

/// What a workspace is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceInfo {
    /// `copy`, `overlay` or `none`.
    pub strategy: &'static str,
    /// Where the private copy is, for display.
    pub location: PathBuf,
    /// Why another strategy was not used, when one was wanted.
    pub fallback: Option<String>,
}

/// Where a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandRoot {
    /// The private copy.
    pub sandbox: PathBuf,
    /// The project's usual absolute path, at which a confined command should see the copy.
    pub project: PathBuf,
    /// A lock file beside the private copy. A tool that starts a command makes the command inherit an open handle of it
    /// with a shared `flock` on it (and without close-on-exec), and closes its own once the command runs. The lock then
    /// lasts as long as anything of the command lives, whatever becomes of the process that started it, and a later
    /// process can tell that the copy may still be written. `None` when nobody will ask.
    pub alive: Option<PathBuf>,
}

/// A private copy of one bound resource.
///
/// What an implementer promises, and the contract suite of the testkit checks:
///
/// - One attempt at a time: `begin` waits for the one before it.
/// - After `keep` or `discard`, the tree equals the base with every kept effect folded over it (law L1), files, links,
///   directories, modes and bytes. `.git` is private and is never part of an effect.
/// - An attempt that is dropped without an end leaves the workspace unsettled: `begin` fails until `restore` ran.
#[async_trait]
pub trait Workspace: Send + Sync {
    /// What it is.
    fn info(&self) -> WorkspaceInfo;
    /// Starts an attempt.
    async fn begin(&self) -> Result<Box<dyn Attempt>, WorkspaceError>;
    /// Looks at the whole tree and reports what nobody's attempt did. What it reports is part of the tree from then on.
    async fn sweep(&self) -> Result<Vec<Effect>, WorkspaceError>;
    /// Brings the tree to the base with `states` over it, whatever stands there now, and returns the paths that had to
    /// be changed. Used to settle an unfinished call and to go on in a new process.
    async fn restore(
        &self,
        states: &[(RelPath, Option<NodeState>)],
        blobs: Arc<dyn Blobs>,
    ) -> Result<Vec<RelPath>, WorkspaceError>;
    /// Removes the private copy. The workspace cannot be used afterwards.
    async fn close(&self) -> Result<(), WorkspaceError>;
}

/// A resource that a plan is bound to, under the name that its entries use.
#[derive(Clone)]
pub struct BoundResource {
    /// The name.
    pub root: RootId,
    /// Its private copy.
    pub workspace: Arc<dyn Workspace>,
}

impl std::fmt::Debug for BoundResource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundResource")
            .field("root", &self.root)
            .field("info", &self.workspace.info())
            .finish()
    }
}

/// One call's turn in a workspace: act, capture, then keep or discard.
///
/// After its end, and after it is dropped, the files it gave out refuse everything with [`FileError::Ended`].
#[async_trait]
pub trait Attempt: Send + Sync {
    /// The files, writable.
    fn files(&self) -> Arc<dyn Files>;
    /// Where a command may run. Asking for it makes `capture` look at the whole tree.
    fn command_root(&self) -> Result<CommandRoot, WorkspaceError>;
    /// Says that a command ran that may have left processes behind: later attempts check for their traces first.
    fn distrust(&self);
    /// What really changed since the attempt began.
    async fn capture(&self) -> Result<ChangeSetCapture, WorkspaceError>;
    /// Ends the attempt: what was captured is part of the tree from now on. Call it after the record is committed.
    async fn keep(&self) -> Result<(), WorkspaceError>;
    /// Ends the attempt: what was captured is taken back, `outside` effects apart.
    async fn discard(&self) -> Result<(), WorkspaceError>;
}
