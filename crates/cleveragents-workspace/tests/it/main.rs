//! The workspace and the target against the laws, over real directories.
// All of this is test code; clippy only knows the functions that bear the attribute.
#![allow(clippy::unwrap_used)]

mod alive;
mod cost;
mod fixture;
mod git;
mod law;
mod place;
mod reopen;
mod tamper;
mod target;
mod transition;
mod user;
