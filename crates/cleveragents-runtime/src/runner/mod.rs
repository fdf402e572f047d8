//! The one gate. Every tool call of every plan passes [`ToolRunner::run`], and nothing else runs a tool.

mod approve;
mod drive;
mod entries;
mod gate;
mod log;
mod scope;

pub use approve::{Approval, ApprovalRequest, Approver, NoApprover};
pub use gate::{Refusal, Usage};
pub use log::{CallLog, Finished, LogError, NoLog};
pub use scope::{CallReport, OnFailure, Scope};

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use cleveragents_domain::{Attribution, CallOutcome, Gate, Phase, Timestamp, ToolCall, ToolInvocation};

use crate::tool::{ToolOutput, ToolRegistry};
use crate::workspace::{Attempt, ChangeSetCapture, WorkspaceError};
use drive::{bounded, drive};

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
