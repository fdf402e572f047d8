//! Workers.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use cleveragents_application::{PlanError, PlanLifecycleService, ScriptedWorker, Turn, Worker};
use cleveragents_domain::StrategyDecision;
use cleveragents_runtime::{CallReport, OnFailure};

/// A worker that never wants anything.
pub(crate) struct Idle;

#[async_trait]
impl Worker for Idle {
    async fn next(&self, _: &StrategyDecision, _: u32, _: Option<&CallReport>) -> Result<Turn, PlanError> {
        Ok(Turn::Done)
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Keep
    }
}

/// A scripted worker; while it thinks for the first time, another process cancels the plan.
pub(crate) struct Meanwhile {
    other: PlanLifecycleService,
    done: AtomicBool,
}

impl Meanwhile {
    pub(crate) fn new(other: PlanLifecycleService) -> Self {
        Self { other, done: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Worker for Meanwhile {
    async fn next(
        &self,
        decision: &StrategyDecision,
        index: u32,
        last: Option<&CallReport>,
    ) -> Result<Turn, PlanError> {
        if !self.done.swap(true, Ordering::SeqCst) {
            self.other.cancel(&decision.plan_id).await?;
        }
        ScriptedWorker.next(decision, index, last).await
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Discard
    }
}
