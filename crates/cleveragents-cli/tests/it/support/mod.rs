//! What the tests share: a place of one's own, the binary, the oracle.

mod case;
mod flag;
mod plan;
mod ran;
mod tree;

pub(crate) use case::Case;
pub(crate) use flag::{Flag, Running, processes_naming, wait_until};
pub(crate) use plan::{delete, edit, moved, plan, shell, write};
pub(crate) use ran::Ran;
pub(crate) use tree::{Node, Tree, assert_same, copy_tree, stamps, tree};
