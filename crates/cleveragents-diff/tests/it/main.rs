//! Laws of the whole crate, checked from outside.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bounded;
mod edit;
mod git_apply;
