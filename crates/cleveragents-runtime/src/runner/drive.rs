//! Running a tool: its time, its end, its output.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value, json};

use cleveragents_domain::{CallOutcome, Gate};

use super::Scope;
use crate::tool::{Tool, ToolContext, ToolError, ToolOutput};
use crate::workspace::Attempt;

/// How long a tool may take to stop after it was told to.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the tool under its time limit and the plan's cancellation; a panic is a failure of the call.
pub(super) async fn drive(
    tool: &dyn Tool,
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
pub(super) fn bounded(value: Value, limit: u64) -> Value {
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
