//! Apply: the sealed changes go to the real project in one step.

use std::sync::Arc;

use cleveragents_domain::{
    Answer, ApplyStage, Blobs, Body, ChangeSetId, ExecutionMode, Gate, Move, NetChange, Phase, PlanId,
    PlanView, ProcessingState,
};
use cleveragents_runtime::{Check, Refusal, Target, TargetError};

use super::{PlanLifecycleService, sealed_changes};
use crate::PlanError;
use crate::session::{PlanSession, Step};

/// What an apply did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The paths that were written and read back; empty for an empty changeset.
    pub changes: Vec<NetChange>,
}

impl PlanLifecycleService {
    /// Applies a plan's sealed changeset to its project.
    ///
    /// Calling it is the answer to the profile's `ask`, never to a `deny`. A path that is not in its recorded
    /// before-state is a conflict: they are all listed, nothing is written, and the plan is in apply/queued again.
    /// When it returns `Ok` every path was read back from the target, and the plan is `applied`.
    pub async fn apply(&self, plan_id: &PlanId, target: &dyn Target) -> Result<Applied, PlanError> {
        let session = self.session(plan_id).await?;
        let view = session.refreshed().await?.view.clone();
        check_state(&view)?;
        let policy = &view.spec.policy;
        if policy.answer(Gate::Apply) == Answer::Deny {
            let profile = policy.profile.name.clone();
            return Err(PlanError::Refused(Refusal::Denied { profile, gate: Gate::Apply }));
        }
        let changes = sealed_changes(&view)?;
        let (Some(set), Some(seal)) =
            (view.changeset(), view.changeset().and_then(cleveragents_domain::SpecChangeSet::seal))
        else {
            return Err(PlanError::SealBroken);
        };
        let retry = (view.state.state == ProcessingState::Errored).then(|| Step::to(Move::Retry));
        session.advance(Vec::new(), retry.into_iter().chain([Step::to(Move::Start)]).collect()).await?;

        match preflight(self.store().clone(), &changes, target).await {
            Ok(conflicts) if conflicts.is_empty() => {}
            Ok(conflicts) => {
                session.advance(Vec::new(), vec![Step::Conflict(conflicts.clone())]).await?;
                return Err(PlanError::Conflicts(conflicts));
            }
            Err(error) => return Err(fail(&session, error).await),
        }
        session.commit(vec![Body::ApplyCommitted { changeset_id: set.id(), digest: seal }]).await?;
        self.write_committed(&session, set.id(), &changes, Check::Before, target).await?;
        Ok(Applied { changes })
    }

    /// Everything after *apply committed*: write, read back, *applied*.
    pub(super) async fn write_committed(
        &self,
        session: &PlanSession,
        changeset_id: ChangeSetId,
        changes: &[NetChange],
        accept: Check,
        target: &dyn Target,
    ) -> Result<(), PlanError> {
        let token = session.plan_id().to_string();
        let blobs: Arc<dyn Blobs> = self.store().clone();
        if let Err(error) = target.write(changes, accept, blobs, &token).await {
            return Err(self.write_failed(session, changeset_id, changes, accept, target, error).await?);
        }
        let differing = target.read_back(changes).await?;
        if !differing.is_empty() {
            return Err(fail(session, PlanError::TargetDiffers(differing)).await);
        }
        session.advance(Vec::new(), vec![Step::to(Move::Apply)]).await
    }

    /// What a write that failed comes to. When everything is as it was, the plan may be applied again; when that is so
    /// because somebody else changed a path after the check, it is a conflict like any other. When a write that was cut
    /// short before could not be finished, nothing is recorded: it stays to be finished.
    async fn write_failed(
        &self,
        session: &PlanSession,
        changeset_id: ChangeSetId,
        changes: &[NetChange],
        accept: Check,
        target: &dyn Target,
        error: TargetError,
    ) -> Result<PlanError, PlanError> {
        let rolled_back = Body::RolledBack { changeset_id };
        match as_before(&error, accept) {
            None => return Ok(PlanError::Target(error)),
            Some(false) => return Ok(fail(session, PlanError::Target(error)).await),
            Some(true) => {}
        }
        let conflicts = target.check(changes, Check::Before).await.unwrap_or_default();
        if !conflicts.is_empty() {
            session.advance(vec![rolled_back], vec![Step::Conflict(conflicts.clone())]).await?;
            return Ok(PlanError::Conflicts(conflicts));
        }
        let error = PlanError::Target(error);
        let failed = Step::Fail(Box::new(error.to_failure(ExecutionMode::Runtime)));
        session.advance(vec![rolled_back], vec![failed, Step::to(Move::Retry)]).await?;
        Ok(error)
    }
}

/// Whether a target whose `write` failed is wholly as it was before that write; `None` when it is as an earlier, cut
/// short write left it.
pub(super) fn as_before(error: &TargetError, accept: Check) -> Option<bool> {
    match (error, accept) {
        (TargetError::Write { undone, .. }, _) => Some(*undone),
        (_, Check::Before) => Some(true),
        (_, Check::BeforeOrAfter) => None,
    }
}

fn check_state(view: &PlanView) -> Result<(), PlanError> {
    let refuse = |advice: &str| Err(PlanError::State { state: view.state, advice: advice.to_owned() });
    match (view.state.phase, view.state.state) {
        (_, ProcessingState::Applied) => refuse("it is applied already; a changeset is applied once"),
        (_, ProcessingState::Cancelled) => refuse("it was cancelled"),
        (Phase::Apply, ProcessingState::Queued) => Ok(()),
        (Phase::Apply, ProcessingState::Errored) if !view.apply_committed() => Ok(()),
        (Phase::Apply, ProcessingState::Errored) => {
            refuse("the project differs from what was applied; roll back with `agents plan rollback`")
        }
        (Phase::Apply, ProcessingState::Processing) => refuse("it is being applied by another process"),
        (Phase::Apply, _) => refuse("a required check holds it back"),
        _ => refuse("only an executed plan can be applied; execute it first"),
    }
}

/// All that can be known before the target is written: contents are there, states are the recorded ones.
async fn preflight(
    blobs: Arc<dyn Blobs>,
    changes: &[NetChange],
    target: &dyn Target,
) -> Result<Vec<cleveragents_domain::Conflict>, PlanError> {
    let needed: Vec<_> = changes
        .iter()
        .flat_map(|c| [&c.before, &c.after])
        .flatten()
        .filter_map(|state| state.content)
        .collect();
    let missing = tokio::task::spawn_blocking(move || {
        for digest in needed {
            if !blobs.contains(&digest)? {
                return Ok(Some(digest));
            }
        }
        Ok::<_, cleveragents_domain::BlobError>(None)
    })
    .await
    .map_err(|e| PlanError::Actor {
        what: "the content check stopped".to_owned(),
        source: Some(Box::new(e)),
    })??;
    if let Some(digest) = missing {
        return Err(PlanError::Blob(cleveragents_domain::BlobError::Missing(digest)));
    }
    Ok(target.check(changes, Check::Before).await?)
}

/// Moves the phase to errored, and hands the error on. When even that cannot be recorded, says so instead.
pub(super) async fn fail(session: &PlanSession, error: PlanError) -> PlanError {
    let failure = Box::new(error.to_failure(ExecutionMode::Runtime));
    match session.advance(Vec::new(), vec![Step::Fail(failure)]).await {
        Ok(()) => error,
        Err(second) => second,
    }
}

/// True while a target may be half-way.
pub(super) fn is_half_way(stage: ApplyStage) -> bool {
    matches!(stage, ApplyStage::ApplyCommitted | ApplyStage::RollbackCommitted)
}
