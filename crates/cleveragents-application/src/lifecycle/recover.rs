//! Going on after a process died: take over, then finish or step back.

use std::sync::Arc;

use cleveragents_domain::{
    ApplyStage, Blobs, Body, ErrorDetails, ExecutionMode, FailureKind, Move, NetChange, Phase, PlanFailure,
    PlanId, PlanView, ProcessingState,
};
use cleveragents_runtime::{Check, Target};

use super::apply::{fail, is_half_way};
use super::rollback::rollback_token;
use super::{PlanLifecycleService, sealed_changes};
use crate::PlanError;
use crate::session::Step;

/// What a recovery found and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing was left unfinished.
    Nothing,
    /// A phase was cut short; it is errored (`interrupted`) and can be started again.
    Interrupted,
    /// A committed apply was finished; the plan is applied.
    ApplyFinished,
    /// A committed rollback was finished.
    RollbackFinished,
}

impl PlanLifecycleService {
    /// Settles what a dead process left behind. Call it only when no living process owns the plan: the caller holds
    /// the plan's lock. A process that was paused, not dead, can commit nothing more afterwards.
    pub async fn recover(&self, plan_id: &PlanId, target: &dyn Target) -> Result<Recovery, PlanError> {
        let session = self.session(plan_id).await?;
        let view = session.refreshed().await?.view.clone();
        if is_half_way(view.apply) && view.state.state != ProcessingState::Errored {
            let take_over = Body::TakeOver { reason: "the process that wrote the project ended".to_owned() };
            session.commit(vec![take_over]).await?;
            return self.finish(&view, target).await;
        }
        if view.state.state != ProcessingState::Processing {
            return Ok(Recovery::Nothing);
        }
        let take_over = Body::TakeOver { reason: "the process that ran this phase ended".to_owned() };
        let mut steps = vec![Step::Fail(Box::new(interrupted(&view)))];
        if view.state.phase == Phase::Apply {
            steps.push(Step::to(Move::Retry));
        }
        session.advance(vec![take_over], steps).await?;
        Ok(Recovery::Interrupted)
    }

    async fn finish(&self, view: &PlanView, target: &dyn Target) -> Result<Recovery, PlanError> {
        let session = self.session(&view.plan_id).await?;
        let changes = sealed_changes(view)?;
        let Some(set) = view.changeset() else { return Err(PlanError::SealBroken) };
        if view.apply == ApplyStage::ApplyCommitted {
            let conflicts = target.check(&changes, Check::BeforeOrAfter).await?;
            if !conflicts.is_empty() {
                return Err(fail(&session, PlanError::TargetDiffers(conflicts)).await);
            }
            self.write_committed(&session, set.id(), &changes, Check::BeforeOrAfter, target).await?;
            return Ok(Recovery::ApplyFinished);
        }
        let changes: Vec<NetChange> = changes.iter().map(NetChange::reversed).collect();
        let conflicts = target.check(&changes, Check::BeforeOrAfter).await?;
        if !conflicts.is_empty() {
            return Err(PlanError::Conflicts(conflicts));
        }
        let blobs: Arc<dyn Blobs> = self.store().clone();
        target.write(&changes, Check::BeforeOrAfter, blobs, &rollback_token(&view.plan_id)).await?;
        let differing = target.read_back(&changes).await?;
        if !differing.is_empty() {
            return Err(PlanError::TargetDiffers(differing));
        }
        session.commit(vec![Body::RolledBack { changeset_id: set.id() }]).await?;
        Ok(Recovery::RollbackFinished)
    }
}

fn interrupted(view: &PlanView) -> PlanFailure {
    let message = format!("the process that ran {} ended before it was done", view.state.phase);
    PlanFailure {
        kind: FailureKind::Interrupted,
        error_message: message.clone(),
        error_details: ErrorDetails {
            exception_type: "Interrupted".to_owned(),
            chain: vec![message],
            mode: if view.spec.stub { ExecutionMode::Stub } else { ExecutionMode::Runtime },
        },
    }
}
