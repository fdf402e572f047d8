//! The net effect of many entries: one change per path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ChangeEntry, NodeState, Operation, RelPath};
use crate::RootId;

/// What a whole changeset does to one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetChange {
    /// Which bound resource.
    pub root: RootId,
    /// The path below it.
    pub path: RelPath,
    /// The state that must stand there now.
    pub before: Option<NodeState>,
    /// The state that shall stand there.
    pub after: Option<NodeState>,
}

impl NetChange {
    /// The change that takes this one back.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            root: self.root.clone(),
            path: self.path.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }

    /// What it does.
    pub fn operation(&self) -> Option<Operation> {
        Operation::between(self.before.as_ref(), self.after.as_ref())
    }
}

/// Folds entries into one change per path, sorted by root and path; paths that end as they began are left out.
pub fn net_changes<'a>(entries: impl IntoIterator<Item = &'a ChangeEntry>) -> Vec<NetChange> {
    type Sides<'a> = (&'a Option<NodeState>, &'a Option<NodeState>);
    let mut paths: BTreeMap<(&RootId, &RelPath), Sides<'_>> = BTreeMap::new();
    for entry in entries {
        paths
            .entry((&entry.root, &entry.path))
            .and_modify(|(_, after)| *after = &entry.after)
            .or_insert((&entry.before, &entry.after));
    }
    paths
        .into_iter()
        .filter(|(_, (before, after))| before != after)
        .map(|((root, path), (before, after))| NetChange {
            root: root.clone(),
            path: path.clone(),
            before: before.clone(),
            after: after.clone(),
        })
        .collect()
}
