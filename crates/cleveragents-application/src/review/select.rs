//! Parts of a changeset: what some calls or decisions did, at some paths.

use cleveragents_domain::{
    Attribution, ChangeEntry, DecisionId, NetChange, RelPath, SpecChangeSet, ToolCallId, net_changes,
};

/// Which part of a changeset is meant. An empty list means all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// What these calls did.
    pub calls: Vec<ToolCallId>,
    /// What the calls of these decisions did.
    pub decisions: Vec<DecisionId>,
    /// At these paths, or below them.
    pub paths: Vec<RelPath>,
}

impl Selection {
    /// The net changes of the part. What nobody's call did is never in it.
    ///
    /// A part that leaves out calls in the middle shows each path from its first `before` to its last `after` within
    /// the part.
    pub fn of(&self, set: &SpecChangeSet) -> Vec<NetChange> {
        net_changes(set.entries().iter().filter(|entry| self.holds(entry)))
    }

    fn holds(&self, entry: &ChangeEntry) -> bool {
        let by_call = match entry.attribution {
            Attribution::Outside => return false,
            Attribution::ToolCall(id) => self.calls.is_empty() || self.calls.contains(&id),
            Attribution::Merge => self.calls.is_empty(),
        };
        by_call
            && (self.decisions.is_empty() || self.decisions.contains(&entry.decision_id))
            && (self.paths.is_empty() || self.paths.iter().any(|path| entry.path.starts_with(path)))
    }
}
