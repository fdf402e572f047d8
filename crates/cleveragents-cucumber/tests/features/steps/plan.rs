//! A journaled plan: from its file to its last record.

use cleveragents_application::{ExecuteOutcome, PlanFile};
use cleveragents_domain::{Body, CallOutcome, DecisionKind, Gate, PlanQuery, PlanRow};
use cucumber::gherkin::Step;
use cucumber::{given, then, when};

use crate::world::World;

#[given(expr = "a plan file:")]
fn a_file(world: &mut World, step: &Step) {
    try_a_file(world, step);
    assert!(world.planned.file.is_some(), "{:?}", world.problem);
}

#[when(expr = "I attempt to read a plan file:")]
fn try_a_file(world: &mut World, step: &Step) {
    let text = step.docstring.as_ref().expect("a plan file");
    world.planned.file = world.attempt(PlanFile::parse(text));
}

#[given(expr = "the stub is asked for")]
fn as_stub(world: &mut World) {
    world.planned.file = world.planned.file.take().map(PlanFile::as_stub);
}

/// A person types the commands, which answers the `ask` of each phase itself.
#[given(expr = "a person who types the commands")]
fn a_person(world: &mut World) {
    world.planned.consent = [Gate::Strategize, Gate::Execute].into();
}

#[given(expr = "nobody types the commands")]
fn nobody(world: &mut World) {
    world.planned.consent.clear();
}

#[given(expr = "the plan is created")]
async fn created(world: &mut World) {
    try_to_create(world).await;
    assert!(world.planned.id.is_some(), "{:?}", world.problem);
}

#[when(expr = "I attempt to create the plan")]
async fn try_to_create(world: &mut World) {
    let lifecycle = world.lifecycle();
    let created = match (world.planned.spec.clone(), world.planned.file.clone()) {
        (Some(spec), _) => lifecycle.create_from(spec).await,
        (None, file) => lifecycle.create(&file.expect("a plan file was given")).await,
    };
    world.planned.id = world.attempt(created);
}

#[given(expr = "the plan is strategized")]
async fn strategized(world: &mut World) {
    created(world).await;
    strategize(world).await;
    assert!(world.problem.is_none(), "{:?}", world.problem);
}

#[given(expr = "the plan is executed")]
async fn executed(world: &mut World) {
    strategized(world).await;
    execute(world).await;
    assert!(world.problem.is_none(), "{:?}", world.problem);
}

#[when(expr = "strategize runs")]
async fn strategize(world: &mut World) {
    let tried = world.strategize().await;
    world.planned.strategized = world.attempt(tried);
}

#[when(expr = "execute runs")]
#[when(expr = "execute runs again")]
async fn execute(world: &mut World) {
    let tried = world.execute().await;
    world.outcome = world.attempt(tried);
}

#[then(expr = "the plan should be in {string}")]
async fn is_in(world: &mut World, state: String) {
    let view = world.view().await;
    assert_eq!(view.state.to_string(), state, "failure: {:?}", view.failure);
    // The list of plans says the same.
    assert_eq!(row(world).await.state, view.state);
}

#[then(expr = "its failure should be of kind {string}")]
async fn failure_kind(world: &mut World, kind: String) {
    let failure = world.view().await.failure.expect("the plan says why");
    assert_eq!(failure.kind.as_str(), kind, "{failure:?}");
}

#[then(expr = "its error_message should contain {string}")]
async fn failure_message(world: &mut World, words: String) {
    let failure = world.view().await.failure.expect("the plan says why");
    assert!(failure.error_message.contains(&words), "{failure:?}");
}

#[then(expr = "its error_details should have the exception_type {string} and the mode {string}")]
async fn failure_details(world: &mut World, exception: String, mode: String) {
    let failure = world.view().await.failure.expect("the plan says why");
    let details = serde_json::to_value(&failure.error_details).unwrap();
    assert_eq!(
        (&details["exception_type"], &details["mode"]),
        (&exception.into(), &mode.into()),
        "{details}"
    );
    assert_eq!(details["chain"][0], failure.error_message);
}

#[then(expr = "it should have no failure")]
async fn no_failure(world: &mut World) {
    assert_eq!(world.view().await.failure, None);
}

#[then(expr = "the plan should have {int} changeset(s)")]
async fn so_many_changesets(world: &mut World, count: usize) {
    assert_eq!(world.view().await.changesets.len(), count);
}

/// Tool and outcome of every call, in order.
#[then(expr = "the changeset should have the calls:")]
async fn has_the_calls(world: &mut World, step: &Step) {
    let set = world.changeset().await;
    let seen = set.invocations().iter().map(|i| vec![i.tool.clone(), i.outcome.as_str().to_owned()]);
    assert_eq!(seen.collect::<Vec<_>>(), rows(step));
}

#[then(expr = "the changeset should have no calls")]
async fn has_no_calls(world: &mut World) {
    assert_eq!(world.changeset().await.invocations(), []);
}

/// Operation and path of every entry, in order; each is attributed to a call of this changeset and to its decision.
#[then(expr = "the changeset should have the changes:")]
async fn has_the_changes(world: &mut World, step: &Step) {
    let set = world.changeset().await;
    let seen = set.entries().iter().map(|entry| {
        let operation = entry.operation().expect("a change changes something");
        vec![operation.as_str().to_owned(), entry.path.to_text()]
    });
    assert_eq!(seen.collect::<Vec<_>>(), rows(step));
    for entry in set.entries() {
        let cleveragents_domain::Attribution::ToolCall(call) = entry.attribution else {
            panic!("{entry:?} has no call")
        };
        let by = set.invocations().iter().find(|i| i.id == call).expect("the call is in the changeset");
        assert_eq!((by.decision_id, by.outcome), (entry.decision_id, CallOutcome::Succeeded));
    }
}

#[then(expr = "the changeset should be empty")]
async fn is_empty(world: &mut World) {
    let set = world.changeset().await;
    assert_eq!(set.entries(), []);
    assert_eq!(set.net(), []);
}

/// Operation and path of what the last failed call had done.
#[then(expr = "the failed call should have discarded:")]
async fn has_discarded(world: &mut World, step: &Step) {
    let bodies = world.bodies().await;
    let discarded = bodies.iter().rev().find_map(|body| match body {
        Body::Outcome { invocation, discarded, .. } if invocation.outcome != CallOutcome::Succeeded => {
            Some(discarded)
        }
        _ => None,
    });
    let seen = discarded.expect("a call failed").iter();
    let seen = seen.map(|d| vec![d.operation.as_str().to_owned(), d.path.to_text()]);
    assert_eq!(seen.collect::<Vec<_>>(), rows(step));
}

#[then(expr = "the changeset should be sealed by its own digest")]
async fn is_sealed(world: &mut World) {
    let set = world.changeset().await;
    assert_eq!(set.seal(), Some(set.digest()));
}

#[then(expr = "the changeset should not be sealed")]
async fn is_open(world: &mut World) {
    assert_eq!(world.changeset().await.seal(), None);
}

#[then(expr = "the outcome should say that {int} tool call(s) was/were made")]
async fn outcome_counts(world: &mut World, count: u64) {
    let outcome = world.outcome.clone().expect("execute succeeded");
    assert_eq!(outcome.tool_call_count(), count);
    assert_eq!(outcome.changeset_id(), world.changeset().await.id());
}

#[then(expr = "the outcome should be the stub's, with {int} decision(s) and no sandbox")]
fn outcome_of_the_stub(world: &mut World, decisions: usize) {
    let Some(ExecuteOutcome::Stub(result)) = &world.outcome else { panic!("{:?}", world.outcome) };
    assert!(result.stub);
    assert_eq!(result.decision_ids_processed.len(), decisions);
    assert!(result.sandbox_refs.is_empty());
}

#[then(expr = "the plan should have {int} decisions, the root first")]
async fn so_many_decisions(world: &mut World, count: usize) {
    let tree = world.view().await.decisions;
    assert_eq!(tree.decisions().len(), count);
    assert_eq!(tree.root().map(|root| root.kind), Some(DecisionKind::PromptDefinition));
    assert_eq!(world.planned.strategized.as_ref().unwrap().decisions, tree.decisions());
}

#[then(expr = "no decision should have a call")]
async fn no_decision_calls(world: &mut World) {
    assert!(world.view().await.decisions.decisions().iter().all(|decision| decision.calls.is_empty()));
}

#[then(expr = "the plan should be listed as a stub")]
async fn listed_as_stub(world: &mut World) {
    assert!(row(world).await.stub);
}

#[then(expr = "the plan should not be listed as a stub")]
async fn not_listed_as_stub(world: &mut World) {
    assert!(!row(world).await.stub);
}

async fn row(world: &mut World) -> PlanRow {
    let rows = world.lifecycle().plans(&PlanQuery::default()).await.unwrap();
    rows.into_iter().find(|row| row.plan_id == world.id()).expect("the plan is listed")
}

fn rows(step: &Step) -> Vec<Vec<String>> {
    step.table.as_ref().expect("a table").rows[1..].to_vec()
}
