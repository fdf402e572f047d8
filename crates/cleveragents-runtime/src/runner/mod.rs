//! The one gate. Every tool call of every plan passes [`ToolRunner::run`], and nothing else runs a tool.

mod approve;
mod entries;
mod gate;
mod log;

pub use approve::{Approval, ApprovalRequest, Approver, NoApprover};
pub use gate::{Refusal, Usage};
pub use log::{CallLog, Finished, LogError, NoLog};

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value, json};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use cleveragents_domain::{
    Attribution, CallOutcome, ChangeEntry, ChangeSetId, Clock, Discarded, Gate, Phase, PlanId, Policy,
    RootId, Timestamp, ToolCall, ToolInvocation,
};

use crate::tool::{ToolContext, ToolError, ToolOutput, ToolRegistry};
use crate::workspace::{Attempt, ChangeSetCapture, Workspace, WorkspaceError};

/// What happens to the changes of a call that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// They are taken back at once, and listed: for calls that were written down beforehand.
    Discard,
    /// They stay, and a model sees the failure and goes on from there.
    Keep,
}

/// Everything around a call. Nothing that a law needs is optional; a plan without a workspace cannot write.
pub struct Scope<'a> {
    /// The plan.
    pub plan_id: PlanId,
    /// Its phase; only `execute` may write.
    pub phase: Phase,
    /// Its policy.
    pub policy: &'a Policy,
    /// What it has used so far.
    pub usage: &'a Usage,
    /// When the phase began.
    pub started: Timestamp,
    /// Who answers `ask`.
    pub approver: &'a dyn Approver,
    /// The changeset that entries belong to.
    pub changeset_id: ChangeSetId,
    /// The bound resource that tools act in.
    pub root: RootId,
    /// Its private copy.
    pub workspace: Option<&'a dyn Workspace>,
    /// Where calls are recorded.
    pub log: &'a dyn CallLog,
    /// Time and ids.
    pub clock: &'a dyn Clock,
    /// Cancelled when the plan must stop.
    pub cancel: CancellationToken,
    /// What happens to the changes of a call that fails.
    pub on_failure: OnFailure,
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct CallReport {
    /// The call as it ended.
    pub invocation: ToolInvocation,
    /// What it changed.
    pub entries: Vec<ChangeEntry>,
    /// What was found changed by nobody's call.
    pub outside: Vec<ChangeEntry>,
    /// What was taken back.
    pub discarded: Vec<Discarded>,
    /// Why it was refused, when it was.
    pub refusal: Option<Refusal>,
}

impl CallReport {
    /// True when the call did what it was asked.
    pub fn succeeded(&self) -> bool {
        self.invocation.outcome == CallOutcome::Succeeded
    }
}

/// The plan cannot go on: the machinery around a call failed, not the call.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunnerError {
    /// The record could not be written; what the call did was taken back.
    #[error("the call could not be recorded")]
    Log(#[source] LogError),
    /// The workspace failed.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

/// Runs tools: look-up, schema, gate, intent, call, capture, outcome.
#[derive(Debug, Default)]
pub struct ToolRunner {
    registry: ToolRegistry,
}

/// How long a tool may take to stop after it was told to.
const GRACE: Duration = Duration::from_secs(5);

impl ToolRunner {
    /// A runner over these tools.
    pub fn new(registry: ToolRegistry) -> Self {
        Self { registry }
    }

    /// Its tools.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    /// Runs one call to its end. When it returns `Ok`, the log has accepted the outcome, and the workspace holds
    /// exactly what the report says.
    pub async fn run(&self, call: ToolCall, scope: &Scope<'_>) -> Result<CallReport, RunnerError> {
        let Some(registered) = self.registry.find(&call.tool) else {
            let known: Vec<&str> = self.registry.specs().map(|s| s.name.as_str()).collect();
            let message = format!("unknown tool {:?}; known tools: {}", call.tool, known.join(", "));
            return Self::never_ran(call, scope, CallOutcome::Failed, message, None).await;
        };
        let problems = registered.problems(&call.input);
        if !problems.is_empty() {
            let message = format!("the input does not fit {}: {}", call.tool, problems.join("; "));
            return Self::never_ran(call, scope, CallOutcome::Failed, message, None).await;
        }
        let gates = registered.tool.gates(&call.input);
        let question = gate::Question {
            plan_id: scope.plan_id,
            spec: registered.tool.spec(),
            input: &call.input,
            gates: &gates,
            phase: scope.phase,
            policy: scope.policy,
            usage: scope.usage,
            now: scope.clock.now(),
            started: scope.started,
        };
        if let Err(refusal) = gate::pass(question, scope.approver).await {
            let message = refusal.to_string();
            return Self::never_ran(call, scope, CallOutcome::Refused, message, Some(refusal)).await;
        }

        let attempt: Option<Arc<dyn Attempt>> = match scope.workspace {
            Some(workspace) => Some(Arc::from(workspace.begin().await?)),
            None => None,
        };
        if let Err(error) = scope.log.intent(&call, &gates).await {
            end(attempt, false).await?;
            return Err(RunnerError::Log(error));
        }
        scope.usage.count();
        if scope.phase != Phase::Execute
            && let Some(attempt) = &attempt
        {
            // A read-only phase trusts no claim: the whole tree is looked at afterwards.
            attempt.command_root()?;
        }
        let started_at = scope.clock.now();
        let (outcome, output, error) =
            drive(&*registered.tool, &call.input, &gates, attempt.clone(), scope).await;
        let capture = match &attempt {
            Some(attempt) => attempt.capture().await?,
            None => ChangeSetCapture::default(),
        };
        let ended = Ended { call, gates, started_at, outcome, output, error };
        Self::finish(ended, capture, attempt, scope).await
    }

    async fn finish(
        ended: Ended,
        capture: ChangeSetCapture,
        attempt: Option<Arc<dyn Attempt>>,
        scope: &Scope<'_>,
    ) -> Result<CallReport, RunnerError> {
        let Ended { call, gates, started_at, mut outcome, output, mut error } = ended;
        let now = scope.clock.now();
        let may_write = gates.contains(&Gate::Write) || gates.contains(&Gate::Shell);
        let refusal = (!capture.effects.is_empty() && (!may_write || scope.phase != Phase::Execute))
            .then(|| Refusal::WroteAnyway { tool: call.tool.clone() });
        if let Some(refusal) = &refusal {
            (outcome, error) = (CallOutcome::Refused, Some(refusal.to_string()));
        }
        let keep =
            refusal.is_none() && (outcome == CallOutcome::Succeeded || scope.on_failure == OnFailure::Keep);
        let mut contents = Vec::new();
        let decision = call.decision_id;
        let outside =
            entries::entries(capture.outside, scope, decision, Attribution::Outside, now, &mut contents);
        let (entries, discarded) = if keep {
            let by = Attribution::ToolCall(call.id);
            (entries::entries(capture.effects, scope, decision, by, now, &mut contents), Vec::new())
        } else {
            (Vec::new(), entries::discarded(&capture.effects, &scope.root))
        };
        let ToolOutput { value, confinement } = output;
        let invocation = ToolInvocation {
            id: call.id,
            decision_id: call.decision_id,
            index: call.index,
            tool: call.tool,
            input: call.input,
            outcome,
            output: bounded(value, scope.policy.limits.output_bytes),
            error,
            confinement,
            started_at,
            duration_us: now.since(started_at),
        };
        let report = CallReport { invocation, entries, outside, discarded, refusal };
        let finished = Finished {
            invocation: report.invocation.clone(),
            entries: report.entries.clone(),
            outside: report.outside.clone(),
            discarded: report.discarded.clone(),
            contents,
        };
        // Taken back before it is recorded as taken back; kept only after it is recorded as kept.
        if !keep {
            end(attempt, false).await?;
            scope.log.outcome(finished).await.map_err(RunnerError::Log)?;
            return Ok(report);
        }
        if let Err(error) = scope.log.outcome(finished).await {
            end(attempt, false).await?;
            return Err(RunnerError::Log(error));
        }
        end(attempt, true).await?;
        Ok(report)
    }

    async fn never_ran(
        call: ToolCall,
        scope: &Scope<'_>,
        outcome: CallOutcome,
        message: String,
        refusal: Option<Refusal>,
    ) -> Result<CallReport, RunnerError> {
        let now = scope.clock.now();
        let invocation = ToolInvocation {
            id: call.id,
            decision_id: call.decision_id,
            index: call.index,
            tool: call.tool,
            input: call.input,
            outcome,
            output: Value::Null,
            error: Some(message),
            confinement: None,
            started_at: now,
            duration_us: 0,
        };
        scope.log.refused(invocation.clone()).await.map_err(RunnerError::Log)?;
        Ok(CallReport {
            invocation,
            entries: Vec::new(),
            outside: Vec::new(),
            discarded: Vec::new(),
            refusal,
        })
    }
}

struct Ended {
    call: ToolCall,
    gates: BTreeSet<Gate>,
    started_at: Timestamp,
    outcome: CallOutcome,
    output: ToolOutput,
    error: Option<String>,
}

/// Ends an attempt.
async fn end(attempt: Option<Arc<dyn Attempt>>, keep: bool) -> Result<(), RunnerError> {
    let Some(attempt) = attempt else { return Ok(()) };
    if keep {
        attempt.keep().await?;
    } else {
        attempt.discard().await?;
    }
    Ok(())
}

/// Runs the tool under its time limit and the plan's cancellation; a panic is a failure of the call.
async fn drive(
    tool: &dyn crate::tool::Tool,
    input: &Value,
    gates: &BTreeSet<Gate>,
    attempt: Option<Arc<dyn Attempt>>,
    scope: &Scope<'_>,
) -> (CallOutcome, ToolOutput, Option<String>) {
    let limits = &scope.policy.limits;
    let spent_ms = scope.clock.now().since(scope.started) / 1_000;
    let plan_left = limits.wall_time_ms.map_or(u64::MAX, |ms| ms.saturating_sub(spent_ms));
    let time_left = Duration::from_millis(limits.call_time_ms.min(plan_left));
    let context = ToolContext {
        phase: scope.phase,
        granted: gates.clone(),
        attempt,
        cancel: scope.cancel.child_token(),
        time_left,
        output_limit: limits.output_bytes,
    };
    let cancel = context.cancel.clone();
    let begun = tokio::time::Instant::now();
    let mut running = Box::pin(AssertUnwindSafe(tool.call(input, &context)).catch_unwind());
    let (mut stopped, result) = tokio::select! {
        biased;
        result = &mut running => (None, Some(result)),
        () = scope.cancel.cancelled() => (Some(CallOutcome::Cancelled), None),
        () = tokio::time::sleep(time_left) => (Some(CallOutcome::TimedOut), None),
    };
    let result = match result {
        Some(result) => Some(result),
        None => {
            cancel.cancel();
            tokio::time::timeout(GRACE, running).await.ok()
        }
    };
    // A tool that heard of the stop, or counts the time, may be back with its error before the runner has looked.
    if stopped.is_none() && !matches!(result, Some(Ok(Ok(_)))) {
        if scope.cancel.is_cancelled() {
            stopped = Some(CallOutcome::Cancelled);
        } else if begun.elapsed() >= time_left {
            stopped = Some(CallOutcome::TimedOut);
        }
    }
    let (mut outcome, output, mut error) = match result {
        Some(Ok(Ok(output))) => (CallOutcome::Succeeded, output, None),
        Some(Ok(Err(ToolError::Failed { message, output }))) => {
            (CallOutcome::Failed, output.map(|o| *o).unwrap_or_default(), Some(message))
        }
        Some(Ok(Err(error))) => (CallOutcome::Failed, ToolOutput::default(), Some(error.to_string())),
        Some(Err(_)) => (CallOutcome::Failed, ToolOutput::default(), Some("the tool panicked".to_owned())),
        None => (
            CallOutcome::Failed,
            ToolOutput::default(),
            Some("the tool did not stop when told to".to_owned()),
        ),
    };
    match stopped {
        Some(CallOutcome::TimedOut) => {
            outcome = CallOutcome::TimedOut;
            error = Some(format!("the call took longer than {} ms", time_left.as_millis()));
        }
        Some(stopped) => {
            outcome = stopped;
            error = Some("the plan was stopped".to_owned());
        }
        None => {}
    }
    (outcome, output, error)
}

/// The output as it is kept: cut, and said to be cut, when it is above the limit.
fn bounded(value: Value, limit: u64) -> Value {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if matches!(value, Value::Null | Value::Bool(_) | Value::Number(_)) {
        return value;
    }
    let text = value.to_string();
    if text.len() <= limit {
        return value;
    }
    let cut = text.floor_char_boundary(limit);
    json!({ "truncated": true, "bytes": text.len(), "head": &text[..cut] })
}
