//! The strategy `copy`: a whole private copy, an index of its metadata, and packs of its contents.

mod attempt;
mod files;
mod git;
mod index;
mod look;
mod manifest;
mod open;
mod pack;
mod sandbox;
mod settle;
mod tree;
mod workspace;
mod write;

pub use sandbox::remove as remove_sandbox;
pub use workspace::CopyWorkspace;
pub(crate) use workspace::{Core, blocking};
