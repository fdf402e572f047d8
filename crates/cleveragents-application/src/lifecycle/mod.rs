//! The life of plans: create, look, move, apply, roll back, cancel.

mod apply;
mod recover;
mod rollback;

pub use apply::Applied;
pub use recover::Recovery;
pub use rollback::RolledBack;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cleveragents_domain::{
    Body, Clock, Move, NetChange, PlanId, PlanQuery, PlanRow, PlanSpec, PlanState, PlanView, Record, Seq,
    Store,
};

use crate::session::{PlanSession, Step, read_from};
use crate::{Event, PlanContextBuilder, PlanError, PlanFile, Settings, events_of};

struct Inner {
    store: Arc<dyn Store>,
    settings: Settings,
    sessions: Mutex<HashMap<PlanId, Arc<PlanSession>>>,
}

/// Owns the journal, and every move of every plan. Cheap to clone: clones are the same service.
#[derive(Clone)]
pub struct PlanLifecycleService(Arc<Inner>);

impl PlanLifecycleService {
    /// A service over this store. `cleveragents_domain::InMemoryJournal` makes one that is gone with the process.
    pub fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        Self(Arc::new(Inner { store, settings, sessions: Mutex::default() }))
    }

    /// The journal and its blobs.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.settings.clock
    }

    /// True when `other` is this service, or a clone of it.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Creates the plan that a file describes; it is in strategize/queued and durable when this returns.
    pub async fn create(&self, file: &PlanFile) -> Result<PlanId, PlanError> {
        self.create_from(file.spec()?).await
    }

    /// The same from a spec.
    pub async fn create_from(&self, spec: PlanSpec) -> Result<PlanId, PlanError> {
        let plan_id = PlanId::new(self.clock().new_id());
        let mut state = PlanState::initial();
        let mut bodies = vec![Body::PlanCreated { spec: Box::new(spec) }];
        for movement in [Move::Complete, Move::Advance] {
            let to = state.after(movement, false, 0)?;
            bodies.push(Body::Transition {
                movement,
                from: state,
                to,
                mode: None,
                failure: None,
                conflicts: Vec::new(),
            });
            state = to;
        }
        let batch = cleveragents_domain::Batch { recorded_at: self.clock().now(), bodies, blobs: Vec::new() };
        self.0.store.commit(&plan_id, 0, batch).await?;
        Ok(plan_id)
    }

    /// A context for one of this service's plans, to be given its resources.
    pub fn context(&self, plan_id: &PlanId) -> PlanContextBuilder {
        PlanContextBuilder::for_lifecycle(self.clone(), *plan_id)
    }

    /// Where a plan stands now.
    pub async fn view(&self, plan_id: &PlanId) -> Result<PlanView, PlanError> {
        let session = self.session(plan_id).await?;
        Ok(session.refreshed().await?.view.clone())
    }

    /// The plans that match, newest first.
    pub async fn plans(&self, query: &PlanQuery) -> Result<Vec<PlanRow>, PlanError> {
        Ok(self.0.store.plans(query).await?)
    }

    /// The records of a plan from a position on.
    pub async fn records(&self, plan_id: &PlanId, from: Seq) -> Result<Vec<Record>, PlanError> {
        let mut records = Vec::new();
        read_from(&*self.0.store, plan_id, from.max(1), |record| {
            records.push(record.clone());
            Ok(())
        })
        .await?;
        if records.is_empty() && self.0.store.head(plan_id).await?.is_none() {
            return Err(PlanError::UnknownPlan(*plan_id));
        }
        Ok(records)
    }

    /// The events of a plan from a position on: the same that a listener heard.
    pub async fn events(&self, plan_id: &PlanId, from: Seq) -> Result<Vec<Event>, PlanError> {
        let records = self.records(plan_id, from).await?;
        Ok(records.iter().flat_map(|r| events_of(*plan_id, r.seq, r.recorded_at, &r.body)).collect())
    }

    /// Gives a plan up. Final. The target is as it was.
    pub async fn cancel(&self, plan_id: &PlanId) -> Result<(), PlanError> {
        let session = self.session(plan_id).await?;
        drop(session.refreshed().await?);
        session.advance(Vec::new(), vec![Step::to(Move::Cancel)]).await
    }

    /// This process's writer for a plan.
    pub(crate) async fn session(&self, plan_id: &PlanId) -> Result<Arc<PlanSession>, PlanError> {
        if let Some(session) = self.sessions().get(plan_id) {
            return Ok(session.clone());
        }
        let session = PlanSession::open(*plan_id, self.0.store.clone(), self.clock().clone()).await?;
        // Somebody may have been faster: there is one writer a plan.
        Ok(self.sessions().entry(*plan_id).or_insert_with(|| Arc::new(session)).clone())
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, HashMap<PlanId, Arc<PlanSession>>> {
        self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The sealed net changes of a plan, checked against the seal (law L3).
fn sealed_changes(view: &PlanView) -> Result<Vec<NetChange>, PlanError> {
    let set = view.changeset().ok_or_else(|| PlanError::State {
        state: view.state,
        advice: "it has no changeset: execute it first".to_owned(),
    })?;
    if set.seal() != Some(set.digest()) {
        return Err(PlanError::SealBroken);
    }
    Ok(set.net())
}
