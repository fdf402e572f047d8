use std::time::Duration;

use cleveragents_runtime::domain::{CallOutcome, Operation};
use cleveragents_runtime::{Capabilities, OnFailure};
use serde_json::json;

use crate::toy::{Act, Toy};

fn toy(act: Act) -> cleveragents_testkit::fake::Scene {
    Toy::new(Capabilities::WRITE, act).scene()
}

#[tokio::test]
async fn the_changes_of_a_failed_call_are_taken_back_or_kept() {
    let mut scene = toy(Act::WriteAndFail);
    let report = scene.call("toy", json!({})).await;
    assert_eq!(report.invocation.error.as_deref(), Some("it did not work"));
    assert_eq!(report.invocation.output, json!("what there was to show"));
    assert!(report.entries.is_empty());
    assert_eq!(report.discarded[0].path.to_text(), "made");
    assert_eq!(report.discarded[0].operation, Operation::Create);
    assert_eq!(scene.workspace().get("made"), None);

    scene.on_failure = OnFailure::Keep;
    let report = scene.call("toy", json!({})).await;
    assert_eq!(report.invocation.outcome, CallOutcome::Failed);
    assert_eq!((report.entries.len(), report.discarded.len()), (1, 0));
    assert!(scene.workspace().get("made").is_some());
}

#[tokio::test]
async fn a_panic_is_a_failure_of_the_call() {
    let scene = toy(Act::WriteAndPanic);
    for _ in 0..2 {
        assert_eq!(scene.error("toy", json!({})).await, "the tool panicked");
        assert_eq!(scene.workspace().get("made"), None);
    }
    assert_eq!(scene.log.words(), ["intent", "outcome", "intent", "outcome"]);
}

#[tokio::test(start_paused = true)]
async fn time_runs_out() {
    for act in [Act::WriteAndWait, Act::WriteAndHang] {
        let mut scene = toy(act);
        scene.policy.limits.call_time_ms = 250;
        let report = scene.call("toy", json!({})).await;
        assert_eq!(report.invocation.outcome, CallOutcome::TimedOut);
        assert_eq!(report.invocation.error.as_deref(), Some("the call took longer than 250 ms"));
        assert_eq!((report.entries.len(), report.discarded.len()), (0, 1));
        assert_eq!(scene.workspace().get("made"), None);
    }
}

#[tokio::test(start_paused = true)]
async fn the_plans_time_counts_for_its_calls() {
    let mut scene = toy(Act::WriteAndWait);
    scene.policy.limits.wall_time_ms = Some(10_000);
    let report = scene.call("toy", json!({})).await;
    assert_eq!(report.invocation.outcome, CallOutcome::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_plan_stops_its_call() {
    for act in [Act::WriteAndWait, Act::WriteAndHang] {
        let scene = toy(act);
        let cancel = scene.cancel.clone();
        let stop = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            cancel.cancel();
        };
        let (report, ()) = tokio::join!(scene.call("toy", json!({})), stop);
        assert_eq!(report.invocation.outcome, CallOutcome::Cancelled);
        assert_eq!(report.invocation.error.as_deref(), Some("the plan was stopped"));
        assert_eq!(scene.workspace().get("made"), None);
    }
}
