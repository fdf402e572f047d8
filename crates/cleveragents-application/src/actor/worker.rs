//! The worker port: who proposes a decision's tool calls.

use async_trait::async_trait;

use cleveragents_domain::{PlannedCall, StrategyDecision};
use cleveragents_runtime::{CallReport, OnFailure};

use crate::PlanError;

/// What a worker wants next.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// Run this call.
    Call(PlannedCall),
    /// The decision is carried out.
    Done,
}

/// Proposes calls; the runner decides whether they run. A worker is never trusted.
#[async_trait]
pub trait Worker: Send + Sync {
    /// The next call of a decision. `index` counts its calls from 0, those of an earlier try that succeeded included;
    /// `last` is the report of the call before, when it ran in this process.
    async fn next(
        &self,
        decision: &StrategyDecision,
        index: u32,
        last: Option<&CallReport>,
    ) -> Result<Turn, PlanError>;

    /// What happens to the changes of a call that fails. With [`OnFailure::Discard`] a failed call ends the phase;
    /// with [`OnFailure::Keep`] the worker is asked for the next one.
    fn on_failure(&self) -> OnFailure;

    /// True when the next call follows at once, without waiting for anybody: its intent then shares a commit with the
    /// outcome before it.
    fn follows_at_once(&self) -> bool {
        false
    }
}

/// Yields the calls that the decision itself holds, in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScriptedWorker;

#[async_trait]
impl Worker for ScriptedWorker {
    async fn next(
        &self,
        decision: &StrategyDecision,
        index: u32,
        _: Option<&CallReport>,
    ) -> Result<Turn, PlanError> {
        let call = usize::try_from(index).ok().and_then(|i| decision.calls.get(i));
        Ok(call.cloned().map_or(Turn::Done, Turn::Call))
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Discard
    }

    fn follows_at_once(&self) -> bool {
        true
    }
}
