//! `RuntimeExecuteActor`: carries decisions out as tool calls, every one through the runner.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use validator::Validate;

use cleveragents_domain::{
    ChangeSetId, DecisionId, DecisionKind, Phase, Policy, RootId, StrategyDecision, ToolCall, ToolCallId,
    ValidationError,
};
use cleveragents_runtime::{
    Approver, CancellationToken, NoApprover, OnFailure, RunnerError, Scope, ToolRunner, Usage,
};

use super::{Recorder, ScriptedWorker, Turn, Worker};
use crate::session::PlanSession;
use crate::{EventKind, PlanError, PlanExecutionContext, StreamCallback};

/// What the runtime did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuntimeExecuteResult {
    /// The changeset it produced.
    pub changeset_id: ChangeSetId,
    /// Tool calls that were made in this run.
    pub tool_call_count: u64,
    /// The sandboxes that were used, as labels or paths.
    pub sandbox_refs: Vec<String>,
    /// The decisions that were carried out, the root apart.
    pub decision_ids_processed: Vec<DecisionId>,
    /// Wall time, in milliseconds.
    pub execution_duration_ms: f64,
}

/// A [`RuntimeExecuteResult`] from raw input, before it is checked.
#[derive(Debug, Clone, PartialEq, Deserialize, Validate)]
pub struct RuntimeExecuteResultParts {
    /// A ULID.
    #[validate(length(min = 1))]
    pub changeset_id: String,
    /// Not negative.
    #[validate(range(min = 0))]
    pub tool_call_count: i64,
    /// Any labels.
    #[serde(default)]
    pub sandbox_refs: Vec<String>,
    /// ULIDs.
    #[serde(default)]
    pub decision_ids_processed: Vec<String>,
    /// Not negative, and a number.
    #[serde(default)]
    pub execution_duration_ms: f64,
}

impl TryFrom<RuntimeExecuteResultParts> for RuntimeExecuteResult {
    type Error = ValidationError;

    fn try_from(raw: RuntimeExecuteResultParts) -> Result<Self, ValidationError> {
        raw.validate()?;
        let negative = |field: &str| ValidationError::new(field, "must not be negative");
        // The validator's range lets NaN through.
        if !(raw.execution_duration_ms >= 0.0 && raw.execution_duration_ms.is_finite()) {
            return Err(ValidationError::new("execution_duration_ms", "must be a number, and not negative"));
        }
        Ok(Self {
            changeset_id: ChangeSetId::parse(&raw.changeset_id)?,
            tool_call_count: u64::try_from(raw.tool_call_count).map_err(|_| negative("tool_call_count"))?,
            sandbox_refs: raw.sandbox_refs,
            decision_ids_processed: raw
                .decision_ids_processed
                .iter()
                .map(|id| DecisionId::parse(id))
                .collect::<Result<_, _>>()?,
            execution_duration_ms: raw.execution_duration_ms,
        })
    }
}

/// The decisions that are carried out: all but the root and what was superseded.
pub(crate) fn steps(decisions: &[StrategyDecision]) -> impl Iterator<Item = &StrategyDecision> {
    decisions.iter().filter(|d| d.kind != DecisionKind::PromptDefinition && !d.superseded)
}

/// What an earlier try has done already.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Calls that succeeded, by decision.
    pub(crate) succeeded: HashMap<DecisionId, u32>,
    /// Calls that ran in all.
    pub(crate) calls: u64,
}

/// What the executor knows and an actor alone does not.
pub(crate) struct Journaled {
    pub(crate) session: Arc<PlanSession>,
    pub(crate) changeset_id: ChangeSetId,
    pub(crate) policy: Policy,
    pub(crate) progress: Progress,
}

/// Runs decisions through the tool runner, capturing what really changes.
pub struct RuntimeExecuteActor {
    runner: Arc<ToolRunner>,
    context: Arc<PlanExecutionContext>,
    worker: Arc<dyn Worker>,
    approver: Arc<dyn Approver>,
    cancel: CancellationToken,
}

/// Collects the parts of a [`RuntimeExecuteActor`].
#[derive(Default)]
pub struct RuntimeExecuteActorBuilder {
    runner: Option<Arc<ToolRunner>>,
    context: Option<Arc<PlanExecutionContext>>,
    worker: Option<Arc<dyn Worker>>,
    approver: Option<Arc<dyn Approver>>,
    cancel: CancellationToken,
}

impl RuntimeExecuteActorBuilder {
    /// The runner; required.
    #[must_use]
    pub fn tool_runner(mut self, runner: Arc<ToolRunner>) -> Self {
        self.runner = Some(runner);
        self
    }

    /// The context; required.
    #[must_use]
    pub fn execution_context(mut self, context: Arc<PlanExecutionContext>) -> Self {
        self.context = Some(context);
        self
    }

    /// Who proposes calls; the [`ScriptedWorker`] by default.
    #[must_use]
    pub fn worker(mut self, worker: Arc<dyn Worker>) -> Self {
        self.worker = Some(worker);
        self
    }

    /// Who answers `ask`; nobody by default, which refuses.
    #[must_use]
    pub fn approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(approver);
        self
    }

    /// Cancelled when the phase must stop.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// The actor, or an error that names the first part that is missing.
    pub fn build(self) -> Result<RuntimeExecuteActor, ValidationError> {
        Ok(RuntimeExecuteActor {
            runner: self.runner.ok_or_else(|| ValidationError::missing("tool_runner"))?,
            context: self.context.ok_or_else(|| ValidationError::missing("execution_context"))?,
            worker: self.worker.unwrap_or_else(|| Arc::new(ScriptedWorker)),
            approver: self.approver.unwrap_or_else(|| Arc::new(NoApprover)),
            cancel: self.cancel,
        })
    }
}

impl RuntimeExecuteActor {
    /// Collects the parts.
    pub fn builder() -> RuntimeExecuteActorBuilder {
        RuntimeExecuteActorBuilder::default()
    }

    /// Carries decisions out, for a context without a journal: a changeset is started in the context's store and every
    /// change is recorded there. A plan of a lifecycle is executed by its `PlanExecutor`, never around it.
    pub async fn execute(
        &self,
        decisions: &[StrategyDecision],
        callback: Option<StreamCallback>,
    ) -> Result<RuntimeExecuteResult, PlanError> {
        if self.context.durable() {
            return Err(PlanError::Journaled);
        }
        let changeset_id = self.context.start_changeset().await?;
        let policy = self.context.policy().clone();
        let recorder =
            Recorder::new(&self.context, changeset_id, None, callback, self.worker.follows_at_once());
        recorder.emit(EventKind::RuntimeExecuteStarted);
        let result = self.carry_out(decisions, changeset_id, &policy, Progress::default(), &recorder).await?;
        recorder.emit(EventKind::RuntimeExecuteComplete);
        Ok(result)
    }

    /// The same for a journaled plan: calls are recorded by the session, going on where an earlier try stopped.
    pub(crate) async fn execute_journaled(
        &self,
        decisions: &[StrategyDecision],
        journaled: Journaled,
    ) -> Result<RuntimeExecuteResult, PlanError> {
        let Journaled { session, changeset_id, policy, progress } = journaled;
        let wait = self.worker.follows_at_once();
        let recorder = Recorder::new(&self.context, changeset_id, Some(session), None, wait);
        let result = self.carry_out(decisions, changeset_id, &policy, progress, &recorder).await;
        // Whatever happened, what ran is recorded before anybody hears of it.
        recorder.flush().await?;
        result
    }

    async fn carry_out(
        &self,
        decisions: &[StrategyDecision],
        changeset_id: ChangeSetId,
        policy: &Policy,
        progress: Progress,
        recorder: &Recorder<'_>,
    ) -> Result<RuntimeExecuteResult, PlanError> {
        let clock = &**self.context.settings().clock();
        let started = clock.now();
        let usage = Usage::from_calls(progress.calls);
        let bound = self.context.resource_bindings().values().next();
        let scope = Scope {
            plan_id: self.context.plan_id(),
            phase: Phase::Execute,
            policy,
            usage: &usage,
            started,
            approver: &*self.approver,
            changeset_id,
            root: bound.map_or_else(RootId::project, |b| b.root.clone()),
            workspace: bound.map(|b| &*b.workspace),
            log: recorder,
            clock,
            cancel: self.cancel.clone(),
            on_failure: self.worker.on_failure(),
        };
        let mut processed = Vec::new();
        let mut made = 0;
        for decision in steps(decisions) {
            let mut index = progress.succeeded.get(&decision.id).copied().unwrap_or(0);
            usage.begin_decision(u64::from(index));
            recorder.step(decision.id).await;
            let mut last = None;
            loop {
                if self.cancel.is_cancelled() {
                    return Err(PlanError::Stopped);
                }
                let Turn::Call(planned) = self.worker.next(decision, index, last.as_ref()).await? else {
                    break;
                };
                let call = ToolCall {
                    id: ToolCallId::new(clock.new_id()),
                    decision_id: decision.id,
                    index,
                    tool: planned.tool,
                    input: planned.input,
                    requested_at: clock.now(),
                };
                let report = self.runner.run(call, &scope).await.map_err(own)?;
                made += 1;
                if !report.succeeded() && scope.on_failure == OnFailure::Discard {
                    return Err(PlanError::CallFailed(Box::new(report)));
                }
                index += 1;
                last = Some(report);
            }
            processed.push(decision.id);
        }
        let spent = u32::try_from(clock.now().since(started)).unwrap_or(u32::MAX);
        Ok(RuntimeExecuteResult {
            changeset_id,
            tool_call_count: made,
            sandbox_refs: self.sandbox_refs(),
            decision_ids_processed: processed,
            execution_duration_ms: f64::from(spent) / 1_000.0,
        })
    }

    fn sandbox_refs(&self) -> Vec<String> {
        let label = self.context.sandbox_root().map(str::to_owned);
        let places = self
            .context
            .resource_bindings()
            .values()
            .map(|b| b.workspace.info().location.display().to_string());
        label.into_iter().chain(places).collect()
    }
}

/// What the record keeper said goes on as what it was, such as another process that moved the plan.
fn own(error: RunnerError) -> PlanError {
    match error {
        RunnerError::Log(inner) => match inner.downcast::<PlanError>() {
            Ok(ours) => *ours,
            Err(other) => PlanError::Runner(RunnerError::Log(other)),
        },
        other => PlanError::Runner(other),
    }
}
