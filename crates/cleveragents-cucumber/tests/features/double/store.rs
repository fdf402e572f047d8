//! A changeset store that is not the default one.

use async_trait::async_trait;
use cleveragents_domain::{
    ChangeEntry, ChangeSetId, ChangeSetStore, ChangeSetStoreError, PlanId, SpecChangeSet, Summary, Timestamp,
    Ulid,
};
use std::sync::Mutex;

/// Written from the port's documentation alone; shares no code with the default store.
#[derive(Default)]
pub(crate) struct CustomStore(Mutex<Vec<SpecChangeSet>>);

impl CustomStore {
    fn with<T>(
        &self,
        id: &ChangeSetId,
        f: impl FnOnce(&mut SpecChangeSet) -> Result<T, ChangeSetStoreError>,
    ) -> Result<T, ChangeSetStoreError> {
        let mut sets = self.0.lock().unwrap();
        let set = sets.iter_mut().find(|s| s.id() == *id);
        f(set.ok_or(ChangeSetStoreError::UnknownChangeSet(*id))?)
    }
}

#[async_trait]
impl ChangeSetStore for CustomStore {
    async fn start(&self, plan_id: &PlanId) -> Result<ChangeSetId, ChangeSetStoreError> {
        let mut sets = self.0.lock().unwrap();
        let id = ChangeSetId::new(Ulid::from_parts(7, sets.len() as u128 + 1));
        sets.push(SpecChangeSet::new(id, *plan_id, Timestamp(7)));
        Ok(id)
    }

    async fn record(&self, id: &ChangeSetId, entry: ChangeEntry) -> Result<(), ChangeSetStoreError> {
        self.with(id, |set| Ok(set.record(entry)?))
    }

    async fn get(&self, id: &ChangeSetId) -> Result<Option<SpecChangeSet>, ChangeSetStoreError> {
        Ok(self.0.lock().unwrap().iter().find(|s| s.id() == *id).cloned())
    }

    async fn get_for_plan(&self, plan_id: &PlanId) -> Result<Vec<SpecChangeSet>, ChangeSetStoreError> {
        Ok(self.0.lock().unwrap().iter().filter(|s| s.plan_id() == *plan_id).cloned().collect())
    }

    async fn summarize(&self, id: &ChangeSetId) -> Result<Summary, ChangeSetStoreError> {
        self.with(id, |set| Ok(set.summary()))
    }
}
