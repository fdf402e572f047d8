//! Changesets in a context's store.

use cleveragents_application::PlanError;
use cleveragents_domain::{ChangeSetId, SpecChangeSet, UlidText};
use cucumber::{given, then, when};

use crate::world::World;

#[given(expr = "a PlanExecutionContext with an active changeset")]
async fn an_active_changeset(world: &mut World) {
    world.make_context();
    start(world).await;
}

#[given(expr = "a PlanExecutionContext without an active changeset")]
fn no_active_changeset(world: &mut World) {
    world.make_context();
    assert!(world.context().active_changeset_ids().is_empty());
}

#[given(expr = "a PlanExecutionContext with an active changeset and one recorded entry")]
async fn one_recorded_entry(world: &mut World) {
    an_active_changeset(world).await;
    record(world, "src/lib.rs").await;
}

#[when(expr = "I call start_changeset")]
async fn start(world: &mut World) {
    let id = world.context().start_changeset().await.unwrap();
    world.changeset_id = Some(id);
}

#[when(expr = "I record a ChangeEntry into the context")]
async fn record_one(world: &mut World) {
    record(world, "src/lib.rs").await;
}

#[when(expr = "I record three ChangeEntry instances")]
async fn record_three(world: &mut World) {
    for path in ["c.txt", "a.txt", "b.txt"] {
        record(world, path).await;
    }
}

#[when(expr = "I record the same ChangeEntry again")]
async fn record_again(world: &mut World) {
    let entry = world.recorded[0].clone();
    let tried = world.context().record_change(entry).await;
    world.attempt(tried);
}

#[when(expr = "I attempt to record a ChangeEntry")]
async fn attempt_to_record(world: &mut World) {
    let id = ChangeSetId::new(world.clock.new_id());
    let tried = world.context().record_change(world.entry(id, "a.txt")).await;
    world.attempt(tried);
}

#[when(expr = "I attempt to record a ChangeEntry that changes nothing")]
async fn attempt_to_record_nothing(world: &mut World) {
    let mut entry = world.entry(changeset(world), "a.txt");
    entry.before.clone_from(&entry.after);
    let tried = world.context().record_change(entry).await;
    world.attempt(tried);
}

#[when(expr = "I call get_changeset with the active changeset_id")]
async fn get(world: &mut World) {
    let got = world.context().get_changeset(&changeset(world)).await.unwrap();
    world.got.push(got);
}

#[when(expr = "I call get_changeset with a nonexistent ID")]
async fn get_unknown(world: &mut World) {
    let unknown = ChangeSetId::new(world.clock.new_id());
    let got = world.context().get_changeset(&unknown).await.unwrap();
    world.got.push(got);
}

#[when(expr = "I ask the store for the changesets of the plan")]
async fn get_for_plan(world: &mut World) {
    let plan_id = world.plan_id();
    world.listed = world.context().changeset_store().get_for_plan(&plan_id).await.unwrap();
}

#[then(expr = "the returned changeset_id should be a valid ULID string")]
fn the_id_is_a_ulid(world: &mut World) {
    let id = changeset(world);
    assert!(UlidText::parse(id.as_str(), "changeset_id").is_ok());
}

#[then(expr = "the active_changeset_ids should contain the new ID")]
fn the_id_is_active(world: &mut World) {
    assert_eq!(world.context().active_changeset_ids(), [changeset(world)]);
}

#[then(expr = "the changeset should contain the recorded entry")]
async fn holds_the_entry(world: &mut World) {
    holds_all(world).await;
    assert_eq!(world.recorded.len(), 1);
}

#[then(expr = "the changeset should contain exactly three entries")]
async fn holds_three(world: &mut World) {
    holds_all(world).await;
    assert_eq!(world.recorded.len(), 3);
}

#[then(expr = "the changeset should contain exactly {int} entry/entries")]
async fn holds_so_many(world: &mut World, count: usize) {
    let set = world.context().get_changeset(&changeset(world)).await.unwrap().expect("it was started");
    assert_eq!(set.entries().len(), count);
}

#[then(expr = "a PlanError should be raised about no active changeset")]
fn no_active(world: &mut World) {
    let error = world.problem().plan();
    assert!(matches!(error, PlanError::NoActiveChangeset), "{error:?}");
    assert!(error.to_string().contains("no active changeset"), "{error}");
}

#[then(expr = "the returned changeset should not be None")]
fn got_one(world: &mut World) {
    let set = got(world).expect("a changeset");
    assert_eq!(set.id(), changeset(world));
    assert_eq!(set.entries(), world.recorded);
}

#[then(expr = "the returned changeset should be None")]
fn got_none(world: &mut World) {
    assert!(got(world).is_none());
}

#[then(expr = "the changeset plan_id should match")]
fn the_plan_matches(world: &mut World) {
    let expected = world.plan_id();
    let set = got(world).expect("a changeset");
    assert_eq!(set.plan_id(), expected);
}

#[then(expr = "the newest changeset should hold {int} entry/entries and the one before it {int}")]
async fn newest_and_before(world: &mut World, newest: usize, before: usize) {
    let ids = world.context().active_changeset_ids();
    let mut counts = Vec::new();
    for id in ids.iter().rev().take(2) {
        counts.push(world.context().get_changeset(id).await.unwrap().unwrap().entries().len());
    }
    assert_eq!(counts, [newest, before]);
}

#[then(expr = "they should be the active ones, oldest first")]
fn oldest_first(world: &mut World) {
    let listed: Vec<_> = world.listed.iter().map(SpecChangeSet::id).collect();
    assert_eq!(listed, world.context().active_changeset_ids());
}

/// Records a change and remembers it.
async fn record(world: &mut World, path: &str) {
    let entry = world.entry(changeset(world), path);
    world.context().record_change(entry.clone()).await.unwrap();
    world.recorded.push(entry);
}

/// The changeset holds what was recorded, all of it, in that order.
async fn holds_all(world: &mut World) {
    let set = world.context().get_changeset(&changeset(world)).await.unwrap().expect("it was started");
    assert_eq!(set.entries(), world.recorded);
}

fn got(world: &World) -> Option<&SpecChangeSet> {
    world.got.last().expect("get_changeset was called").as_ref()
}

fn changeset(world: &World) -> ChangeSetId {
    world.changeset_id.expect("a changeset was started")
}
