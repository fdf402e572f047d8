//! A call that was cut short while it ran unconfined: what it did elsewhere cannot be seen, so a person looks first.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::json;

use crate::support::{Case, Flag, Running, plan, processes_naming, shell, stamps, wait_until};

/// A plan whose second call was killed while it ran unconfined; what ran is noted outside the project.
fn killed(flag: &Flag) -> (Case, String, PathBuf) {
    let case = Case::new().without_bubblewrap();
    case.file("a.txt", "a\n");
    let outside = case.beside("outside.log");
    let first = format!("echo ran >> '{}'", outside.display());
    let second = format!("{first}; {}", flag.wait_command("left.txt"));
    let calls = [shell(&first), shell(&second)];
    let (running, _) = Running::until_made(&case, &plan(&calls), &["--allow", "unsafe"], "left.txt");
    running.signal(Signal::KILL);
    assert_eq!(running.end().code, None);
    flag.raise();
    wait_until("the orphan is gone", || processes_naming(&flag.path()).is_empty());
    let id = case.json(0, &["plan", "list"])["data"]["plans"][0]["plan_id"].as_str().unwrap().to_owned();
    (case, id, outside)
}

#[test]
fn a_killed_unconfined_call_is_parked() {
    let flag = Flag::new();
    let (case, id, outside) = killed(&flag);
    let untouched = stamps(&case.project);
    let runs = || fs::read_to_string(&outside).unwrap().lines().count();
    assert_eq!(runs(), 2);
    let status = case.agents(&["plan", "status", &id]).exits(0);
    status.says(&[
        "State execute/processing",
        "[1 of 2 calls]",
        "no outcome yet: call 1 (shell, UNCONFINED)",
    ]);
    let open = case.json(0, &["plan", "status", &id])["data"]["open_calls"].take();
    assert_eq!((&open[0]["index"], &open[0]["granted"]), (&1.into(), &json!(["shell", "unsafe"])));

    let parked = case.json(3, &["plan", "execute", &id]);
    assert_eq!(
        (&parked["error"]["code"], &parked["data"]["state"]),
        (&"parked".into(), &"execute/errored".into())
    );
    let again = case.agents(&["plan", "execute", &id]).exits(3);
    again.complains(&["call 1 of decision", "(shell) was cut short", "--repeat-interrupted"]);
    assert_eq!(runs(), 2, "nothing ran again");

    let done = case.json(0, &["plan", "execute", &id, "--repeat-interrupted"]);
    assert_eq!(done["data"]["state"], "apply/queued");
    assert_eq!(done["data"]["summary"]["invocations"]["shell"], json!({ "succeeded": 2, "interrupted": 1 }));
    assert_eq!(done["data"]["confinement"], json!({ "unconfined": 3 }), "also the one that was cut short");
    assert_eq!(done["data"]["summary"]["operations"], json!({ "create": 1 }));
    assert_eq!(runs(), 3, "only the call that was cut short was repeated");
    assert_eq!(stamps(&case.project), untouched);
}

/// How it ran is a matter of the record, not of the machine that goes on with it.
#[test]
fn it_is_parked_also_where_commands_could_be_confined_now() {
    let flag = Flag::new();
    let (mut case, id, outside) = killed(&flag);
    case.with_whole_path();
    assert_eq!(case.json(3, &["plan", "execute", &id])["error"]["code"], "parked");
    assert_eq!(fs::read_to_string(&outside).unwrap().lines().count(), 2, "nothing ran again");
    // Given up, it is over.
    assert_eq!(case.json(0, &["plan", "cancel", &id])["data"]["state"], "execute/cancelled");
    case.agents(&["plan", "execute", &id, "--repeat-interrupted"]).exits(1).complains(&["it was cancelled"]);
}
