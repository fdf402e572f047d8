//! The Target port: the real project, which is written in one step.

use async_trait::async_trait;
use thiserror::Error;

use cleveragents_domain::{Blobs, Conflict, NetChange, RelPath};

/// Why the target could not be checked, written or read back.
///
/// What an error of [`Target::write`] says about the target:
///
/// - [`TargetError::Write`] says it itself, in `undone`.
/// - [`TargetError::Busy`]: this call did nothing. It says nothing about an earlier write that was cut short.
/// - Every other one, of a write with [`Check::Before`]: the target is wholly in its state before.
/// - Every other one, of a write with [`Check::BeforeOrAfter`]: this call did nothing, and the target is as an earlier
///   write that was cut short left it.
///
/// `check` and `read_back` change nothing, whatever they answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// Another process is writing this target. This call did nothing.
    #[error("another process is applying or rolling back changes in this project; try again when it is done")]
    Busy,
    /// A change that no target may take, such as a device node.
    #[error("{path}: {reason}")]
    Refused {
        /// The path.
        path: RelPath,
        /// Why.
        reason: String,
    },
    /// There is not enough room for the staged files. Nothing was written.
    #[error("not enough space in the project's file system: {needed} bytes needed, {free} free")]
    NoSpace {
        /// What staging needs.
        needed: u64,
        /// What is free.
        free: u64,
    },
    /// A write failed. With `undone` every path is in its state before. Without it that is not so, or not known: some
    /// paths may be before and some after, and a second write with [`Check::BeforeOrAfter`] goes on from there.
    #[error("{}: {source}{}", .path.as_ref().map_or_else(|| "the project".to_owned(), RelPath::to_text), if *.undone { "; everything was put back" } else { "; the project is half-way, run the command again" })]
    Write {
        /// Where.
        path: Option<RelPath>,
        /// What the file system said.
        source: std::io::Error,
        /// Whether the target is wholly in its state before.
        undone: bool,
    },
    /// Content that the changes need is not in the store. Nothing was written.
    #[error("content is missing: nothing was written")]
    Blob(#[from] cleveragents_domain::BlobError),
    /// Reading the target failed. Nothing was written.
    #[error("the project cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// The place where reviewed changes go. One root; the paths of all changes are relative to it.
///
/// What an implementer promises: `check` and `read_back` change nothing. `write` leaves the target wholly before or
/// wholly after when it returns. After a crash a second `write` with the same changes and token, and with
/// [`Check::BeforeOrAfter`], finishes the first: a path already in its `after` state is left as it is. With
/// [`Check::Before`] such a path was written by somebody else, and nothing is written. Each file changes in one atomic step; a concurrent reader may see
/// some files before and others after. When `write` returns `Ok` everything is durable.
#[async_trait]
pub trait Target: Send + Sync {
    /// Every path whose present state is not one that `check` accepts, and every change that cannot be written at all
    /// (a directory to be removed that holds what is not ours, a missing or non-directory parent, a path that this user
    /// may not read, a directory that it may not write).
    async fn check(&self, changes: &[NetChange], check: Check) -> Result<Vec<Conflict>, TargetError>;
    /// Stages, swaps and syncs. `token` names the temporary files, so that a later call can find them: a plan's ULID,
    /// with an `R` after it for the plan's rollback. Temporary files of the same plan, of either kind, are removed first,
    /// and nothing else. What an error says about the target: [`TargetError`].
    async fn write(
        &self,
        changes: &[NetChange],
        accept: Check,
        blobs: std::sync::Arc<dyn Blobs>,
        token: &str,
    ) -> Result<(), TargetError>;
    /// Reads every path back and reports each that does not hold its `after` state.
    async fn read_back(&self, changes: &[NetChange]) -> Result<Vec<Conflict>, TargetError>;
}

/// Which present states are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Only the state before: the first write.
    Before,
    /// The state before or the state after: going on with a write that was cut short.
    BeforeOrAfter,
}
