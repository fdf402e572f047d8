//! The file-system side of cleveragents: private copies of a project, and the step that changes the project. Layer 3.
//!
//! The nouns:
//!
//! - [`CopyWorkspace`]: a private copy in which calls act. It knows what really changed, whatever made the change: it
//!   compares the tree with what it knew, never a tool's name with a list.
//! - [`DirectoryTarget`]: the real project. It compares before it writes, writes everything or nothing, and finishes
//!   a write that was cut short.
//! - [`StateHome`]: the folder outside every project where journals and sandboxes are.
//!
//! What this crate does not do: it decides nothing about plans, never reads or writes the user's `.git` except for
//! copying it into a sandbox, never follows a link out of a root, and never runs a program.
//!
//! `.git`, in any spelling of case and at any depth, is not listed, not captured, not written and not applied.
//!
//! ```
//! use cleveragents_runtime::{Workspace, WriteMode, domain::RelPath};
//! use cleveragents_workspace::CopyWorkspace;
//!
//! # let dir = tempfile::tempdir().unwrap();
//! # let (project, sandbox) = (dir.path().join("project"), dir.path().join("sandbox"));
//! # std::fs::create_dir(&project).unwrap();
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let workspace = CopyWorkspace::open(&project, &sandbox)?;
//! let attempt = workspace.begin().await?;
//! let path = RelPath::from_text("notes/today.txt").unwrap();
//! attempt.files().write(&path, b"hello\n", None, WriteMode::CreateNew).unwrap();
//! let capture = attempt.capture().await?;
//! assert_eq!(capture.effects.len(), 2); // the directory and the file
//! attempt.keep().await?;
//! workspace.close().await?;
//! # Ok::<(), cleveragents_runtime::WorkspaceError>(())
//! # }).unwrap();
//! ```

mod beneath;
mod copy;
mod error;
mod lock;
mod project;
mod root;
mod target;
mod work;

pub use copy::{CopyWorkspace, remove_sandbox};
pub use project::{ProjectState, StateHome};
pub use root::check_root;
pub use target::{DirectoryTarget, Fate, StepObserver};
