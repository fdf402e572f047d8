//! The contract of `Workspace`, and an oracle that shares no code with any implementation.

mod contract;
mod oracle;
mod play;

pub use contract::{Factory, Fixture, contract};
pub use oracle::{Node, Snapshot, fold, unfold, walk};
pub use play::{Act, Call, Played, act, play};
