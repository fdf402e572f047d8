use cleveragents_runtime::domain::{CallOutcome, Gate, Phase};
use cleveragents_runtime::{Capabilities, Refusal};
use serde_json::json;

use crate::toy::{Act, Toy};

#[tokio::test]
async fn what_was_written_without_leave_is_put_back() {
    for phase in [Phase::Strategize, Phase::Execute] {
        // The path is not known before there is a workspace, so the workspace of another scene is taken over.
        let mut scene = Toy::new(Capabilities::READ, Act::Write).scene();
        let workspace = scene.workspace.take();
        let dir = workspace.as_ref().unwrap().sandbox();
        let mut scene = Toy::new(Capabilities::READ, Act::WriteTo(dir)).scene();
        scene.workspace = workspace;
        scene.phase = phase;
        scene.workspace().put("other", "stays");
        let report = scene.call("toy", json!({})).await;
        assert_eq!(report.refusal, Some(Refusal::WroteAnyway { tool: "toy".to_owned() }));
        assert_eq!(report.invocation.outcome, CallOutcome::Refused);
        assert!(report.entries.is_empty());
        assert_eq!(report.discarded.len(), 1);
        assert_eq!(
            (scene.workspace().get("made"), scene.workspace().get("other")),
            (None, Some(b"stays".to_vec()))
        );
        assert_eq!(scene.log.words(), ["intent", "outcome"], "it ran, and that is recorded");
    }
}

#[tokio::test]
async fn a_handle_is_no_more_than_was_granted() {
    // It says nothing of writing, so it gets files that cannot be written.
    let scene = Toy::new(Capabilities::default(), Act::Write).scene();
    assert_eq!(scene.error("toy", json!({})).await, "made: this call may only read");
    // The write gate is not the shell gate.
    let scene = Toy::new(Capabilities::WRITE, Act::CommandRoot).scene();
    assert_eq!(scene.error("toy", json!({})).await, "this call was not granted the shell gate");
    let scene = Toy::new(Capabilities::default(), Act::CommandRoot).asks([Gate::Shell]).scene();
    scene.output("toy", json!({})).await;
    assert_eq!(scene.workspace().get("made"), None);
}

#[tokio::test]
async fn a_plan_without_a_workspace_cannot_write() {
    let mut scene = Toy::new(Capabilities::WRITE, Act::Write).scene();
    scene.workspace = None;
    assert_eq!(scene.error("toy", json!({})).await, "this plan has no workspace to act in");
}

#[tokio::test]
async fn a_read_only_phase_still_reads() {
    let mut scene = Toy::new(Capabilities::READ, Act::Return(json!(7))).scene();
    scene.phase = Phase::Strategize;
    assert_eq!(scene.output("toy", json!({})).await, json!(7));
}
