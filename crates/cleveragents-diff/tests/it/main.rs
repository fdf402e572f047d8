//! Laws of the whole crate, checked from outside.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bounded;
mod damage;
mod edit;
mod git;
mod git_apply;
mod git_diffs;
mod hostile;
mod merge;
mod patch;
mod random;
mod reproduce;
mod stat;
