//! Apply and rollback: the real project in one step, and back.

use cleveragents_application::PlanError;
use cleveragents_domain::{ApplyStage, Conflict};
use cucumber::gherkin::Step;
use cucumber::{given, then, when};

use crate::double::Corrupting;
use crate::world::{Problem, World};

#[given(expr = "something spoils {string} after each write of the project")]
fn spoils(world: &mut World, path: String) {
    world.planned.spoilt = Some(world.project().join(path));
}

#[given(expr = "nothing spoils the project any more")]
#[when(expr = "nothing spoils the project any more")]
fn spoils_no_more(world: &mut World) {
    world.planned.spoilt = None;
}

#[given(expr = "the plan is applied")]
async fn applied(world: &mut World) {
    apply(world).await;
    assert!(world.problem.is_none(), "{:?}", world.problem);
}

#[when(expr = "apply runs")]
#[when(expr = "apply runs again")]
async fn apply(world: &mut World) {
    let (lifecycle, id, target) = (world.lifecycle(), world.id(), world.target());
    let tried = match world.planned.spoilt.clone() {
        Some(file) => lifecycle.apply(&id, &Corrupting { inner: target, file }).await,
        None => lifecycle.apply(&id, &target).await,
    };
    world.planned.applied = world.attempt(tried);
}

#[when(expr = "rollback runs")]
#[when(expr = "rollback runs again")]
async fn rollback(world: &mut World) {
    let (lifecycle, id, target) = (world.lifecycle(), world.id(), world.target());
    let tried = lifecycle.rollback(&id, &target).await;
    world.planned.rolled_back = world.attempt(tried);
}

/// Operation and path of every change that was written and read back.
#[then(expr = "apply should have written:")]
fn has_written(world: &mut World, step: &Step) {
    let applied = world.planned.applied.as_ref();
    let applied = applied.unwrap_or_else(|| panic!("apply failed: {:?}", world.problem));
    assert_eq!(table(&applied.changes), rows(step));
}

#[then(expr = "apply should have written nothing")]
fn has_written_nothing(world: &mut World) {
    assert_eq!(world.planned.applied.as_ref().expect("apply succeeded").changes, []);
}

#[then(expr = "rollback should have written:")]
fn has_written_back(world: &mut World, step: &Step) {
    let back = world.planned.rolled_back.as_ref();
    let back = back.unwrap_or_else(|| panic!("rollback failed: {:?}", world.problem));
    assert_eq!(table(&back.changes), rows(step));
}

#[then(expr = "it should list exactly the conflict(s) {string}")]
fn conflicts(world: &mut World, paths: String) {
    let Some(Problem::Plan(PlanError::Conflicts(conflicts))) = &world.problem else {
        panic!("no conflicts: {:?}", world.problem)
    };
    assert_eq!(listed(conflicts), paths);
}

#[then(expr = "it should list exactly {string} as differing")]
fn differing(world: &mut World, paths: String) {
    let Some(Problem::Plan(PlanError::TargetDiffers(differing))) = &world.problem else {
        panic!("nothing differs: {:?}", world.problem)
    };
    assert_eq!(listed(differing), paths);
}

#[then(expr = "the plan should remember the conflict(s) {string}")]
async fn remembered(world: &mut World, paths: String) {
    assert_eq!(listed(&world.view().await.conflicts), paths);
}

#[then(expr = "the plan should be known as rolled back")]
async fn rolled_back(world: &mut World) {
    assert_eq!(world.view().await.apply, ApplyStage::RolledBack);
}

#[then(expr = "the plan should never have been applied")]
async fn never_applied(world: &mut World) {
    let id = world.id();
    let events = world.lifecycle().events(&id, 1).await.unwrap();
    assert!(events.iter().all(|event| crate::double::name_of(event) != "apply_applied"));
}

fn listed(conflicts: &[Conflict]) -> String {
    conflicts.iter().map(|c| c.path.to_text()).collect::<Vec<_>>().join(", ")
}

fn table(changes: &[cleveragents_domain::NetChange]) -> Vec<Vec<String>> {
    changes
        .iter()
        .map(|c| vec![c.operation().expect("a change").as_str().to_owned(), c.path.to_text()])
        .collect()
}

fn rows(step: &Step) -> Vec<Vec<String>> {
    step.table.as_ref().expect("a table").rows[1..].to_vec()
}
