//! The built-in tools, driven through the real runner.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod apply_patch;
mod confined;
mod create_dir;
mod create_symlink;
mod delete_path;
mod edit_file;
mod environment;
mod glob;
mod list_dir;
mod move_path;
mod read_file;
mod refusal;
mod search;
mod set_mode;
mod shell;
mod support;
mod write_file;
