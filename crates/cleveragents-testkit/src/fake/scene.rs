//! Everything that a call needs around it, ready to be changed by a test.

use cleveragents_domain::{
    ChangeSetId, Clock, DecisionId, Phase, PlanId, Policy, Profile, RootId, Timestamp, ToolCall, ToolCallId,
};
use cleveragents_runtime::{
    Approver, CallReport, CancellationToken, NoApprover, OnFailure, RunnerError, Scope, SystemClock,
    ToolRegistry, ToolRunner, Usage,
};
use serde_json::Value;

use super::{FakeWorkspace, RecordingLog};

/// A plan in its execute phase, under a profile that allows everything, with a fake workspace and a recording log.
pub struct Scene {
    /// The runner.
    pub runner: ToolRunner,
    /// The workspace; a plan without one is given `None`.
    pub workspace: Option<FakeWorkspace>,
    /// The policy.
    pub policy: Policy,
    /// The phase.
    pub phase: Phase,
    /// What happens to the changes of a call that fails.
    pub on_failure: OnFailure,
    /// Who answers.
    pub approver: Box<dyn Approver>,
    /// The log.
    pub log: RecordingLog,
    /// What was used.
    pub usage: Usage,
    /// Stops the plan.
    pub cancel: CancellationToken,
    /// When the phase began.
    pub started: Timestamp,
    clock: SystemClock,
    plan_id: PlanId,
}

impl Scene {
    /// A scene with these tools.
    pub fn new(tools: ToolRegistry) -> Self {
        let clock = SystemClock::default();
        Self {
            runner: ToolRunner::new(tools),
            workspace: Some(FakeWorkspace::new()),
            policy: Policy::new(Profile::named("full-auto").unwrap()),
            phase: Phase::Execute,
            on_failure: OnFailure::Discard,
            approver: Box::new(NoApprover),
            log: RecordingLog::default(),
            usage: Usage::default(),
            cancel: CancellationToken::new(),
            started: clock.now(),
            plan_id: PlanId::new(clock.new_id()),
            clock,
        }
    }

    /// The workspace, which most scenes have.
    pub fn workspace(&self) -> &FakeWorkspace {
        self.workspace.as_ref().unwrap()
    }

    /// Runs a call through the runner.
    pub async fn try_call(&self, tool: &str, input: Value) -> Result<CallReport, RunnerError> {
        let call = ToolCall {
            id: ToolCallId::new(self.clock.new_id()),
            decision_id: DecisionId::new(self.clock.new_id()),
            index: 0,
            tool: tool.to_owned(),
            input,
            requested_at: self.clock.now(),
        };
        let scope = Scope {
            plan_id: self.plan_id,
            phase: self.phase,
            policy: &self.policy,
            usage: &self.usage,
            started: self.started,
            approver: &*self.approver,
            changeset_id: ChangeSetId::new(self.clock.new_id()),
            root: RootId::project(),
            workspace: self
                .workspace
                .as_ref()
                .map(|workspace| workspace as &dyn cleveragents_runtime::Workspace),
            log: &self.log,
            clock: &self.clock,
            cancel: self.cancel.clone(),
            on_failure: self.on_failure,
        };
        self.runner.run(call, &scope).await
    }

    /// Runs a call whose machinery does not fail; the call itself may.
    pub async fn call(&self, tool: &str, input: Value) -> CallReport {
        self.try_call(tool, input).await.unwrap()
    }

    /// The output of a call that succeeds.
    pub async fn output(&self, tool: &str, input: Value) -> Value {
        let report = self.call(tool, input).await;
        assert!(report.succeeded(), "{:?}", report.invocation);
        report.invocation.output
    }

    /// Why a call does not succeed. It must have changed nothing.
    pub async fn error(&self, tool: &str, input: Value) -> String {
        let report = self.call(tool, input).await;
        assert!(!report.succeeded(), "{:?}", report.invocation);
        assert!(report.entries.is_empty(), "{:?}", report.entries);
        report.invocation.error.unwrap()
    }
}
