//! What the binary explains: tools, profiles, decisions.

use serde_json::json;

use crate::support::{Case, edit, plan, write};

#[test]
fn a_tool_shows_its_schema() {
    let case = Case::new();
    let tool = case.json(0, &["tool", "show", "edit_file"])["data"].take();
    assert_eq!(tool["name"], "edit_file");
    assert!(tool["input_schema"]["properties"]["edits"].is_object(), "{tool}");
    case.agents(&["tool", "show", "edit_file"]).exits(0).says(&["edits", "writes"]);
    let unknown = case.json(2, &["tool", "show", "editfile"]);
    assert!(unknown["error"]["message"].as_str().unwrap().contains("edit_file"), "{unknown}");
}

#[test]
fn a_profile_shows_its_answers() {
    let case = Case::new();
    let data = case.json(0, &["profile", "show", "ci"])["data"].take();
    assert_eq!((&data["answers"]["apply"], &data["answers"]["network"]), (&json!("auto"), &json!("deny")));
    let all = case.agents(&["profile", "list"]).exits(0).out;
    let rows: Vec<Vec<&str>> = all.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 9);
    assert_eq!(rows[1], ["manual", "ask", "ask", "ask", "ask", "deny", "deny", "ask"]);
    let listed = case.json(0, &["profile", "list"])["data"]["profiles"].take();
    let defaults: Vec<_> = listed.as_array().unwrap().iter().filter(|p| p["default"] == true).collect();
    assert_eq!((defaults.len(), &defaults[0]["name"]), (1, &json!("supervised")));
    case.agents(&["profile", "show", "turbo"]).exits(2).complains(&["supervised", "full-auto"]);
}

#[test]
fn completions_are_a_script_that_names_the_commands() {
    let case = Case::new();
    for shell in ["bash", "zsh", "fish"] {
        case.agents(&["completions", shell]).exits(0).says(&["rollback", "agents"]);
    }
    case.agents(&["completions", "dos"]).exits(2).complains(&["bash"]);
}

#[test]
fn a_decision_is_explained_with_its_calls_and_what_they_changed() {
    let case = Case::new();
    case.file("a.txt", "one\n");
    let mut two = plan(&[edit("a.txt", "one", "two"), write("b.txt", "b\n")]);
    two["decisions"][0]["rationale"] = json!("one was wrong");
    two["decisions"][0]["alternatives"] = json!(["leave it"]);
    let id = case.run(0, &two, &[])["plan_id"].as_str().unwrap().to_owned();
    let plain = case.agents(&["plan", "explain", &id]).exits(0);
    plain.says(&["one was wrong", "leave it", "edit_file succeeded", "modify a.txt", "create b.txt"]);
    let one = case.json(0, &["plan", "explain", &id, "1"])["data"]["explained"].take();
    let changes = one[0]["changes"].as_array().unwrap();
    assert_eq!((one.as_array().unwrap().len(), changes.len()), (1, 2));
    let decision = one[0]["decision_id"].as_str().unwrap();
    assert_eq!(case.json(0, &["plan", "explain", &id, decision])["data"]["explained"], one);
    case.agents(&["plan", "explain", &id, "7"]).exits(2).complains(&["0 to 1"]);
    case.agents(&["plan", "explain", &id, "x"]).exits(2).complains(&["decision_id"]);
}

#[test]
fn one_call_is_a_plan_of_its_own() {
    let case = Case::new();
    let input = json!({ "path": "a.txt", "content": "a\n" }).to_string();
    let data = case.json(0, &["tool", "call", "write_file", &input])["data"].take();
    assert_eq!(data["state"], "apply/queued");
    assert!(!case.project.join("a.txt").exists(), "a call is reviewed before it is applied");
    let id = data["plan_id"].as_str().unwrap();
    case.agents(&["plan", "apply", id]).exits(0);
    assert_eq!(std::fs::read(case.project.join("a.txt")).unwrap(), b"a\n");
    let reading = case.json(0, &["tool", "call", "read_file", r#"{"path":"a.txt"}"#])["data"].take();
    assert_eq!(
        (&reading["summary"]["entries"], &reading["summary"]["invocations"]["read_file"]["succeeded"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(reading["output"]["content"], "a\n");
    case.agents(&["tool", "call", "read_file", r#"{"path":"a.txt"}"#])
        .exits(0)
        .says(&["\"content\": \"a\\n\""]);
    for (name, input, words) in [
        ("write_file", "{", "JSON"),
        ("nope", "{}", "unknown tool"),
        ("read_file", "{}", "path"),
        ("read_file", r#"{"path":"../x"}"#, "inside the project"),
    ] {
        case.agents(&["tool", "call", name, input]).exits(2).complains(&[words]);
    }
    let input = json!({ "path": "b.txt", "content": "b\n" }).to_string();
    case.agents(&["tool", "call", "write_file", &input, "--apply"]).exits(0);
    assert!(case.project.join("b.txt").exists());
}

#[test]
fn a_dry_run_finds_what_a_schema_cannot_say() {
    let case = Case::new();
    let calls = [
        json!({ "tool": "shell", "with": {} }),
        json!({ "tool": "shell", "with": { "command": "true", "timeout": "soon" } }),
        json!({ "tool": "write_file", "with": { "path": "a" } }),
        json!({ "tool": "edit_file", "with": { "path": "../x", "edits": [{ "old": "a", "new": "b" }] } }),
        json!({ "tool": "apply_patch", "with": { "patch": "nonsense" } }),
    ];
    let file = case.plan_file(&plan(&calls));
    let found = case.json(2, &["check", file.to_str().unwrap()])["error"]["detail"]["issues"].take();
    let places: Vec<&str> = found.as_array().unwrap().iter().map(|i| i["field"].as_str().unwrap()).collect();
    let wanted: Vec<String> = (0..5).map(|n| format!("decisions[0].calls[{n}].with")).collect();
    assert_eq!(places, wanted);
}
