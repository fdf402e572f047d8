//! Rollback: the exact state before the plan, for the plan's paths and nothing else.

use std::sync::Arc;

use cleveragents_domain::{
    ApplyStage, Blobs, Body, Move, NetChange, PlanId, PlanView, ProcessingState, SpecChangeSet,
};
use cleveragents_runtime::{Check, Target};

use super::apply::as_before;
use super::{PlanLifecycleService, sealed_changes};
use crate::PlanError;
use crate::session::{PlanSession, Step};

/// What a rollback did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolledBack {
    /// The paths that hold their state before again, read back.
    pub changes: Vec<NetChange>,
}

impl PlanLifecycleService {
    /// Takes an applied plan back. The same machine as apply, with before and after exchanged: a path that was edited
    /// since is a conflict, all conflicts are listed, and nothing is written.
    ///
    /// Also the way out of apply/errored after a read-back that did not match; there a path may be in either state.
    pub async fn rollback(&self, plan_id: &PlanId, target: &dyn Target) -> Result<RolledBack, PlanError> {
        let session = self.session(plan_id).await?;
        let view = session.refreshed().await?.view.clone();
        let differs = view.state.state == ProcessingState::Errored && view.apply_committed();
        let check = match (view.state.state, view.apply) {
            _ if differs => Check::BeforeOrAfter,
            (ProcessingState::Applied, ApplyStage::Applied) => Check::Before,
            (ProcessingState::Applied, ApplyStage::RollbackCommitted) => Check::BeforeOrAfter,
            (ProcessingState::Applied, ApplyStage::RolledBack) => {
                return Err(PlanError::State {
                    state: view.state,
                    advice: "it is rolled back already".to_owned(),
                });
            }
            _ => {
                let advice = "there is nothing to roll back: it was not applied".to_owned();
                return Err(PlanError::State { state: view.state, advice });
            }
        };
        let changes: Vec<NetChange> = sealed_changes(&view)?.iter().map(NetChange::reversed).collect();
        let Some(set) = view.changeset() else { return Err(PlanError::SealBroken) };
        let conflicts = target.check(&changes, check).await?;
        if !conflicts.is_empty() {
            let text = format!("rollback refused: {} path(s) were edited since", conflicts.len());
            session.commit(vec![Body::Note { text }]).await?;
            return Err(PlanError::Conflicts(conflicts));
        }
        session.commit(vec![Body::RollbackCommitted { changeset_id: set.id() }]).await?;
        self.write_back(&session, &view, &changes, check, target).await?;
        Ok(RolledBack { changes })
    }

    /// Everything after *rollback committed*: write back, read back, *rolled back*.
    pub(super) async fn write_back(
        &self,
        session: &PlanSession,
        view: &PlanView,
        changes: &[NetChange],
        accept: Check,
        target: &dyn Target,
    ) -> Result<(), PlanError> {
        let Some(changeset_id) = view.changeset().map(SpecChangeSet::id) else {
            return Err(PlanError::SealBroken);
        };
        let blobs: Arc<dyn Blobs> = self.store().clone();
        if let Err(error) = target.write(changes, accept, blobs, &rollback_token(&view.plan_id)).await {
            if as_before(&error, accept) == Some(true) {
                session.commit(vec![Body::RollbackWithdrawn { changeset_id }]).await?;
            }
            return Err(error.into());
        }
        let differing = target.read_back(changes).await?;
        if !differing.is_empty() {
            let text = format!("{} path(s) did not read back after the rollback", differing.len());
            session.commit(vec![Body::Note { text }]).await?;
            return Err(PlanError::TargetDiffers(differing));
        }
        let rolled_back = Body::RolledBack { changeset_id };
        if view.state.state == ProcessingState::Errored {
            // The table leads from errored to queued only while the commit still stands.
            return session
                .advance(Vec::new(), vec![Step::to(Move::Rollback), Step::Record(rolled_back)])
                .await;
        }
        session.commit(vec![rolled_back]).await?;
        Ok(())
    }
}

/// Names the temporary files of a rollback: other ones than those of the apply.
pub(super) fn rollback_token(plan_id: &PlanId) -> String {
    format!("{plan_id}R")
}
