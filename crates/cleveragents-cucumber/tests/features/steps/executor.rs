//! `PlanExecutor`: how it is put together.

use std::sync::Arc;

use cleveragents_application::{PlanExecutor, PlanLifecycleService};
use cleveragents_domain::{InMemoryJournal, PlanId};
use cucumber::{given, then, when};

use crate::double::Idle;
use crate::world::World;

#[given(expr = "a mock lifecycle service")]
fn a_lifecycle(world: &mut World) {
    world.lifecycle();
}

#[when(expr = "I create a PlanExecutor with a mock tool_calling_runtime")]
fn with_a_worker(world: &mut World) {
    let (lifecycle, context, runner) = (world.lifecycle(), world.context().clone(), world.runner());
    let executor = PlanExecutor::builder()
        .lifecycle_service(lifecycle)
        .tool_runner(runner)
        .execution_context(context)
        .tool_calling_runtime(Idle)
        .build();
    world.executor = world.attempt(executor);
}

#[given(expr = "a PlanExecutor without execution_context")]
#[when(expr = "I create a PlanExecutor without execution_context")]
fn without_a_context(world: &mut World) {
    let executor = PlanExecutor::builder().lifecycle_service(world.lifecycle()).build();
    world.executor = world.attempt(executor);
}

#[when(expr = "I create a PlanExecutor with the execution_context")]
fn with_the_context(world: &mut World) {
    let (lifecycle, context) = (world.lifecycle(), world.context().clone());
    let executor = PlanExecutor::builder().lifecycle_service(lifecycle).execution_context(context).build();
    world.executor = world.attempt(executor);
}

#[when(expr = "I attempt to create a PlanExecutor with None lifecycle_service")]
fn without_a_lifecycle(world: &mut World) {
    let tried = PlanExecutor::builder().build();
    world.attempt(tried);
}

#[when(expr = "I attempt to create a PlanExecutor with a tool_calling_runtime and no execution_context")]
fn a_worker_alone(world: &mut World) {
    let lifecycle = world.lifecycle();
    let tried = PlanExecutor::builder().lifecycle_service(lifecycle).tool_calling_runtime(Idle).build();
    world.attempt(tried);
}

#[when(expr = "I attempt to create a PlanExecutor with the execution_context of another lifecycle service")]
fn a_foreign_context(world: &mut World) {
    let other = PlanLifecycleService::new(Arc::new(InMemoryJournal::new()), world.settings());
    let context = other.context(&world.plan_id()).build().unwrap();
    let lifecycle = world.lifecycle();
    let tried = PlanExecutor::builder().lifecycle_service(lifecycle).execution_context(context).build();
    world.attempt(tried);
}

#[when(expr = "I attempt to run execute with an empty plan_id")]
async fn execute_nothing(world: &mut World) {
    execute_this(world, String::new()).await;
}

#[when(expr = "I attempt to run execute with the plan_id {string}")]
async fn execute_this(world: &mut World, id: String) {
    let tried = world.executor().run_execute(&id).await;
    world.outcome = world.attempt(tried);
}

#[when(expr = "I attempt to run execute with a plan_id that no plan has")]
async fn execute_unknown(world: &mut World) {
    let id = PlanId::new(world.clock.new_id()).to_string();
    execute_this(world, id).await;
}

#[then(expr = "has_runtime should be True")]
fn has_runtime(world: &mut World) {
    assert!(world.executor().has_runtime());
}

#[then(expr = "has_runtime should be False")]
fn has_no_runtime(world: &mut World) {
    assert!(!world.executor().has_runtime());
}

#[then(expr = "changeset_store should be the same object as the context store")]
fn same_store(world: &mut World) {
    let known = world.store.as_ref().expect("a store was given");
    let seen = world.executor().changeset_store().expect("the executor has a store");
    assert!(Arc::ptr_eq(seen, known));
    assert!(Arc::ptr_eq(seen, world.context().changeset_store()));
}

#[then(expr = "changeset_store should be None")]
fn no_store(world: &mut World) {
    assert!(world.executor().changeset_store().is_none());
}

#[then(expr = "execution_context property should return the context")]
fn same_context(world: &mut World) {
    let seen = world.executor().execution_context().expect("the executor has a context");
    assert!(Arc::ptr_eq(seen, world.context()));
}
