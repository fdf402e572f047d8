//! The gate: what a plan's policy lets through.

use std::sync::Arc;

use cleveragents_domain::{
    ChangeSetId, DecisionId, Gate, Phase, Policy, Profile, RootId, ToolCall, ToolCallId, ValidationError,
};
use cleveragents_runtime::{Approval, CancellationToken, NoApprover, NoLog, OnFailure, Scope, Usage};
use cucumber::{given, then, when};
use serde_json::json;

use crate::double::Person;
use crate::world::World;

#[given(expr = "the gate {word} is opened for the plan")]
#[when(expr = "I attempt to open the gate {word} for the plan")]
fn opened(world: &mut World, gate: String) {
    let gate = Gate::ALL.into_iter().find(|g| g.as_str() == gate).expect("a gate");
    let file = world.planned.file.clone().expect("a plan file was given");
    if let Some(file) = world.attempt(file.allow([gate])) {
        world.planned.file = Some(file);
    }
}

#[given(expr = "the plan denies the tool {string}")]
fn denied_tool(world: &mut World, tool: String) {
    world.spec().policy.deny_tools.insert(tool);
}

#[given(expr = "the plan allows no other tool than {string}")]
fn allowed_tool(world: &mut World, tool: String) {
    world.spec().policy.allow_tools = Some([tool].into());
}

#[given(expr = "a call of the plan may take {int} ms")]
fn call_time(world: &mut World, ms: u64) {
    world.spec().policy.limits.call_time_ms = ms;
}

#[given(expr = "somebody who approves")]
fn approves(world: &mut World) {
    world.planned.approver = Some(Arc::new(Person(Approval::Approved)));
}

#[given(expr = "somebody who denies because {string}")]
fn denies(world: &mut World, reason: String) {
    world.planned.approver = Some(Arc::new(Person(Approval::Denied { reason })));
}

#[when(expr = "{string} is called in the {word} phase under the profile {string}")]
async fn called_in_phase(world: &mut World, tool: String, phase: String, profile: String) {
    let phase = *Phase::ALL.iter().find(|p| p.as_str() == phase).expect("a phase");
    let runner = world.runner();
    let policy = Policy::new(Profile::named(&profile).unwrap());
    let clock = world.clock.clone();
    let usage = Usage::default();
    let scope = Scope {
        plan_id: world.plan_id(),
        phase,
        policy: &policy,
        usage: &usage,
        started: clock.now(),
        approver: &NoApprover,
        changeset_id: ChangeSetId::new(clock.new_id()),
        root: RootId::project(),
        workspace: None,
        log: &NoLog,
        clock: &*clock,
        cancel: CancellationToken::new(),
        on_failure: OnFailure::Discard,
    };
    let call = ToolCall {
        id: ToolCallId::new(clock.new_id()),
        decision_id: DecisionId::new(clock.new_id()),
        index: 0,
        tool,
        input: json!({}),
        requested_at: clock.now(),
    };
    world.planned.report = Some(runner.run(call, &scope).await.unwrap());
}

#[when(expr = "I attempt to name the profile {string}")]
fn named(world: &mut World, name: String) {
    let tried: Result<Profile, ValidationError> = Profile::named(&name);
    world.attempt(tried);
}

#[then(expr = "the call should be refused with {string}")]
fn refused_with(world: &mut World, words: String) {
    let report = world.planned.report.as_ref().expect("a call was made");
    let refusal = report.refusal.as_ref().expect("it was refused").to_string();
    assert!(refusal.contains(&words), "{refusal}");
    assert_eq!(report.invocation.outcome.as_str(), "refused");
}

#[then(expr = "the call should have succeeded")]
fn call_succeeded(world: &mut World) {
    let report = world.planned.report.as_ref().expect("a call was made");
    assert!(report.succeeded(), "{report:?}");
}
