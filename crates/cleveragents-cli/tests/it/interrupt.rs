//! Stopped in the middle: by Ctrl-C, by the system, by a second process that comes too early.

use rustix::process::Signal;
use serde_json::json;

use crate::support::{
    Case, Flag, Running, assert_same, plan, processes_naming, shell, stamps, tree, wait_until,
};

const UNSAFE: [&str; 2] = ["--allow", "unsafe"];

#[test]
fn a_signal_stops_a_plan_cleanly() {
    for signal in [Signal::INT, Signal::TERM] {
        let (case, flag) = (Case::new(), Flag::new());
        case.file("a.txt", "a\n");
        let untouched = stamps(&case.project);
        let calls = [shell("echo one > one.txt"), shell(&flag.wait_command("two.txt"))];
        let (running, _) = Running::until_made(&case, &plan(&calls), &UNSAFE, "two.txt");
        assert!(!processes_naming(&flag.path()).is_empty());
        running.signal(signal);
        let stopped = running.end().envelope(130);
        assert!(processes_naming(&flag.path()).is_empty(), "a child runs on");
        let data = &stopped["data"];
        assert_eq!(
            (&data["state"], &data["failure"]["kind"]),
            (&"execute/errored".into(), &"interrupted".into())
        );
        assert_eq!(data["summary"]["invocations"]["shell"], json!({ "succeeded": 1, "cancelled": 1 }));
        assert_eq!(stopped["error"]["detail"], json!(["taken back in the sandbox: two.txt (create)"]));
        assert_eq!(stamps(&case.project), untouched);

        flag.raise();
        let id = data["plan_id"].as_str().unwrap();
        let done = case.json(0, &["plan", "execute", id]);
        assert_eq!(done["data"]["state"], "apply/queued");
        assert_eq!(done["data"]["summary"]["operations"], json!({ "create": 2 }));
        assert_eq!(
            done["data"]["summary"]["invocations"]["shell"],
            json!({ "succeeded": 2, "cancelled": 1 })
        );
    }
}

#[test]
fn a_killed_run_is_taken_over_and_its_confined_call_repeated() {
    let (case, flag) = (Case::new(), Flag::new());
    case.file("a.txt", "a\n");
    let untouched = stamps(&case.project);
    // What the call had done when it was cut short must not be there when it is repeated.
    let second = format!("test ! -e left.txt; rm a.txt || exit 7; {}", flag.wait_command("left.txt"));
    let calls = [shell("echo one >> one.txt"), shell(&second)];
    let (running, _) = Running::until_made(&case, &plan(&calls), &UNSAFE, "left.txt");
    running.signal(Signal::KILL);
    assert_eq!(running.end().code, None);
    let id = case.json(0, &["plan", "list"])["data"]["plans"][0]["plan_id"].as_str().unwrap().to_owned();
    let status = case.agents(&["plan", "status", &id]).exits(0);
    status.says(&["State execute/processing", "[1 of 2 calls]", "no outcome yet: call 1 (shell"]);

    let confined = case.confined();
    if confined {
        wait_until("the namespace is gone", || processes_naming(&flag.path()).is_empty());
    }
    flag.raise();
    if !confined {
        wait_until("the orphan is gone", || processes_naming(&flag.path()).is_empty());
        assert_eq!(case.json(3, &["plan", "execute", &id])["error"]["code"], "parked");
    }
    let repeat: &[&str] = if confined { &[] } else { &["--repeat-interrupted"] };
    let all: Vec<&str> = ["plan", "execute", &id].into_iter().chain(repeat.iter().copied()).collect();
    let done = case.json(0, &all);
    if confined {
        let text = done["messages"][0]["text"].as_str().unwrap();
        assert!(text.contains("earlier process ended"), "{done}");
    }
    let data = &done["data"];
    assert_eq!(data["state"], "apply/queued");
    assert_eq!(data["summary"]["invocations"]["shell"], json!({ "succeeded": 2, "interrupted": 1 }));
    assert_eq!(data["summary"]["operations"], json!({ "create": 2, "delete": 1 }));
    assert_eq!(stamps(&case.project), untouched);
    case.json(0, &["plan", "apply", &id]);
    let after = tree(&case.project);
    assert!(!after.contains_key(&b"a.txt"[..]) && after.contains_key(&b"left.txt"[..]));
    assert_eq!(std::fs::read(case.project.join("one.txt")).unwrap(), b"one\n", "call 1 ran once");
}

#[test]
fn a_second_process_is_told_that_the_plan_is_busy() {
    let (case, flag) = (Case::new(), Flag::new());
    case.file("a.txt", "a\n");
    let before = tree(&case.project);
    let calls = [shell(&flag.wait_command("b.txt"))];
    let (running, _) = Running::until_made(&case, &plan(&calls), &UNSAFE, "b.txt");
    let id = case.json(0, &["plan", "list"])["data"]["plans"][0]["plan_id"].as_str().unwrap().to_owned();
    let log = || case.json(0, &["plan", "log", &id])["data"].take();
    let seen = log();
    for command in ["execute", "apply", "rollback", "cancel"] {
        let busy = case.json(1, &["plan", command, &id]);
        assert_eq!(busy["error"]["code"], "busy", "{command}: {busy}");
        case.agents(&["plan", command, &id]).exits(1).complains(&["another process is working on plan", &id]);
    }
    assert_eq!(log(), seen, "nothing was recorded");
    assert_eq!(case.sandboxes().len(), 1);
    // Looking is always allowed.
    case.agents(&["plan", "status", &id]).exits(0).says(&["State execute/processing"]);
    case.agents(&["plan", "diff", &id]).exits(0);
    flag.raise();
    assert_eq!(running.end().envelope(0)["data"]["state"], "apply/queued");
    assert_same(&tree(&case.project), &before, "after all that");
    case.json(0, &["plan", "apply", &id]);
    assert!(case.project.join("b.txt").exists());
}
