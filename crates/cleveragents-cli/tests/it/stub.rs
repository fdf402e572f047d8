//! The stub, and plans that do nothing: each says so.

use serde_json::{Value, json};

use crate::support::{Case, plan, shell, stamps, write};

fn without_decisions() -> Value {
    json!({ "name": "planned", "definition_of_done": "first thing\nsecond thing\n" })
}

#[test]
fn a_stub_is_labelled_wherever_it_shows() {
    let case = Case::new();
    case.file("a.txt", "a\n");
    let untouched = stamps(&case.project);
    let file = case.plan_file(&without_decisions());
    let file = file.to_str().unwrap();
    let words = [
        "STUB: nothing was decided and no tool ran",
        "0 path(s) change",
        "0 tool call(s)",
        "the changeset is empty",
    ];
    let plain = case.agents(&["run", file, "--stub"]).exits(0).says(&words);
    plain.says(&[
        "first thing → stub: not decided  [0 of 0 calls]",
        "second thing → stub: not decided  [0 of 0 calls]",
    ]);
    let data = case.json(0, &["run", file, "--stub"])["data"].take();
    let id = data["plan_id"].as_str().unwrap();
    assert_eq!((&data["stub"], &data["state"]), (&true.into(), &"apply/queued".into()));
    assert_eq!((&data["changes"], &data["summary"]["invocations"]), (&json!([]), &json!({})));

    case.agents(&["plan", "status", id]).exits(0).says(&words);
    assert_eq!(case.json(0, &["plan", "status", id])["data"]["stub"], true);
    let list = case.agents(&["plan", "list"]).exits(0);
    assert_eq!(list.out.matches("planned (stub)").count(), 2, "{}", list.out);
    assert_eq!(case.json(0, &["plan", "list"])["data"]["plans"][0]["stub"], true);
    case.agents(&["plan", "diff", id]).exits(0).complains(&["changes nothing"]);
    let log = case.agents(&["plan", "log", id]).exits(0);
    assert!(log.out.contains("  execute_started") && !log.out.contains("runtime_execute"), "{}", log.out);
    assert!(case.sandboxes().is_empty(), "a stub needs no private copy");

    let applied = case.agents(&["plan", "apply", id]).exits(0);
    applied.says(&["its changeset is empty, nothing was to be written"]);
    case.agents(&["plan", "status", id]).exits(0).says(&["State apply/applied", "STUB"]);
    assert_eq!(stamps(&case.project), untouched);
    case.agents(&["plan", "execute", id]).exits(1).complains(&["executed already"]);
}

#[test]
fn a_stub_runs_no_call_of_a_file_that_has_some() {
    let case = Case::new();
    let untouched = stamps(&case.project);
    let data = case.run(0, &plan(&[write("a.txt", "a"), shell("echo b > b.txt")]), &["--stub", "--apply"]);
    assert_eq!((&data["stub"], &data["summary"]["invocations"]), (&true.into(), &json!({})));
    assert_eq!(data["state"], "apply/applied");
    assert_eq!(stamps(&case.project), untouched);
}

#[test]
fn a_real_plan_is_no_stub() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("a.txt", "a")]), &[]);
    assert_eq!(data["stub"], false);
    let status = case.agents(&["plan", "status", data["plan_id"].as_str().unwrap()]).exits(0);
    let list = case.agents(&["plan", "list"]).exits(0);
    assert!(!(status.out + &list.out).to_lowercase().contains("stub"));
}

#[test]
fn calls_that_change_nothing_leave_an_empty_changeset() {
    let case = Case::new();
    case.file("a.txt", "a\n");
    let untouched = stamps(&case.project);
    let calls =
        [shell("true"), write("made.txt", "x"), crate::support::delete("made.txt"), write("a.txt", "a\n")];
    let file = case.plan_file(&plan(&calls));
    let plain = case.agents(&["run", file.to_str().unwrap(), "--allow", "unsafe", "--apply"]).exits(0);
    plain.says(&[
        "[4 of 4 calls]",
        "0 path(s) change",
        "4 tool call(s)",
        "the changeset is empty",
        "nothing was to be written",
    ]);
    assert_eq!(stamps(&case.project), untouched);
    // A decision without calls shows none.
    let plain = case.plan_file(&plan(&[]));
    let plain = case.agents(&["run", plain.to_str().unwrap()]).exits(0);
    plain.says(&["[0 of 0 calls]", "0 tool call(s)", "the changeset is empty"]);
    assert_eq!(case.json(0, &["plan", "list"])["data"]["plans"].as_array().unwrap().len(), 2);
}
