use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use cleveragents_runtime::domain::{Gate, Phase, Profile, Timestamp};
use cleveragents_runtime::{Approval, ApprovalRequest, Approver, Capabilities, Refusal};
use cleveragents_testkit::fake::Scene;
use serde_json::json;

use crate::toy::{Act, Toy};

struct Answers(Approval, Arc<AtomicUsize>);

#[async_trait]
impl Approver for Answers {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        assert_eq!((request.tool.as_deref(), &request.input), (Some("toy"), &Some(json!({ "times": 2 }))));
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.clone()
    }
}

async fn refusal(scene: &Scene) -> Refusal {
    let report = scene.call("toy", json!({ "times": 2 })).await;
    assert!(!report.succeeded());
    assert_eq!(scene.workspace().get("made"), None, "it ran");
    assert_eq!(scene.usage.plan_calls(), 0, "a refused call counts for nothing");
    report.refusal.expect("is refused")
}

#[tokio::test]
async fn the_order_is_lists_capability_phase_limits_approval() {
    let asked = Arc::new(AtomicUsize::new(0));
    let closed = |toy: Toy| {
        let mut scene = toy.scene();
        scene.policy.profile = Profile::named("manual").unwrap();
        scene.policy.limits.tool_calls = Some(0);
        scene.phase = Phase::Strategize;
        scene.approver = Box::new(Answers(Approval::Denied { reason: "no".to_owned() }, Arc::clone(&asked)));
        scene
    };
    let lists = |scene: &mut Scene, deny: &[&str], allow: &[&str]| {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        scene.policy.deny_tools = set(deny);
        scene.policy.allow_tools = Some(set(allow));
    };
    // Everything is closed. What is found first is opened, one by one.
    let mut scene = closed(Toy::new(Capabilities::READ, Act::Write).asks([Gate::Write]));
    lists(&mut scene, &["toy"], &["toy"]);
    assert_eq!(refusal(&scene).await, Refusal::Listed { tool: "toy".to_owned() });
    lists(&mut scene, &[], &["another"]);
    assert_eq!(refusal(&scene).await, Refusal::Listed { tool: "toy".to_owned() });
    lists(&mut scene, &[], &["toy"]);
    assert_eq!(refusal(&scene).await, Refusal::Capability { tool: "toy".to_owned(), gate: Gate::Write });

    let mut scene = closed(Toy::new(Capabilities::WRITE, Act::Write));
    let found = refusal(&scene).await;
    assert_eq!(found, Refusal::Phase { tool: "toy".to_owned(), gate: Gate::Write, phase: Phase::Strategize });
    scene.phase = Phase::Execute;
    assert_eq!(refusal(&scene).await, Refusal::Limit { what: "tool calls in the plan", limit: 0 });
    assert_eq!(asked.load(Ordering::SeqCst), 0, "nobody is asked about what is refused anyway");
    scene.policy.limits.tool_calls = None;
    assert_eq!(refusal(&scene).await, Refusal::ByPerson { gate: Gate::Write, reason: "no".to_owned() });
    scene.approver = Box::new(cleveragents_runtime::NoApprover);
    let found = refusal(&scene).await;
    assert_eq!(found, Refusal::Unanswered { profile: "manual".to_owned(), gate: Gate::Write });
    assert!(
        scene.log.words().iter().all(|word| *word == "refused"),
        "each is recorded, and none has an intent"
    );

    scene.approver = Box::new(Answers(Approval::Approved, Arc::clone(&asked)));
    assert!(scene.call("toy", json!({ "times": 2 })).await.succeeded());
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert_eq!(scene.usage.plan_calls(), 1);
}

#[tokio::test]
async fn a_profile_denies_and_a_person_opens() {
    let mut scene = Toy::new(Capabilities::WRITE, Act::Write).asks([Gate::Write, Gate::Network]).scene();
    scene.policy.profile = Profile::named("ci").unwrap();
    assert_eq!(refusal(&scene).await, Refusal::Denied { profile: "ci".to_owned(), gate: Gate::Network });
    scene.policy.opened.insert(Gate::Network);
    assert!(scene.call("toy", json!({})).await.succeeded());
}

#[tokio::test]
async fn every_limit_is_looked_at() {
    let toy = || Toy::new(Capabilities::WRITE, Act::Write).scene();
    let mut scene = toy();
    scene.policy.limits.tool_calls_per_decision = Some(0);
    assert_eq!(refusal(&scene).await, Refusal::Limit { what: "tool calls in this decision", limit: 0 });
    let mut scene = toy();
    scene.policy.limits.wall_time_ms = Some(1000);
    scene.started = Timestamp(1);
    assert_eq!(refusal(&scene).await, Refusal::Limit { what: "milliseconds of wall time", limit: 1000 });
    let mut scene = toy();
    scene.policy.limits.tool_calls = Some(2);
    for _ in 0..2 {
        assert!(scene.call("toy", json!({})).await.succeeded());
    }
    let report = scene.call("toy", json!({})).await;
    assert_eq!(report.refusal, Some(Refusal::Limit { what: "tool calls in the plan", limit: 2 }));
}
