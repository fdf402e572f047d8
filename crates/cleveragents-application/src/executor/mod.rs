//! `PlanExecutor`: takes a plan through strategize and execute.

mod builder;
mod outcome;
mod settle;

pub use builder::PlanExecutorBuilder;
pub use outcome::ExecuteOutcome;

use std::collections::BTreeSet;
use std::sync::Arc;

use cleveragents_domain::{
    Answer, Body, ChangeSetId, ChangeSetStore, ExecutionMode, Gate, Move, OpenCall, Phase, PlanId, PlanView,
    ProcessingState,
};
use cleveragents_runtime::{Approval, ApprovalRequest, Approver, Refusal};

use crate::actor::Journaled;
use crate::session::{PlanSession, Step};
use crate::{
    ExecuteStubActor, PlanError, PlanExecutionContext, PlanLifecycleService, RuntimeExecuteActor, Strategist,
    StrategizeResult, StreamCallback,
};

use settle::progress_of;

/// Orchestrates the phases of one lifecycle's plans. With an execution context it runs tools; without one it runs the
/// stub, and the result says which.
pub struct PlanExecutor {
    lifecycle: PlanLifecycleService,
    context: Option<Arc<PlanExecutionContext>>,
    actor: Option<RuntimeExecuteActor>,
    strategist: Arc<dyn Strategist>,
    approver: Arc<dyn Approver>,
    consent: BTreeSet<Gate>,
    repeat_interrupted: bool,
    callback: Option<StreamCallback>,
}

impl PlanExecutor {
    /// Collects the parts; the lifecycle service is required.
    pub fn builder() -> PlanExecutorBuilder {
        PlanExecutorBuilder::default()
    }

    /// True when an execution context is given.
    pub fn has_runtime(&self) -> bool {
        self.context.is_some()
    }

    /// The context's changeset store.
    pub fn changeset_store(&self) -> Option<&Arc<dyn ChangeSetStore>> {
        self.context.as_ref().map(|c| c.changeset_store())
    }

    /// The context.
    pub fn execution_context(&self) -> Option<&Arc<PlanExecutionContext>> {
        self.context.as_ref()
    }

    /// Runs the strategize phase: read-only, ends in execute/queued with a checked decision tree.
    pub async fn run_strategize(&self, plan_id: &str) -> Result<StrategizeResult, PlanError> {
        let session = self.open(plan_id).await?;
        let view = session.refreshed().await?.view.clone();
        let mut steps = Vec::new();
        match (view.state.phase, view.state.state) {
            (Phase::Strategize, ProcessingState::Queued) => {}
            (Phase::Strategize, ProcessingState::Errored) => steps.push(Step::to(Move::Retry)),
            _ => return Err(wrong(&view, "only a plan in strategize can be strategized")),
        }
        self.pass(&view, Gate::Strategize).await?;
        let mode = if view.spec.stub { ExecutionMode::Stub } else { ExecutionMode::Runtime };
        steps.push(Step::within(Move::Start, mode));
        session.advance(Vec::new(), steps).await?;

        let made = self.strategist.strategize(&view.plan_id, &view.spec, &**self.lifecycle.clock()).await;
        let checked = made.and_then(|result| {
            cleveragents_domain::DecisionTree::new(result.decisions.clone())?;
            Ok(result)
        });
        match checked {
            Ok(result) => {
                let decisions = Body::Decisions { decisions: result.decisions.clone() };
                let moves = vec![Step::within(Move::Complete, mode), Step::to(Move::Advance)];
                session.advance(vec![decisions], moves).await?;
                Ok(result)
            }
            Err(error) => Err(fail(&session, error, mode).await),
        }
    }

    /// Runs the execute phase to its end, or to the first failure. A failed one goes on at the call that failed, in the
    /// same changeset; a plan that was executed is refused. Ends in apply/queued with a sealed changeset.
    pub async fn run_execute(&self, plan_id: &str) -> Result<ExecuteOutcome, PlanError> {
        let session = self.open(plan_id).await?;
        let view = session.refreshed().await?.view.clone();
        let steps = entry_steps(&view)?;
        self.pass(&view, Gate::Execute).await?;
        match (&self.context, &self.actor) {
            (Some(context), Some(actor)) => {
                self.execute_runtime(&session, &view, steps, context, actor).await
            }
            (Some(_), None) => {
                Err(PlanError::Validation(cleveragents_domain::ValidationError::missing("tool_runner")))
            }
            (None, _) => self.execute_stub(&session, &view, steps).await,
        }
    }

    async fn execute_stub(
        &self,
        session: &PlanSession,
        view: &PlanView,
        mut steps: Vec<Step>,
    ) -> Result<ExecuteOutcome, PlanError> {
        let mode = ExecutionMode::Stub;
        let existing = view
            .changesets
            .iter()
            .find(|set| set.seal().is_none())
            .map(cleveragents_domain::SpecChangeSet::id);
        let changeset_id = existing.unwrap_or_else(|| ChangeSetId::new(self.lifecycle.clock().new_id()));
        steps.push(Step::within(Move::Start, mode));
        if existing.is_none() {
            steps.push(Step::Record(Body::ChangeSetStarted { changeset_id }));
        }
        session.advance(Vec::new(), steps).await?;
        let result = ExecuteStubActor.execute(changeset_id, view.decisions.decisions());
        for decision_id in &result.decision_ids_processed {
            session.push(Body::Step { decision_id: *decision_id, mode }, Vec::new()).await;
        }
        seal(session, changeset_id, mode).await?;
        Ok(ExecuteOutcome::Stub(result))
    }

    async fn execute_runtime(
        &self,
        session: &Arc<PlanSession>,
        view: &PlanView,
        mut steps: Vec<Step>,
        context: &Arc<PlanExecutionContext>,
        actor: &RuntimeExecuteActor,
    ) -> Result<ExecuteOutcome, PlanError> {
        if context.plan_id() != view.plan_id {
            let problem = "names another plan than the execution context";
            return Err(cleveragents_domain::ValidationError::new(PlanId::FIELD, problem).into());
        }
        self.check_parked(view)?;
        let existing = view.changesets.iter().find(|set| set.seal().is_none());
        let changeset_id = match existing {
            Some(set) => {
                if let Some(store) = context.default_store() {
                    store.adopt(set.clone());
                }
                context.activate(set.id());
                set.id()
            }
            None => context.start_changeset().await?,
        };
        let mode = ExecutionMode::Runtime;
        steps.push(Step::within(Move::Start, mode));
        if existing.is_none() {
            steps.push(Step::Record(Body::ChangeSetStarted { changeset_id }));
        }
        session.advance(Vec::new(), steps).await?;

        let progress = progress_of(view);
        let resumes = progress.calls > 0 || !view.open_calls.is_empty();
        let journaled =
            Journaled { session: session.clone(), changeset_id, policy: view.spec.policy.clone(), progress };
        let run = async {
            if resumes {
                self.settle(view, context).await?;
                // Only now is it true that what they did was taken back; until then they stay open, and parked.
                let ended = view.open_calls.iter().map(|open| self.interrupted(open, changeset_id));
                session.commit(ended.collect()).await?;
            }
            let result = actor.execute_journaled(view.decisions.decisions(), journaled).await?;
            self.sweep(session, context, changeset_id).await?;
            Ok(result)
        };
        match run.await {
            Ok(result) => {
                seal(session, changeset_id, mode).await?;
                Ok(ExecuteOutcome::Runtime(result))
            }
            Err(error) => Err(fail(session, error, mode).await),
        }
    }

    /// A call that was cut short while it ran unconfined may have acted where nobody can see it: a person looks first.
    fn check_parked(&self, view: &PlanView) -> Result<(), PlanError> {
        let unseen = view.open_calls.iter().find(|open| open.granted.contains(&Gate::Unsafe));
        match unseen.filter(|_| !self.repeat_interrupted) {
            None => Ok(()),
            Some(OpenCall { call, .. }) => Err(PlanError::Parked {
                decision: call.decision_id.to_string(),
                index: call.index,
                tool: call.tool.clone(),
            }),
        }
    }

    /// Asks policy, and a person where policy asks, whether a phase may run.
    async fn pass(&self, view: &PlanView, gate: Gate) -> Result<(), PlanError> {
        let policy = &view.spec.policy;
        let profile = || policy.profile.name.clone();
        match policy.answer(gate) {
            Answer::Auto => Ok(()),
            Answer::Deny => Err(PlanError::Refused(Refusal::Denied { profile: profile(), gate })),
            Answer::Ask if self.consent.contains(&gate) => Ok(()),
            Answer::Ask => {
                let request = ApprovalRequest { plan_id: view.plan_id, gate, tool: None, input: None };
                match self.approver.approve(&request).await {
                    Approval::Approved => Ok(()),
                    Approval::Denied { reason } => {
                        Err(PlanError::Refused(Refusal::ByPerson { gate, reason }))
                    }
                    Approval::Nobody => {
                        Err(PlanError::Refused(Refusal::Unanswered { profile: profile(), gate }))
                    }
                }
            }
        }
    }

    async fn open(&self, plan_id: &str) -> Result<Arc<PlanSession>, PlanError> {
        let session = self.lifecycle.session(&PlanId::parse(plan_id)?).await?;
        session.listen(self.callback.clone());
        Ok(session)
    }
}

fn wrong(view: &PlanView, advice: &str) -> PlanError {
    PlanError::State { state: view.state, advice: advice.to_owned() }
}

/// The moves that lead to execute/queued, or why there are none.
fn entry_steps(view: &PlanView) -> Result<Vec<Step>, PlanError> {
    match (view.state.phase, view.state.state) {
        (Phase::Execute, ProcessingState::Queued) => Ok(Vec::new()),
        (Phase::Execute, ProcessingState::Errored) => Ok(vec![Step::to(Move::Retry)]),
        (Phase::Execute, ProcessingState::Processing) => {
            Err(wrong(view, "it is being executed by another process"))
        }
        (Phase::Execute | Phase::Apply, ProcessingState::Cancelled) => Err(wrong(view, "it was cancelled")),
        (Phase::Execute | Phase::Apply, _) => {
            Err(wrong(view, "it is executed already; executing again would destroy finished work"))
        }
        _ => Err(wrong(view, "it has no decisions yet: strategize it first")),
    }
}

/// Seals the changeset and ends the phase, in one commit.
async fn seal(
    session: &PlanSession,
    changeset_id: ChangeSetId,
    mode: ExecutionMode,
) -> Result<(), PlanError> {
    session.commit(Vec::new()).await?;
    let digest = session
        .seen()
        .await
        .view
        .changesets
        .iter()
        .find(|set| set.id() == changeset_id)
        .map(cleveragents_domain::SpecChangeSet::digest)
        .ok_or(PlanError::SealBroken)?;
    let sealed = Body::Sealed { changeset_id, digest };
    session.advance(vec![sealed], vec![Step::within(Move::Complete, mode), Step::to(Move::Advance)]).await
}

/// Moves the phase to errored with the whole context of the error, and hands the error on.
async fn fail(session: &PlanSession, error: PlanError, mode: ExecutionMode) -> PlanError {
    let failure = Box::new(error.to_failure(mode));
    match session.advance(Vec::new(), vec![Step::Fail(failure)]).await {
        Ok(()) => error,
        Err(second) => {
            tracing::error!(first = %error, second = %second, "a failure could not be recorded");
            second
        }
    }
}
