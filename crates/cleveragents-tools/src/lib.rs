//! The built-in tools: for files, for looking around, and a shell. Layer 3.
//!
//! [`builtin`] gives a registry with all of them:
//!
//! | tool | input |
//! |---|---|
//! | `read_file` | `path`, `offset?`, `limit?` (lines) |
//! | `write_file` | `path`, `content` or `content_base64`, `executable?`, `create_only?` |
//! | `edit_file` | `path`, `edits: [{old, new, all?}]` |
//! | `apply_patch` | `patch` (a unified diff, or the `*** Begin Patch` form) |
//! | `delete_path` | `path`, `recursive?` |
//! | `move_path` | `from`, `to`, `overwrite?` |
//! | `create_dir` | `path` |
//! | `create_symlink` | `path`, `target` |
//! | `set_mode` | `path`, `mode` (octal text) |
//! | `list_dir` | `path?`, `depth?` |
//! | `glob` | `pattern` |
//! | `search` | `pattern` (a regular expression), `path?`, `glob?` |
//! | `shell` | `command` or `argv`, `cwd?`, `timeout?`, `env?`, `network?` |
//!
//! The file tools act through the workspace's handle and keep every byte they were not asked to change. `read_file`,
//! `list_dir`, `glob` and `search` are read-only: they need no gate. What they return is bounded, and says when there is
//! more; a walk shows hidden files, never `.git`, does not go through links, and stops when the call must. The shell runs
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
//! assert!(tools.spec("search").is_some_and(|spec| spec.capabilities.read_only));
//! # Ok::<(), cleveragents_runtime::RegistryError>(())
//! ```

mod apply_patch;
mod create_dir;
mod create_symlink;
mod delete_path;
mod edit_file;
mod glob;
mod input;
mod items;
mod link;
mod list_dir;
mod move_path;
mod pace;
mod pattern;
mod read_file;
mod search;
mod set_mode;
mod shell;
mod start;
mod walk;
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
    tools.register(Arc::new(apply_patch::ApplyPatch::new()))?;
    tools.register(Arc::new(delete_path::DeletePath::new()))?;
    tools.register(Arc::new(move_path::MovePath::new()))?;
    tools.register(Arc::new(create_dir::CreateDir::new()))?;
    tools.register(Arc::new(create_symlink::CreateSymlink::new()))?;
    tools.register(Arc::new(set_mode::SetMode::new()))?;
    tools.register(Arc::new(list_dir::ListDir::new()))?;
    tools.register(Arc::new(glob::Glob::new()))?;
    tools.register(Arc::new(search::Search::new()))?;
    tools.register(Arc::new(shell::Shell::new(confinement)))?;
    Ok(tools)
}

/// The same, with the best confinement that this machine offers. Starts a process to find out, and blocks meanwhile.
pub fn builtin_tools() -> Result<ToolRegistry, RegistryError> {
    builtin(Confinement::probe())
}
