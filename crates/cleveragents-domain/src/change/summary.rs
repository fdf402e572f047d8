//! Counts over a changeset.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ChangeEntry, ToolInvocation};

/// What a changeset holds, in numbers. Zero is shown as zero.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Entries in all.
    pub entries: u64,
    /// Entries by operation name.
    pub operations: BTreeMap<String, u64>,
    /// Entries that nobody's call made.
    pub outside: u64,
    /// Different paths touched.
    pub paths: u64,
    /// Lines added over all text entries.
    pub lines_added: u64,
    /// Lines removed over all text entries.
    pub lines_removed: u64,
    /// Bytes of content in all `after` states.
    pub bytes: u64,
    /// Calls by tool, then by outcome.
    pub invocations: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Summary {
    /// Counts one entry, all but its path.
    pub(crate) fn add_entry(&mut self, entry: &ChangeEntry) {
        self.entries += 1;
        if let Some(operation) = entry.operation() {
            *self.operations.entry(operation.as_str().to_owned()).or_default() += 1;
        }
        self.outside += u64::from(entry.attribution == super::Attribution::Outside);
        if let Some(lines) = entry.lines {
            self.lines_added += u64::from(lines.added);
            self.lines_removed += u64::from(lines.removed);
        }
        self.bytes += entry.after.as_ref().map_or(0, |state| state.size);
    }

    /// Counts one call.
    pub(crate) fn add_invocation(&mut self, invocation: &ToolInvocation) {
        let outcomes = self.invocations.entry(invocation.tool.clone()).or_default();
        *outcomes.entry(invocation.outcome.as_str().to_owned()).or_default() += 1;
    }

    /// Calls in all.
    pub fn invocation_count(&self) -> u64 {
        self.invocations.values().flat_map(BTreeMap::values).sum()
    }
}
