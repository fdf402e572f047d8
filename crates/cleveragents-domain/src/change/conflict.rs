//! A path whose present state is not the one that was recorded.

use serde::{Deserialize, Serialize};

use super::{NodeState, RelPath};
use crate::RootId;

/// Why one path cannot be written. While there is one, nothing at all is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Which bound resource.
    pub root: RootId,
    /// The path below it.
    pub path: RelPath,
    /// What should stand there; `None` is absent.
    pub expected: Option<NodeState>,
    /// What stands there; `None` is absent.
    pub found: Option<NodeState>,
    /// In words, for a person.
    pub reason: String,
}
