//! The transition table, and the moves of a real plan.

use cleveragents_domain::{Batch, Body, Move, Phase, PlanState, ProcessingState};
use cucumber::{given, then, when};

use crate::world::World;

/// What the table's steps speak of: a state without a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    state: PlanState,
    apply_committed: bool,
    reversions: u32,
}

#[given(expr = "a plan state of {string}")]
fn a_state(world: &mut World, state: String) {
    world.place = Some(Place { state: parse(&state), apply_committed: false, reversions: 0 });
}

#[given(expr = "its apply is committed")]
fn committed(world: &mut World) {
    place(world).apply_committed = true;
}

#[given(expr = "it was reverted {int} times")]
fn reverted(world: &mut World, times: u32) {
    place(world).reversions = times;
}

#[when(expr = "it makes the move {string}")]
#[when(expr = "it attempts the move {string}")]
fn moves(world: &mut World, movement: String) {
    let movement = *Move::ALL.iter().find(|m| m.as_str() == movement).expect("a move");
    let Place { state, apply_committed, reversions } = *place(world);
    if let Some(next) = world.attempt(state.after(movement, apply_committed, reversions)) {
        place(world).state = next;
    }
}

#[then(expr = "the plan state should be {string}")]
fn is_now(world: &mut World, state: String) {
    assert!(world.problem.is_none(), "{:?}", world.problem);
    assert_eq!(place(world).state, parse(&state));
}

#[then(expr = "the move should be refused")]
fn is_refused(world: &mut World) {
    assert!(world.problem.is_some(), "it led to {}", place(world).state);
}

/// Over every state and every move, cancel and revert apart: they are rules, not edges.
#[then(expr = "exactly {int} moves should be legal before apply is committed, and {int} after it")]
fn so_many_edges(_: &mut World, before: usize, after: usize) {
    assert_eq!([legal(false), legal(true)], [before, after]);
}

fn legal(apply_committed: bool) -> usize {
    let states = Phase::ALL
        .iter()
        .flat_map(|phase| ProcessingState::ALL.iter().map(|state| PlanState::new(*phase, *state)));
    let edges = Move::ALL.iter().filter(|m| !matches!(m, Move::Cancel | Move::Revert));
    states
        .flat_map(|state| edges.clone().map(move |movement| state.after(*movement, apply_committed, 0)))
        .flatten()
        .count()
}

#[when(expr = "the plan is cancelled")]
async fn cancel(world: &mut World) {
    let (lifecycle, id) = (world.lifecycle(), world.id());
    let tried = lifecycle.cancel(&id).await;
    world.attempt(tried);
}

/// No operation of the lifecycle service reverts a plan yet: the record is committed as one would.
#[given(expr = "the plan is reverted")]
#[when(expr = "the plan is reverted")]
async fn revert(world: &mut World) {
    let view = world.view().await;
    let Some(to) = world.attempt(view.after(Move::Revert)) else { return };
    let body = Body::Transition {
        movement: Move::Revert,
        from: view.state,
        to,
        mode: None,
        failure: None,
        conflicts: Vec::new(),
    };
    let batch = Batch { recorded_at: world.clock.now(), bodies: vec![body], blobs: Vec::new() };
    world.lifecycle().store().commit(&view.plan_id, view.seq, batch).await.expect("the revert is committed");
}

#[then(expr = "the plan should count {int} reversion(s) and {int} retry/retries")]
async fn counts(world: &mut World, reversions: u32, retries: u32) {
    let view = world.view().await;
    assert_eq!((view.reversions, view.retries), (reversions, retries));
}

fn place(world: &mut World) -> &mut Place {
    world.place.as_mut().expect("a plan state was given")
}

fn parse(text: &str) -> PlanState {
    let (phase, state) = text.split_once('/').expect("phase/state");
    let phase = Phase::ALL.iter().find(|p| p.as_str() == phase).expect("a phase");
    let state = ProcessingState::ALL.iter().find(|s| s.as_str() == state).expect("a state");
    PlanState::new(*phase, *state)
}
