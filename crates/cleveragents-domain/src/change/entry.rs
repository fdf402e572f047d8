//! One recorded change.

use serde::{Deserialize, Serialize};

use super::{NodeKind, NodeState, Operation, RelPath};
use crate::{ChangeSetId, DecisionId, EntryId, RootId, Timestamp, ToolCallId, ValidationError};

/// Who made a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attribution {
    /// This tool call.
    ToolCall(ToolCallId),
    /// Nobody's call: shown as such, never applied or reverted as if it were ours.
    Outside,
    /// A merge that was asked for.
    Merge,
}

/// Lines of text that a change added and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LineCounts {
    /// Lines only in the new content.
    pub added: u32,
    /// Lines only in the old content.
    pub removed: u32,
}

/// One change of one path, as its author states it. The journal wraps it with a sequence and a digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeEntry {
    /// Its own id.
    pub id: EntryId,
    /// The changeset it belongs to.
    pub changeset_id: ChangeSetId,
    /// Which bound resource the path is relative to.
    pub root: RootId,
    /// The decision that the call served.
    pub decision_id: DecisionId,
    /// The call that made the change.
    pub attribution: Attribution,
    /// The path below the root.
    pub path: RelPath,
    /// What stood there before this change; `None` is absent.
    pub before: Option<NodeState>,
    /// What stands there after it; `None` is absent.
    pub after: Option<NodeState>,
    /// Lines added and removed, for text files.
    pub lines: Option<LineCounts>,
    /// When it was recorded.
    pub recorded_at: Timestamp,
}

impl ChangeEntry {
    /// Checks what no store may accept otherwise: the two states differ, modes are in range, and exactly files and
    /// symlinks have a content hash.
    pub fn validate(&self) -> Result<(), ValidationError> {
        if Operation::between(self.before.as_ref(), self.after.as_ref()).is_none() {
            return Err(ValidationError::new("after", "is the same as `before`: nothing changed"));
        }
        for (field, state) in [("before", &self.before), ("after", &self.after)] {
            let Some(state) = state else { continue };
            if state.mode > 0o7777 {
                return Err(ValidationError::new(format!("{field}.mode"), "must be at most 0o7777"));
            }
            let hashed = matches!(state.kind, NodeKind::File | NodeKind::Symlink);
            if state.content.is_some() != hashed {
                let problem = "is required for files and symlinks, and only for them";
                return Err(ValidationError::new(format!("{field}.content"), problem));
            }
        }
        Ok(())
    }

    /// What the change did. `None` only for an entry that [`ChangeEntry::validate`] refuses.
    pub fn operation(&self) -> Option<Operation> {
        Operation::between(self.before.as_ref(), self.after.as_ref())
    }
}
