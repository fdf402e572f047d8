//! What the one gate costs: a no-op call without a journal, by size of the registry.
//!
//! `cargo bench -p cleveragents-benches --bench runner`
#![allow(missing_docs, clippy::unwrap_used)]

use std::sync::Arc;

use async_trait::async_trait;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};

use cleveragents_runtime::domain::{
    ChangeSetId, Clock, DecisionId, Phase, PlanId, Policy, Profile, RootId, ToolCall, ToolCallId,
};
use cleveragents_runtime::{
    CancellationToken, Capabilities, NoApprover, NoLog, OnFailure, Scope, SystemClock, Tool, ToolContext,
    ToolError, ToolOutput, ToolRegistry, ToolRunner, ToolSpec, Usage,
};

struct Noop(ToolSpec);

#[async_trait]
impl Tool for Noop {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::default())
    }
}

fn noop(name: String) -> Arc<Noop> {
    Arc::new(Noop(ToolSpec {
        name,
        description: "does nothing".into(),
        input_schema: json!({
            "type": "object", "additionalProperties": false, "required": ["path"],
            "properties": { "path": { "type": "string" } },
        }),
        capabilities: Capabilities::READ,
    }))
}

fn dispatch(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut group = c.benchmark_group("runner_dispatch_noop");
    for size in [1, 10, 100, 1_000] {
        let mut registry = ToolRegistry::new();
        for n in 0..size {
            registry.register(noop(format!("tool{n}"))).unwrap();
        }
        let runner = ToolRunner::new(registry);
        let clock = SystemClock::default();
        let policy = Policy::new(Profile::named("auto").unwrap());
        let usage = Usage::default();
        let scope = Scope {
            plan_id: PlanId::new(clock.new_id()),
            phase: Phase::Execute,
            policy: &policy,
            usage: &usage,
            started: clock.now(),
            approver: &NoApprover,
            changeset_id: ChangeSetId::new(clock.new_id()),
            root: RootId::project(),
            workspace: None,
            log: &NoLog,
            clock: &clock,
            cancel: CancellationToken::new(),
            on_failure: OnFailure::Discard,
        };
        let decision_id = DecisionId::new(clock.new_id());
        group.bench_with_input(BenchmarkId::from_parameter(size), &size, |b, _| {
            b.iter(|| {
                let call = ToolCall {
                    id: ToolCallId::new(clock.new_id()),
                    decision_id,
                    index: 0,
                    tool: "tool0".to_owned(),
                    input: json!({ "path": "src/lib.rs" }),
                    requested_at: clock.now(),
                };
                let report = runtime.block_on(runner.run(call, &scope)).unwrap();
                assert!(report.succeeded());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, dispatch);
criterion_main!(benches);
