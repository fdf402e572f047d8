//! Limits: what is used up is refused, and a call that takes too long is ended.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Case, Flag, plan, processes_naming, shell, stamps, write};

fn limited(calls: &[Value], limits: Value) -> Value {
    let mut plan = plan(calls);
    plan["limits"] = limits;
    plan
}

#[test]
fn the_third_of_two_calls_is_refused() {
    let three = [write("a.txt", "a"), write("b.txt", "b"), write("c.txt", "c")];
    for (name, words) in [
        ("tool_calls", "the limit of 2 tool calls in the plan is used up"),
        ("tool_calls_per_decision", "the limit of 2 tool calls in this decision is used up"),
    ] {
        let case = Case::new();
        let untouched = stamps(&case.project);
        let file = case.plan_file(&limited(&three, json!({ name: 2 })));
        let refused = case.json(3, &["run", file.to_str().unwrap()]);
        let data = &refused["data"];
        assert_eq!((&data["state"], &data["failure"]["kind"]), (&"execute/errored".into(), &"limit".into()));
        assert!(refused["error"]["message"].as_str().unwrap().contains(words), "{refused}");
        assert_eq!(data["summary"]["invocations"]["write_file"], json!({ "succeeded": 2, "refused": 1 }));
        assert_eq!(stamps(&case.project), untouched);
        case.agents(&["run", file.to_str().unwrap()]).exits(3).complains(&[words]);
        // Going on does not start counting anew.
        let again = case.json(3, &["plan", "execute", data["plan_id"].as_str().unwrap()]);
        assert_eq!(again["data"]["failure"]["kind"], "limit");
        assert_eq!(again["data"]["changes"].as_array().unwrap().len(), 2);
    }
    let case = Case::new();
    let data = case.run(0, &limited(&three, json!({ "tool_calls": 3 })), &[]);
    assert_eq!(data["state"], "apply/queued");
}

#[test]
fn a_limit_on_each_decision_counts_for_each() {
    let case = Case::new();
    let mut plan =
        limited(&[write("a.txt", "a"), write("b.txt", "b")], json!({ "tool_calls_per_decision": 2 }));
    let more = json!({ "title": "more", "calls": [write("c.txt", "c"), write("d.txt", "d")] });
    plan["decisions"].as_array_mut().unwrap().push(more);
    assert_eq!(case.run(0, &plan, &[])["summary"]["paths"], 4);
}

#[test]
fn wall_time_ends_a_call_and_its_processes() {
    let (case, flag) = (Case::new(), Flag::new());
    let calls = [write("a.txt", "a"), shell(&flag.wait_command("b.txt")), write("c.txt", "c")];
    let file = case.plan_file(&limited(&calls, json!({ "wall_time": "700ms" })));
    let ran = case.agents(&["run", file.to_str().unwrap(), "--allow", "unsafe", "--format", "json"]);
    assert!(ran.time < Duration::from_secs(15), "{:?}", ran.time);
    assert!(processes_naming(&flag.path()).is_empty(), "its processes run on");
    let ended = ran.envelope(1);
    assert_eq!(ended["data"]["state"], "execute/errored");
    assert_eq!(ended["data"]["decisions"][1]["calls"][1]["outcome"], "timed_out");
    assert_eq!(ended["data"]["changes"].as_array().unwrap().len(), 1, "what it wrote was taken back");
    assert_eq!(ended["error"]["detail"], json!(["taken back in the sandbox: b.txt (create)"]));
}

#[test]
fn the_time_of_one_command_is_its_own() {
    let (case, flag) = (Case::new(), Flag::new());
    let call =
        json!({ "tool": "shell", "with": { "command": flag.wait_command("b.txt"), "timeout": "300ms" } });
    let file = case.plan_file(&plan(&[call]));
    let failed = case.json(1, &["run", file.to_str().unwrap(), "--allow", "unsafe"]);
    assert!(failed["error"]["message"].as_str().unwrap().contains("took longer than 300ms"), "{failed}");
    assert!(processes_naming(&flag.path()).is_empty(), "its processes run on");
    assert_eq!(failed["data"]["changes"], json!([]));
}

#[test]
fn output_is_cut_and_says_so() {
    let case = Case::new();
    let calls = [shell("head -c 300000 /dev/zero | tr '\\0' x; echo y > y.txt")];
    let data = case.run(0, &limited(&calls, json!({ "output_bytes": 2000 })), &["--allow", "unsafe"]);
    assert_eq!(data["state"], "apply/queued", "output that is too long is no failure");
    assert_eq!(data["changes"].as_array().unwrap().len(), 1);
}
