//! Tools, the one gate every call passes, and the workspace and target ports. Layer 1.
//!
//! A decision asks for a tool call. [`ToolRunner`] looks the [`Tool`] up in its [`ToolRegistry`], checks the input
//! against the tool's schema, and asks the gate: lists, capability and phase, limits, approval. Then the intent is
//! recorded, the tool acts through its [`ToolContext`], and the [`Workspace`] says what *really* changed, whatever the
//! tool claims. The outcome is recorded with those changes before anybody is told of it.
//!
//! What this crate does not do: it knows no plan life cycle (the application does), no file system (adapters implement
//! [`Workspace`] and [`Target`]), and no concrete tool.
//!
//! ```
//! use cleveragents_runtime::{ToolRegistry, ToolRunner};
//!
//! let runner = ToolRunner::new(ToolRegistry::new());
//! assert!(runner.registry().is_empty());
//! ```

mod clock;
mod runner;
mod tool;
mod workspace;

pub use clock::SystemClock;
pub use runner::{
    Approval, ApprovalRequest, Approver, CallLog, CallReport, Finished, LogError, NoApprover, NoLog,
    OnFailure, Refusal, RunnerError, Scope, ToolRunner, Usage,
};
pub use tool::{
    Capabilities, RegistryError, Tool, ToolContext, ToolError, ToolOutput, ToolRegistry, ToolSpec, input_path,
};
pub use workspace::{
    Attempt, BoundResource, ChangeSetCapture, Check, CommandRoot, Content, DirEntry, Effect, FileError,
    FileInfo, Files, ReadOnlyFiles, Source, Target, TargetError, Workspace, WorkspaceError, WorkspaceInfo,
    WriteMode,
};

/// The layer below, for adapters: they name one inner crate.
pub use cleveragents_diff as diff;
pub use cleveragents_domain as domain;
pub use tokio_util::sync::CancellationToken;
