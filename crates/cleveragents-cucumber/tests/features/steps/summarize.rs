//! A context in numbers.

use cucumber::{then, when};
use serde_json::{Value, json};

use crate::world::World;

#[when(expr = "I call summarize on the context")]
async fn summarize(world: &mut World) {
    world.summary = Some(world.context().summarize().await.unwrap());
}

#[then(expr = "the summary should contain plan_id")]
fn has_the_plan(world: &mut World) {
    let expected = world.plan_id();
    assert_eq!(summary(world)["plan_id"], json!(expected));
}

#[then(expr = "the summary should contain resource_binding_count of {int}")]
#[then(expr = "the summary resource_binding_count should be {int}")]
fn has_so_many_bindings(world: &mut World, count: usize) {
    assert_eq!(summary(world)["resource_binding_count"], json!(count));
}

#[then(expr = "the summary should contain decision_root_id")]
fn has_the_decision_root(world: &mut World) {
    assert_eq!(summary(world)["decision_root_id"], json!(world.decision_root_id));
}

#[then(expr = "the summary should contain no changeset")]
fn has_no_changeset(world: &mut World) {
    assert_eq!(summary(world)["changesets"], json!({}));
}

#[then(expr = "the summary of the changeset should have {word} of {int}")]
fn has_a_count(world: &mut World, name: String, count: u64) {
    let id = world.changeset_id.expect("a changeset was started");
    let summary = summary(world);
    assert_eq!(summary["changesets"][id.as_str()][&name], json!(count), "{summary}");
}

#[then(expr = "the summary of the changeset should count {int} {string}")]
fn has_operations(world: &mut World, count: u64, operation: String) {
    let id = world.changeset_id.expect("a changeset was started");
    let summary = summary(world);
    assert_eq!(summary["changesets"][id.as_str()]["operations"], json!({ operation: count }), "{summary}");
}

/// The summary as it is serialised: its names are what users see.
fn summary(world: &World) -> Value {
    serde_json::to_value(world.summary.as_ref().expect("summarize was called")).unwrap()
}
