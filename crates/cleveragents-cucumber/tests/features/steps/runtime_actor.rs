//! `RuntimeExecuteActor`: decisions become tool calls.

use cleveragents_application::RuntimeExecuteActor;
use cleveragents_domain::{PlannedCall, UlidText};
use cucumber::gherkin::Step;
use cucumber::{given, then, when};

use super::tool::calls_of;
use crate::double::Collector;
use crate::world::World;

#[given(expr = "a RuntimeExecuteActor")]
fn an_actor(world: &mut World) {
    let (runner, context) = (world.runner(), world.context().clone());
    let actor = RuntimeExecuteActor::builder().tool_runner(runner).execution_context(context).build();
    world.actor = world.attempt(actor);
}

#[given(expr = "a stream callback collector")]
fn a_collector(world: &mut World) {
    world.collector = Collector::default();
}

#[when(expr = "I attempt to create a RuntimeExecuteActor with None tool_runner")]
fn without_a_runner(world: &mut World) {
    let context = world.context().clone();
    let tried = RuntimeExecuteActor::builder().execution_context(context).build();
    world.attempt(tried);
    assert_eq!(world.problem().validation().field(), "tool_runner");
}

#[when(expr = "I attempt to create a RuntimeExecuteActor with None execution_context")]
fn without_a_context(world: &mut World) {
    let runner = world.runner();
    let tried = RuntimeExecuteActor::builder().tool_runner(runner).build();
    world.attempt(tried);
    assert_eq!(world.problem().validation().field(), "execution_context");
}

#[when(expr = "I execute with a list of two stub decisions")]
async fn two_stubs(world: &mut World) {
    world.stub_decisions(2);
    execute(world).await;
}

#[when(expr = "I execute with one stub decision")]
async fn one_stub(world: &mut World) {
    world.stub_decisions(1);
    execute(world).await;
}

#[when(expr = "I execute with one stub decision and the stream callback")]
async fn one_stub_heard(world: &mut World) {
    one_stub(world).await;
}

#[when(expr = "I execute with a decision that calls:")]
async fn with_calls(world: &mut World, step: &Step) {
    let calls: Vec<PlannedCall> = calls_of(step);
    world.decision_tree(vec![calls]);
    execute(world).await;
}

#[then(expr = "the runtime execute result should be a RuntimeExecuteResult")]
async fn is_a_result(world: &mut World) {
    let id = world.result().changeset_id;
    // Read back from the store, not only reported.
    assert!(world.context().get_changeset(&id).await.unwrap().is_some());
    assert_eq!(world.result().tool_call_count, 0);
}

#[then(expr = "the runtime execute result changeset_id should be a valid ULID")]
fn is_a_ulid(world: &mut World) {
    let id = world.result().changeset_id;
    assert!(UlidText::parse(id.as_str(), "changeset_id").is_ok());
    assert_eq!(world.context().active_changeset_ids(), [id]);
}

#[then(expr = "the runtime execute result decision_ids_processed should have two entries")]
fn processed_two(world: &mut World) {
    let processed = &world.result().decision_ids_processed;
    assert_eq!(processed.len(), 2);
    assert_eq!(*processed, world.steps());
}

#[then(expr = "the runtime execute result sandbox_refs should contain {string}")]
fn names_the_sandbox(world: &mut World, label: String) {
    assert_eq!(world.result().sandbox_refs, [label]);
}

#[then(expr = "the runtime execute result tool_call_count should be {int}")]
fn counts_calls(world: &mut World, count: u64) {
    assert_eq!(world.result().tool_call_count, count);
}

#[then(expr = "the callback should have received {word} event")]
fn heard(world: &mut World, name: String) {
    let names = world.collector.names();
    assert_eq!(names.iter().filter(|n| **n == name).count(), 1, "{names:?}");
}

#[then(expr = "the callback should have received these events, in this order:")]
fn heard_in_order(world: &mut World, step: &Step) {
    let table = step.table.as_ref().expect("a table of names");
    let expected: Vec<&String> = table.rows.iter().flatten().collect();
    assert_eq!(world.collector.names().iter().collect::<Vec<_>>(), expected);
}

async fn execute(world: &mut World) {
    let tried = world.actor().execute(&world.decisions, Some(world.collector.callback())).await;
    world.result = world.attempt(tried);
}
