//! `RuntimeExecuteResult` from raw input.

use cleveragents_application::{RuntimeExecuteResult, RuntimeExecuteResultParts};
use cucumber::{then, when};

use crate::world::World;

#[when(expr = "I create a RuntimeExecuteResult with valid fields")]
fn valid(world: &mut World) {
    try_with(world, |_| {});
}

#[when(expr = "I attempt to create a RuntimeExecuteResult with negative tool_call_count")]
fn negative_count(world: &mut World) {
    try_with(world, |raw| raw.tool_call_count = -1);
}

#[when(expr = "I attempt to create a RuntimeExecuteResult with empty changeset_id")]
fn empty_changeset(world: &mut World) {
    try_with(world, |raw| raw.changeset_id.clear());
}

#[when(expr = "I attempt to create a RuntimeExecuteResult with the changeset_id {string}")]
fn odd_changeset(world: &mut World, id: String) {
    try_with(world, |raw| raw.changeset_id = id);
}

#[when(expr = "I attempt to create a RuntimeExecuteResult with the execution_duration_ms {word}")]
fn odd_duration(world: &mut World, duration: f64) {
    try_with(world, |raw| raw.execution_duration_ms = duration);
}

#[then(expr = "the runtime execute result should have a correct changeset_id")]
fn the_changeset_matches(world: &mut World) {
    assert_eq!(Some(world.result().changeset_id), world.changeset_id);
}

#[then(expr = "the runtime execute result tool_call_count should be non-negative")]
fn the_count_is_what_was_given(world: &mut World) {
    // Unsigned, so never negative; and it is the number that was given.
    assert_eq!(world.result().tool_call_count, 3);
}

#[then(expr = "the runtime result should fail validation")]
fn refused(world: &mut World) {
    world.problem().validation();
    assert!(world.result.is_none());
}

fn try_with(world: &mut World, change: impl FnOnce(&mut RuntimeExecuteResultParts)) {
    let changeset_id = cleveragents_domain::ChangeSetId::new(world.clock.new_id());
    world.changeset_id = Some(changeset_id);
    let mut raw = RuntimeExecuteResultParts {
        changeset_id: changeset_id.to_string(),
        tool_call_count: 3,
        sandbox_refs: vec!["/tmp/sandbox".to_owned()],
        decision_ids_processed: vec![world.decision_root_id.to_string()],
        execution_duration_ms: 1.5,
    };
    change(&mut raw);
    world.result = world.attempt(RuntimeExecuteResult::try_from(raw));
}
