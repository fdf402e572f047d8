//! The built-in tools, driven through the real runner.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod confined;
mod delete_path;
mod edit_file;
mod environment;
mod move_path;
mod read_file;
mod refusal;
mod shell;
mod support;
mod write_file;
