//! Changes: paths, states, entries, changesets and their store.

mod conflict;
mod digest;
mod entry;
mod invocation;
mod net;
mod node;
mod path;
mod set;
mod store;
mod summary;

pub use conflict::Conflict;
pub use digest::{Digest, DigestBuilder};
pub use entry::{Attribution, ChangeEntry, LineCounts};
pub use invocation::{CallOutcome, ToolInvocation};
pub use net::{NetChange, net_changes};
pub use node::{NodeKind, NodeState, Operation};
pub use path::RelPath;
pub use set::SpecChangeSet;
pub use store::{ChangeSetStore, ChangeSetStoreError, InMemoryChangeSetStore};
pub use summary::Summary;
