//! A changeset: ordered entries, the calls behind them, a seal.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    Attribution, ChangeEntry, Digest, DigestBuilder, NetChange, Summary, ToolInvocation, net_changes,
};
use crate::{ChangeSetId, EntryId, PlanId, Timestamp, ValidationError};

/// An ordered, append-only list of changes made for one plan.
///
/// The header is stored when the set is started, so an empty one survives a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecChangeSet {
    id: ChangeSetId,
    plan_id: PlanId,
    started_at: Timestamp,
    entries: Vec<ChangeEntry>,
    invocations: Vec<ToolInvocation>,
    seal: Option<Digest>,
    /// The greatest entry id so far, so that a new id is told from a repeated one without a scan.
    #[serde(skip)]
    greatest: Option<EntryId>,
}

impl SpecChangeSet {
    /// An empty changeset.
    pub fn new(id: ChangeSetId, plan_id: PlanId, started_at: Timestamp) -> Self {
        Self {
            id,
            plan_id,
            started_at,
            entries: Vec::new(),
            invocations: Vec::new(),
            seal: None,
            greatest: None,
        }
    }

    /// Its id.
    pub fn id(&self) -> ChangeSetId {
        self.id
    }

    /// The plan it was made for.
    pub fn plan_id(&self) -> PlanId {
        self.plan_id
    }

    /// When it was started.
    pub fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// The entries in the order in which they happened.
    pub fn entries(&self) -> &[ChangeEntry] {
        &self.entries
    }

    /// The tool calls in the order in which they ran.
    pub fn invocations(&self) -> &[ToolInvocation] {
        &self.invocations
    }

    /// The digest that sealed it, if it is sealed.
    pub fn seal(&self) -> Option<Digest> {
        self.seal
    }

    /// Appends an entry. An entry of another changeset, an invalid one, or any entry after the seal is refused; an
    /// entry whose id is already there is accepted once (recording is idempotent by entry id).
    pub fn record(&mut self, entry: ChangeEntry) -> Result<(), ValidationError> {
        if entry.changeset_id != self.id {
            return Err(ValidationError::new("changeset_id", "names another changeset"));
        }
        entry.validate()?;
        let greatest = self.greatest.or_else(|| self.entries.iter().map(|known| known.id).max());
        let may_be_known = greatest.is_some_and(|greatest| entry.id <= greatest);
        if may_be_known && self.entries.iter().any(|known| known.id == entry.id) {
            return Ok(());
        }
        if self.seal.is_some() {
            return Err(ValidationError::new("changeset_id", "is sealed: nothing more can be recorded"));
        }
        self.greatest = greatest.max(Some(entry.id));
        self.entries.push(entry);
        Ok(())
    }

    /// Appends a finished call.
    pub fn record_invocation(&mut self, invocation: ToolInvocation) {
        self.invocations.push(invocation);
    }

    /// Seals the set; from then on nothing more can be recorded.
    pub fn close(&mut self, seal: Digest) {
        self.seal = Some(seal);
    }

    /// The digest over id, plan and every entry in order. Equal sets give equal digests; any other entry, order,
    /// state or attribution gives another one.
    pub fn digest(&self) -> Digest {
        let mut builder = DigestBuilder::default();
        builder.update(b"cleveragents changeset 0\n");
        builder.update(self.id.as_str().as_bytes()).update(self.plan_id.as_str().as_bytes());
        for entry in &self.entries {
            // Struct serialisation cannot fail: every field is a string, a number or a list of them.
            let json = serde_json::to_vec(entry).unwrap_or_default();
            builder.update(&(json.len() as u64).to_le_bytes()).update(&json);
        }
        builder.finish()
    }

    /// What it comes to per path: the first `before` against the last `after` of our own entries, equal ones left out.
    pub fn net(&self) -> Vec<NetChange> {
        net_changes(self.entries.iter().filter(|e| e.attribution != Attribution::Outside))
    }

    /// The entries that nobody's call made.
    pub fn outside(&self) -> impl Iterator<Item = &ChangeEntry> {
        self.entries.iter().filter(|e| e.attribution == Attribution::Outside)
    }

    /// Counts of entries, paths, lines, bytes and calls.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        let mut paths = BTreeSet::new();
        for entry in &self.entries {
            summary.add_entry(entry);
            paths.insert((&entry.root, &entry.path));
        }
        summary.paths = paths.len() as u64;
        for invocation in &self.invocations {
            summary.add_invocation(invocation);
        }
        summary
    }
}
