//! `PlanExecutionContext`: how it is made, and what it defaults to.

use std::sync::Arc;

use cleveragents_application::PlanExecutionContext;
use cleveragents_domain::{ChangeSetStore, InMemoryChangeSetStore};
use cucumber::{given, then, when};
use serde_json::json;

use crate::double::CustomStore;
use crate::world::World;

#[given(expr = "a fresh in-memory changeset store")]
fn a_fresh_store(world: &mut World) {
    world.store = Some(world.new_store());
}

#[given(expr = "a valid plan ID")]
fn a_valid_plan_id(world: &mut World) {
    world.plan_id();
}

#[given(expr = "a PlanExecutionContext")]
#[when(expr = "I create a PlanExecutionContext with a valid plan_id")]
fn a_context(world: &mut World) {
    world.make_context();
}

#[when(expr = "I create a PlanExecutionContext with all optional fields")]
fn a_context_with_everything(world: &mut World) {
    let context = world
        .context_builder()
        .sandbox_root("/tmp/sandbox")
        .automation_profile("trusted")
        .project_resource("repo", json!({ "path": "/code" }))
        .build();
    world.context = world.attempt(context).map(Arc::new);
}

#[given(expr = "a PlanExecutionContext with sandbox_root {string}")]
fn a_context_with_a_sandbox_root(world: &mut World, root: String) {
    let context = world.context_builder().sandbox_root(root).build();
    world.context = world.attempt(context).map(Arc::new);
}

#[when(expr = "I create a PlanExecutionContext without specifying a changeset store")]
fn a_context_without_a_store(world: &mut World) {
    world.store = None;
    world.make_context();
}

#[when(expr = "I create a PlanExecutionContext with a custom changeset store")]
fn a_context_with_a_custom_store(world: &mut World) {
    world.store = Some(Arc::new(CustomStore::default()));
    world.make_context();
}

#[given(expr = "a PlanExecutionContext with a known changeset store")]
fn a_context_with_a_known_store(world: &mut World) {
    world.store = Some(world.new_store());
    world.make_context();
}

#[when(expr = "I attempt to create a PlanExecutionContext with empty plan_id")]
fn a_context_with_an_empty_plan_id(world: &mut World) {
    a_context_with_this_plan_id(world, String::new());
}

#[when(expr = "I attempt to create a PlanExecutionContext with None plan_id")]
fn a_context_without_a_plan_id(world: &mut World) {
    let tried = PlanExecutionContext::builder().build();
    world.attempt(tried);
}

#[when(expr = "I attempt to create a PlanExecutionContext with the plan_id {string}")]
fn a_context_with_this_plan_id(world: &mut World, id: String) {
    let tried = PlanExecutionContext::builder().plan_id(id).build();
    world.attempt(tried);
}

#[when(expr = "I attempt to create a PlanExecutionContext with the automation_profile {string}")]
fn a_context_with_this_profile(world: &mut World, profile: String) {
    let tried = world.context_builder().automation_profile(profile).build();
    world.attempt(tried);
}

#[then(expr = "the context plan_id should match the provided value")]
fn the_plan_id_matches(world: &mut World) {
    let expected = world.plan_id();
    assert_eq!(world.context().plan_id(), expected);
}

#[then(expr = "the context should have the correct decision_root_id")]
fn the_decision_root_matches(world: &mut World) {
    assert_eq!(world.context().decision_root_id(), Some(world.decision_root_id));
}

#[then(expr = "the context should have the correct sandbox_root")]
fn the_sandbox_root_matches(world: &mut World) {
    assert_eq!(world.context().sandbox_root(), Some("/tmp/sandbox"));
}

#[then(expr = "the context should have the correct automation_profile")]
fn the_profile_matches(world: &mut World) {
    let context = world.context();
    assert_eq!(context.automation_profile(), Some("trusted"));
    assert_eq!(context.policy().profile.name, "trusted");
}

#[then(expr = "the context should have the correct project_resources")]
fn the_resources_match(world: &mut World) {
    let resources = world.context().project_resources();
    assert_eq!(resources.len(), 1);
    assert_eq!(resources["repo"], json!({ "path": "/code" }));
}

#[then(expr = "the context changeset_store should be an InMemoryChangeSetStore")]
async fn the_store_is_the_default(world: &mut World) {
    let context = world.context();
    assert!(context.uses_default_store());
    // And it behaves as one: it takes changes, and starts empty.
    let plan_id = context.plan_id();
    let store = context.changeset_store();
    assert!(store.get_for_plan(&plan_id).await.unwrap().is_empty());
    let id = context.start_changeset().await.unwrap();
    context.record_change(world.entry(id, "a.txt")).await.unwrap();
    assert_eq!(store.get(&id).await.unwrap().unwrap().entries().len(), 1);
    let other = InMemoryChangeSetStore::new(world.clock.clone());
    assert!(other.get(&id).await.unwrap().is_none(), "a default store is the context's own");
}

#[then(expr = "the context changeset_store should be the provided store")]
async fn the_store_is_the_given_one(world: &mut World) {
    let given = world.store.clone().expect("a store was given");
    let context = world.context();
    assert!(Arc::ptr_eq(context.changeset_store(), &given));
    assert!(!context.uses_default_store());
    // What goes through the context is in the store that was given.
    let id = context.start_changeset().await.unwrap();
    assert!(given.get(&id).await.unwrap().is_some());
}

#[then(expr = "the context project_resources should be an empty dict")]
fn no_resources(world: &mut World) {
    assert!(world.context().project_resources().is_empty());
}

#[then(expr = "the context resource_bindings should be an empty dict")]
fn no_bindings(world: &mut World) {
    assert!(world.context().resource_bindings().is_empty());
}

#[then(expr = "the context should say that it is not durable")]
fn not_durable(world: &mut World) {
    assert!(!world.context().durable());
}
