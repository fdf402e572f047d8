//! The seed's `ChangeSetStore`: where embedders keep changesets.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use thiserror::Error;

use super::{ChangeEntry, SpecChangeSet, Summary};
use crate::{ChangeSetId, Clock, PlanId, ValidationError};

/// Why a store refused or failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChangeSetStoreError {
    /// No changeset has this id: start one first.
    #[error("no changeset {0}")]
    UnknownChangeSet(ChangeSetId),
    /// The entry cannot belong to that changeset.
    #[error("entry refused: {0}")]
    Invalid(#[from] ValidationError),
    /// The storage behind it failed; nothing was recorded.
    #[error("the changeset store failed")]
    Backend(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ChangeSetStoreError {
    /// True when the same call may succeed later unchanged.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Backend(_))
    }
}

/// Keeps changesets. Exactly the seed's five operations.
///
/// With a journal a store is a *projection*: entries reach it after their commit, in order, at least once, so
/// `record` must be idempotent by entry id. Apply and verify never read it.
///
/// Implementations are shared between tasks; a call that is dropped half-way has either happened or not.
#[async_trait]
pub trait ChangeSetStore: Send + Sync + 'static {
    /// Starts an empty changeset for a plan and returns its new id.
    async fn start(&self, plan_id: &PlanId) -> Result<ChangeSetId, ChangeSetStoreError>;
    /// Appends an entry to a started changeset. An unknown id is an error.
    async fn record(&self, changeset_id: &ChangeSetId, entry: ChangeEntry)
    -> Result<(), ChangeSetStoreError>;
    /// The changeset, or `None` when no such id was started.
    async fn get(&self, changeset_id: &ChangeSetId) -> Result<Option<SpecChangeSet>, ChangeSetStoreError>;
    /// All changesets of a plan, oldest first.
    async fn get_for_plan(&self, plan_id: &PlanId) -> Result<Vec<SpecChangeSet>, ChangeSetStoreError>;
    /// Counts over a changeset. An unknown id is an error.
    async fn summarize(&self, changeset_id: &ChangeSetId) -> Result<Summary, ChangeSetStoreError>;
}

/// The default store: in memory, gone with the process, the reference for every other.
pub struct InMemoryChangeSetStore {
    clock: Arc<dyn Clock>,
    sets: Mutex<BTreeMap<ChangeSetId, SpecChangeSet>>,
}

impl InMemoryChangeSetStore {
    /// An empty store that takes its ids and times from `clock`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, sets: Mutex::default() }
    }

    /// Takes a changeset that was started elsewhere, such as one read back from a journal. One that is already there
    /// is replaced.
    pub fn adopt(&self, set: SpecChangeSet) {
        self.sets().insert(set.id(), set);
    }

    fn sets(&self) -> std::sync::MutexGuard<'_, BTreeMap<ChangeSetId, SpecChangeSet>> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for InMemoryChangeSetStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InMemoryChangeSetStore").field("changesets", &self.sets().len()).finish()
    }
}

#[async_trait]
impl ChangeSetStore for InMemoryChangeSetStore {
    async fn start(&self, plan_id: &PlanId) -> Result<ChangeSetId, ChangeSetStoreError> {
        let id = ChangeSetId::new(self.clock.new_id());
        self.sets().insert(id, SpecChangeSet::new(id, *plan_id, self.clock.now()));
        Ok(id)
    }

    async fn record(
        &self,
        changeset_id: &ChangeSetId,
        entry: ChangeEntry,
    ) -> Result<(), ChangeSetStoreError> {
        let mut sets = self.sets();
        let set = sets.get_mut(changeset_id).ok_or(ChangeSetStoreError::UnknownChangeSet(*changeset_id))?;
        Ok(set.record(entry)?)
    }

    async fn get(&self, changeset_id: &ChangeSetId) -> Result<Option<SpecChangeSet>, ChangeSetStoreError> {
        Ok(self.sets().get(changeset_id).cloned())
    }

    async fn get_for_plan(&self, plan_id: &PlanId) -> Result<Vec<SpecChangeSet>, ChangeSetStoreError> {
        Ok(self.sets().values().filter(|set| set.plan_id() == *plan_id).cloned().collect())
    }

    async fn summarize(&self, changeset_id: &ChangeSetId) -> Result<Summary, ChangeSetStoreError> {
        let sets = self.sets();
        let set = sets.get(changeset_id).ok_or(ChangeSetStoreError::UnknownChangeSet(*changeset_id))?;
        Ok(set.summary())
    }
}
