//! The built-in tools: five for files, and a shell. Layer 3.
//!
//! [`builtin`] gives a registry with all of them:
//!
//! | tool | input |
//! |---|---|
//! | `read_file` | `path`, `offset?`, `limit?` (lines) |
//! | `write_file` | `path`, `content` or `content_base64`, `executable?`, `create_only?` |
//! | `edit_file` | `path`, `edits: [{old, new, all?}]` |
//! | `delete_path` | `path`, `recursive?` |
//! | `move_path` | `from`, `to`, `overwrite?` |
//! | `shell` | `command` or `argv`, `cwd?`, `timeout?`, `env?`, `network?` |
//!
//! The file tools act through the workspace's handle and keep every byte they were not asked to change. The shell runs
//! a command in a sandbox of its own when the machine offers one: [`Confinement`] finds out by trying. Where it does
//! not, a call needs the `unsafe` gate too.
//!
//! What this crate does not do: it decides nothing about policy and records nothing (the runner does both), it opens no
//! file by itself (only a command does), and it looks at no command's text: a rule about words is no boundary, the
//! sandbox is.
//!
//! ```
//! use cleveragents_tools::{Confinement, builtin};
//!
//! let tools = builtin(Confinement::Unconfined { reason: "this is an example".to_owned() })?;
//! assert_eq!(tools.len(), 6);
//! # Ok::<(), cleveragents_runtime::RegistryError>(())
//! ```

mod delete_path;
mod edit_file;
mod input;
mod link;
mod move_path;
mod read_file;
mod shell;
mod write_file;

pub use shell::Confinement;

use std::sync::Arc;

use cleveragents_runtime::{RegistryError, ToolRegistry};

/// A registry with every built-in tool; commands run as `confinement` says.
pub fn builtin(confinement: Confinement) -> Result<ToolRegistry, RegistryError> {
    let mut tools = ToolRegistry::new();
    tools.register(Arc::new(read_file::ReadFile::new()))?;
    tools.register(Arc::new(write_file::WriteFile::new()))?;
    tools.register(Arc::new(edit_file::EditFile::new()))?;
    tools.register(Arc::new(delete_path::DeletePath::new()))?;
    tools.register(Arc::new(move_path::MovePath::new()))?;
    tools.register(Arc::new(shell::Shell::new(confinement)))?;
    Ok(tools)
}

/// The same, with the best confinement that this machine offers. Starts a process to find out, and blocks meanwhile.
pub fn builtin_tools() -> Result<ToolRegistry, RegistryError> {
    builtin(Confinement::probe())
}
