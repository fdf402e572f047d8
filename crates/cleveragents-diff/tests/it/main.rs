//! Laws of the whole crate, checked from outside.

mod bounded;
mod git_apply;
