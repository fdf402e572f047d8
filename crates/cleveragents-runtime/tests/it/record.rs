use std::sync::atomic::Ordering;

use cleveragents_runtime::domain::{Attribution, Digest, NodeState, Operation};
use cleveragents_runtime::{Capabilities, Content, RunnerError};
use cleveragents_testkit::fake::Logged;
use serde_json::json;

use crate::toy::{Act, Toy};

#[tokio::test]
async fn the_outcome_says_what_really_changed() {
    let scene = Toy::new(Capabilities::WRITE, Act::Write).scene();
    scene.workspace().put("made", "one\ntwo\n");
    let report = scene.call("toy", json!({ "times": 1 })).await;
    let told = scene.log.told();
    let [Logged::Intent(call), Logged::Outcome(finished)] = &told[..] else { panic!("{told:?}") };
    assert_eq!((call.id, &call.input), (report.invocation.id, &json!({ "times": 1 })));
    assert_eq!(finished.invocation, report.invocation);
    assert_eq!(finished.entries, report.entries);
    let [entry] = &finished.entries[..] else { panic!("{:?}", finished.entries) };
    assert_eq!(entry.operation(), Some(Operation::Modify));
    assert_eq!(entry.attribution, Attribution::ToolCall(call.id));
    assert_eq!(entry.decision_id, call.decision_id);
    let mode = entry.before.as_ref().unwrap().mode;
    assert_eq!(entry.before, Some(NodeState::file(b"one\ntwo\n", mode)));
    assert_eq!(entry.after, Some(NodeState::file(b"by the toy", mode)));
    assert_eq!(entry.lines.map(|lines| (lines.added, lines.removed)), Some((1, 2)));
    entry.validate().unwrap();
    // Every content that the entry names comes with it.
    for state in [&entry.before, &entry.after] {
        let wanted = state.as_ref().unwrap().content.unwrap();
        let brought =
            |content: &Content| matches!(content, Content::Small(bytes) if Digest::of(bytes) == wanted);
        assert!(finished.contents.iter().any(brought));
    }
}

#[tokio::test]
async fn without_an_intent_nothing_runs() {
    let scene = Toy::new(Capabilities::WRITE, Act::Write).scene();
    scene.log.fail_intent.store(true, Ordering::SeqCst);
    let error = scene.try_call("toy", json!({})).await.unwrap_err();
    assert!(matches!(&error, RunnerError::Log(cause) if cause.to_string() == "the log is full"), "{error:?}");
    assert_eq!((scene.workspace().get("made"), scene.usage.plan_calls()), (None, 0));
    scene.log.fail_intent.store(false, Ordering::SeqCst);
    assert!(scene.call("toy", json!({})).await.succeeded(), "the workspace is free again");
}

#[tokio::test]
async fn what_cannot_be_recorded_is_taken_back() {
    for act in [Act::Write, Act::WriteAndFail] {
        let scene = Toy::new(Capabilities::WRITE, act).scene();
        scene.workspace().put("made", "before");
        scene.log.fail_outcome.store(true, Ordering::SeqCst);
        let error = scene.try_call("toy", json!({})).await.unwrap_err();
        assert!(matches!(error, RunnerError::Log(_)), "{error:?}");
        assert_eq!(scene.workspace().get("made").unwrap(), b"before");
        scene.log.fail_outcome.store(false, Ordering::SeqCst);
        scene.call("toy", json!({})).await;
    }
}
