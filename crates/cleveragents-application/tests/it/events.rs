//! Events are the log: gap-free, and the same for a late reader.

use std::sync::{Arc, Mutex};

use cleveragents_application::domain::PlanId;
use cleveragents_application::{Event, EventKind};

use crate::support::{CountingTool, counting_plan, executor, lifecycle};

async fn run(heard: &Arc<Mutex<Vec<Event>>>) -> (cleveragents_application::PlanLifecycleService, PlanId) {
    let service = lifecycle(Arc::default());
    let file = counting_plan(2, None);
    let plan = service.create(&file).await.unwrap();
    let ears = heard.clone();
    let callback: cleveragents_application::StreamCallback =
        Arc::new(move |event: &Event| ears.lock().unwrap().push(event.clone()));
    let executor = executor(&service, &file, &plan, CountingTool::new(), Some(callback));
    executor.run_strategize(plan.as_str()).await.unwrap();
    executor.run_execute(plan.as_str()).await.unwrap();
    (service, plan)
}

#[tokio::test]
async fn a_late_reader_sees_what_an_early_listener_heard() {
    let heard = Arc::default();
    let (service, plan) = run(&heard).await;
    let all = service.events(&plan, 1).await.unwrap();
    let heard = heard.lock().unwrap().clone();
    let first = heard[0].position.unwrap().0;
    assert_eq!(service.events(&plan, first).await.unwrap(), heard);
    let mut expected = (1, 0);
    for event in &all {
        let at = event.position.unwrap();
        assert!(at == expected || at == (expected.0 + 1, 0), "{at:?} after {expected:?}");
        expected = (at.0, at.1 + 1);
    }
}

#[tokio::test]
async fn names_are_stable() {
    let heard = Arc::default();
    run(&heard).await;
    let names: Vec<String> = heard
        .lock()
        .unwrap()
        .iter()
        .map(|e| serde_json::to_value(e).unwrap()["event"].as_str().unwrap().to_owned())
        .filter(|name| name != "plan_moved")
        .collect();
    let step = ["runtime_execute_step", "tool_call_started", "tool_call_finished"];
    let expected =
        ["strategize_started", "strategize_decisions", "strategize_complete", "runtime_execute_started"]
            .into_iter()
            .chain(["changeset_started"])
            .chain(step)
            .chain(step)
            .chain(["changeset_sealed", "runtime_execute_complete"]);
    assert_eq!(names, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn nothing_is_told_before_its_commit() {
    let heard = Arc::default();
    let (service, plan) = run(&heard).await;
    let head = service.view(&plan).await.unwrap().seq;
    let last = heard.lock().unwrap().last().cloned().unwrap();
    assert_eq!(last.position.unwrap().0, head);
    assert!(matches!(last.kind, EventKind::PlanMoved { .. }));
}
