//! A journal that fails at any one commit: nothing is acknowledged that is not there, and the plan goes on.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use cleveragents_application::domain::{CallOutcome, Move, PlanId, PlanView, ProcessingState};
use cleveragents_application::runtime::{Check, Target, TargetError};
use cleveragents_application::{PlanError, PlanLifecycleService};

use crate::support::{CountingTool, FaultyStore, counting_plan, executor, lifecycle};

/// A target that nothing is written to: these plans change no file.
struct NoTarget;

#[async_trait::async_trait]
impl Target for NoTarget {
    async fn check(
        &self,
        _: &[cleveragents_application::domain::NetChange],
        _: Check,
    ) -> Result<Vec<cleveragents_application::domain::Conflict>, TargetError> {
        Ok(Vec::new())
    }
    async fn write(
        &self,
        changes: &[cleveragents_application::domain::NetChange],
        _: Check,
        _: Arc<dyn cleveragents_application::domain::Blobs>,
        _: &str,
    ) -> Result<(), TargetError> {
        assert!(changes.is_empty());
        Ok(())
    }
    async fn read_back(
        &self,
        _: &[cleveragents_application::domain::NetChange],
    ) -> Result<Vec<cleveragents_application::domain::Conflict>, TargetError> {
        Ok(Vec::new())
    }
}

#[tokio::test]
async fn a_scripted_step_costs_one_commit() {
    let store = Arc::new(FaultyStore::default());
    let service = lifecycle(store.clone());
    let mut counts = Vec::new();
    for decisions in [10, 20] {
        let file = counting_plan(decisions, None);
        let plan = service.create(&file).await.unwrap();
        let executor = executor(&service, &file, &plan, CountingTool::new(), None);
        executor.run_strategize(plan.as_str()).await.unwrap();
        let before = store.commits.load(Ordering::SeqCst);
        executor.run_execute(plan.as_str()).await.unwrap();
        counts.push(store.commits.load(Ordering::SeqCst) - before);
    }
    assert_eq!(counts[1] - counts[0], 10, "ten more steps, ten more commits: {counts:?}");
}

/// Executes until it succeeds, each time as a new process would: another service over the same store.
async fn drive_to_the_end(store: &Arc<FaultyStore>, plan: &PlanId, tries: usize) -> PlanView {
    let file = counting_plan(4, None);
    for _ in 0..tries {
        let service = lifecycle(store.clone());
        let _ = service.recover(plan, &NoTarget).await;
        let Ok(view) = service.view(plan).await else { continue };
        let executor = executor(&service, &file, plan, CountingTool::new(), None);
        if view.state.phase == cleveragents_application::domain::Phase::Strategize {
            let _ = executor.run_strategize(plan.as_str()).await;
        }
        let _ = executor.run_execute(plan.as_str()).await;
        let _ = service.apply(plan, &NoTarget).await;
        let view = service.view(plan).await.unwrap();
        if view.state.state == ProcessingState::Applied {
            return view;
        }
    }
    panic!("the plan never came to its end");
}

#[tokio::test]
async fn a_failing_commit_anywhere_loses_nothing_and_repeats_nothing_that_was_acknowledged() {
    for writes_first in [false, true] {
        let mut tried = 0;
        for fails_at in 1..40 {
            let store = Arc::new(FaultyStore { writes_first, ..FaultyStore::default() });
            let service = lifecycle(store.clone());
            let file = counting_plan(4, None);
            store.fails_at.store(fails_at, Ordering::SeqCst);
            let Ok(plan) = service.create(&file).await else {
                tried += 1;
                continue;
            };
            let view = drive_to_the_end(&store, &plan, 4).await;
            if store.commits.load(Ordering::SeqCst) < fails_at {
                break;
            }
            tried += 1;
            let set = view.changeset().unwrap();
            let succeeded = |n: usize| {
                let id = view.decisions.decisions()[n].id;
                let calls = set.invocations().iter();
                calls.filter(|c| c.decision_id == id && c.outcome == CallOutcome::Succeeded).count()
            };
            for decision in 1..=4 {
                assert_eq!(succeeded(decision), 1, "fails_at {fails_at}, writes_first {writes_first}");
            }
            assert!(view.open_calls.is_empty());
            assert_eq!(set.seal(), Some(set.digest()));
        }
        assert!(tried >= 10, "only {tried} commits were made to fail");
    }
}

async fn failed_plan(service: &PlanLifecycleService) -> (PlanId, PlanError) {
    let file = counting_plan(3, Some(1));
    let plan = service.create(&file).await.unwrap();
    let executor = executor(service, &file, &plan, CountingTool::new(), None);
    executor.run_strategize(plan.as_str()).await.unwrap();
    let error = executor.run_execute(plan.as_str()).await.unwrap_err();
    (plan, error)
}

#[tokio::test]
async fn a_failed_phase_keeps_its_error_in_typed_fields() {
    let service = lifecycle(Arc::default());
    let (plan, error) = failed_plan(&service).await;
    assert!(matches!(error, PlanError::CallFailed(_)));
    let view = service.view(&plan).await.unwrap();
    assert_eq!(view.state.to_string(), "execute/errored");
    let failure = view.failure.as_ref().unwrap();
    assert!(failure.error_message.contains("told to fail"), "{failure:?}");
    assert_eq!(failure.error_details.exception_type, "ToolError");
    assert_eq!(failure.error_details.chain[0], failure.error_message);
    assert!(view.after(Move::Retry).is_ok() && view.after(Move::Complete).is_err());
}

#[tokio::test]
async fn a_retry_has_all_that_the_first_try_had() {
    // R7: the strategy of the first try is still there, in fields that no failure overwrites.
    let store: Arc<FaultyStore> = Arc::default();
    let (plan, _) = failed_plan(&lifecycle(store.clone())).await;
    let before = lifecycle(store.clone()).view(&plan).await.unwrap();
    let service = lifecycle(store);
    let file = counting_plan(3, Some(1));
    let again = executor(&service, &file, &plan, CountingTool::new(), None);
    again.run_execute(plan.as_str()).await.unwrap_err();
    let after = service.view(&plan).await.unwrap();
    assert_eq!(before.decisions, after.decisions);
    assert_eq!(before.spec, after.spec);
    assert_eq!(after.changesets.len(), 1, "a retry goes on in the same changeset");
    let outcomes: Vec<&str> =
        after.changeset().unwrap().invocations().iter().map(|c| c.outcome.as_str()).collect();
    assert_eq!(outcomes, ["succeeded", "failed", "failed"], "what succeeded did not run again");
}

#[tokio::test]
async fn two_services_on_one_store_cannot_both_execute() {
    // R8: a stale view is found by the compare-and-swap, before anything runs.
    let store: Arc<FaultyStore> = Arc::default();
    let (one, two) = (lifecycle(store.clone()), lifecycle(store));
    let file = counting_plan(2, None);
    let plan = one.create(&file).await.unwrap();
    let first = executor(&one, &file, &plan, CountingTool::new(), None);
    let second = executor(&two, &file, &plan, CountingTool::new(), None);
    assert_eq!(two.view(&plan).await.unwrap().state.to_string(), "strategize/queued");
    first.run_strategize(plan.as_str()).await.unwrap();
    first.run_execute(plan.as_str()).await.unwrap();
    let refused = second.run_execute(plan.as_str()).await.unwrap_err();
    assert!(matches!(refused, PlanError::State { .. }), "{refused}");
    assert_eq!(two.view(&plan).await.unwrap().state.to_string(), "apply/queued");
}
