//! Going on after a process died: take over, then finish or step back.

use cleveragents_domain::{
    ApplyStage, Body, ErrorDetails, ExecutionMode, FailureKind, Move, NetChange, Phase, PlanFailure, PlanId,
    PlanView, ProcessingState,
};
use cleveragents_runtime::{Check, Target};

use super::apply::is_half_way;
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
        // An errored apply that differs is left by rollback alone; a rollback of it that was begun is finished.
        let errored = view.state.state == ProcessingState::Errored;
        if is_half_way(view.apply) && (!errored || view.apply == ApplyStage::RollbackCommitted) {
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
        let forward = view.apply == ApplyStage::ApplyCommitted;
        let mut changes = sealed_changes(view)?;
        if !forward {
            changes = changes.iter().map(NetChange::reversed).collect();
        }
        let conflicts = target.check(&changes, Check::BeforeOrAfter).await?;
        if !conflicts.is_empty() {
            return Err(PlanError::HalfWay(conflicts));
        }
        let Some(set) = view.changeset() else { return Err(PlanError::SealBroken) };
        if forward {
            self.write_committed(&session, set.id(), &changes, Check::BeforeOrAfter, target).await?;
            return Ok(Recovery::ApplyFinished);
        }
        self.write_back(&session, view, &changes, Check::BeforeOrAfter, target).await?;
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
