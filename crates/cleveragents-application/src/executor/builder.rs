//! Collects the parts of a [`PlanExecutor`].

use std::collections::BTreeSet;
use std::sync::Arc;

use cleveragents_domain::{Gate, ValidationError};
use cleveragents_runtime::{Approver, CancellationToken, NoApprover, ToolRunner};

use super::PlanExecutor;
use crate::{
    PlanExecutionContext, PlanLifecycleService, RuntimeExecuteActor, ScriptedWorker, Strategist,
    StrategizeStubActor, StreamCallback, Worker,
};

/// Collects the parts of a [`PlanExecutor`]. Only the lifecycle service is required; a context needs a runner with it.
#[derive(Default)]
pub struct PlanExecutorBuilder {
    lifecycle: Option<PlanLifecycleService>,
    runner: Option<Arc<ToolRunner>>,
    context: Option<Arc<PlanExecutionContext>>,
    strategist: Option<Arc<dyn Strategist>>,
    worker: Option<Arc<dyn Worker>>,
    approver: Option<Arc<dyn Approver>>,
    consent: BTreeSet<Gate>,
    repeat_interrupted: bool,
    callback: Option<StreamCallback>,
    cancel: CancellationToken,
}

impl PlanExecutorBuilder {
    /// The owner of the plans; required.
    #[must_use]
    pub fn lifecycle_service(mut self, lifecycle: PlanLifecycleService) -> Self {
        self.lifecycle = Some(lifecycle);
        self
    }

    /// The one gate to the tools.
    #[must_use]
    pub fn tool_runner(mut self, runner: impl Into<Arc<ToolRunner>>) -> Self {
        self.runner = Some(runner.into());
        self
    }

    /// The plan's context: with it tools run, without it the stub does.
    #[must_use]
    pub fn execution_context(mut self, context: impl Into<Arc<PlanExecutionContext>>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// Who makes the decisions; the stub by default.
    #[must_use]
    pub fn strategist(mut self, strategist: impl Strategist + 'static) -> Self {
        self.strategist = Some(Arc::new(strategist));
        self
    }

    /// Who proposes tool calls; the [`ScriptedWorker`] by default. Needs an execution context.
    #[must_use]
    pub fn tool_calling_runtime(mut self, worker: impl Worker + 'static) -> Self {
        self.worker = Some(Arc::new(worker));
        self
    }

    /// Who answers when the profile says `ask`; nobody by default, which refuses.
    #[must_use]
    pub fn approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(approver);
        self
    }

    /// A person has asked for this phase itself, which answers its `ask`, never a `deny`.
    #[must_use]
    pub fn consent(mut self, gate: Gate) -> Self {
        self.consent.insert(gate);
        self
    }

    /// A person has looked: a call that was cut short while unconfined may run again.
    #[must_use]
    pub fn repeat_interrupted(mut self) -> Self {
        self.repeat_interrupted = true;
        self
    }

    /// Hears of every event, after its commit.
    #[must_use]
    pub fn stream_callback(mut self, callback: StreamCallback) -> Self {
        self.callback = Some(callback);
        self
    }

    /// Cancelled when execution must stop: cleanly, and so that it can go on later.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// The executor, or an error that names the first part that is missing or does not fit.
    pub fn build(self) -> Result<PlanExecutor, ValidationError> {
        let lifecycle = self.lifecycle.ok_or_else(|| ValidationError::missing("lifecycle_service"))?;
        if self.context.is_none() && self.worker.is_some() {
            return Err(ValidationError::new("execution_context", "is required with a tool_calling_runtime"));
        }
        if let Some(own) = self.context.as_ref().and_then(|c| c.lifecycle())
            && !own.is_same(&lifecycle)
        {
            return Err(ValidationError::new("execution_context", "belongs to another lifecycle service"));
        }
        let approver = self.approver.unwrap_or_else(|| Arc::new(NoApprover));
        let actor = match (&self.context, &self.runner) {
            (Some(context), Some(runner)) => Some(
                RuntimeExecuteActor::builder()
                    .tool_runner(runner.clone())
                    .execution_context(context.clone())
                    .worker(self.worker.unwrap_or_else(|| Arc::new(ScriptedWorker)))
                    .approver(approver.clone())
                    .cancel(self.cancel)
                    .build()?,
            ),
            _ => None,
        };
        Ok(PlanExecutor {
            lifecycle,
            context: self.context,
            actor,
            strategist: self.strategist.unwrap_or_else(|| Arc::new(StrategizeStubActor)),
            approver,
            consent: self.consent,
            repeat_interrupted: self.repeat_interrupted,
            callback: self.callback,
        })
    }
}
