//! Plan files that cannot be used: one clear error that names the place, and nothing is created.

use std::fs;

use crate::support::{Case, stamps, tree};

const HEAD: &str = "name: x\ndefinition_of_done: y\n";

/// Runs this file, plain and as JSON, and expects a refusal that holds each of these words and names the file.
#[track_caller]
fn refused(bytes: &[u8], code: &str, words: &[&str]) {
    let case = Case::new();
    case.file("a.txt", "a\n");
    let untouched = stamps(&case.project);
    let file = case.beside("broken.yaml");
    fs::write(&file, bytes).unwrap();
    let file = file.to_str().unwrap();
    for command in ["run", "check"] {
        // A dry run is content without decisions: it says so in a warning.
        if command == "check" && words.contains(&"decisions: are missing") {
            let warned = case.json(0, &["check", file]);
            assert_eq!(
                (&warned["status"], &warned["messages"][0]["level"]),
                (&"warn".into(), &"warning".into())
            );
            continue;
        }
        let plain = case.agents(&[command, file]).exits(2);
        assert!(
            plain.out.is_empty() && plain.err.starts_with("error: ") && !plain.err.contains(": error: "),
            "{}",
            plain.err
        );
        plain.complains(&[file]).complains(words);
        let document = case.json(2, &[command, file]);
        let error = &document["error"];
        assert_eq!((&document["command"], &error["code"]), (&command.into(), &code.into()), "{document}");
        for word in words {
            assert!(error["message"].as_str().unwrap().contains(word), "no {word:?} in {error}");
        }
    }
    assert!(!case.state.exists(), "nothing was created");
    assert_eq!(stamps(&case.project), untouched);
}

#[track_caller]
fn refused_after_head(rest: &str, code: &str, words: &[&str]) {
    refused(format!("{HEAD}{rest}").as_bytes(), code, words);
}

#[test]
fn what_does_not_parse_names_line_and_column() {
    refused_after_head(
        "colour: red\n",
        "plan_file",
        &["line 3 column 1", "unknown field `colour`", "expected one of name"],
    );
    let inner = "decisions:\n  - title: t\n    calls:\n      - tool: read_file\n        wiht: {}\n";
    refused_after_head(inner, "plan_file", &["line 7 column 9", "unknown field `wiht`", "tool, with"]);
    refused_after_head("decisions: 5\n", "plan_file", &["line 3 column 12"]);
    refused(b"name: [x]\ndefinition_of_done: y\n", "plan_file", &["line 1 column 7", "string"]);
    refused_after_head("limits: { tool_calls: many }\n", "plan_file", &["line 3 column 23"]);
    refused_after_head("name: again\n", "plan_file", &["line 3 column 1", "duplicate"]);
    refused(b"name: \"unclosed\n", "plan_file", &["line 1 column 7"]);
    refused(b"{ \"name\": \"x\", \"definition_of_done\": }", "plan_file", &["line 1 column"]);
    refused(b"", "plan_file", &["line 1"]);
    refused(b"name: caf\xe9\n", "plan_file", &["not UTF-8", "9"]);
    refused(b"definition_of_done: y\n", "plan_file", &["name"]);
}

#[test]
fn what_does_not_fit_names_the_field() {
    let call = |call: &str| {
        format!("decisions: [{{ title: t, calls: [{{ tool: read_file, with: {{ path: a }} }}, {call}] }}]\n")
    };
    let unknown = call("{ tool: teleport }");
    refused_after_head(
        &unknown,
        "validation",
        &["decisions[0].calls[1].tool", "\"teleport\"", "edit_file", "shell"],
    );
    let wrong = call("{ tool: write_file, with: { path: 5, content: c } }");
    refused_after_head(&wrong, "validation", &["decisions[0].calls[1].with", "/path", "\"string\""]);
    let missing = call("{ tool: write_file, with: { content: c, colour: red } }");
    refused_after_head(
        &missing,
        "validation",
        &["\"path\" is a required property", "'colour' was unexpected"],
    );
    refused_after_head(
        "automation_profile: yolo\ndecisions: [{ title: t }]\n",
        "validation",
        &[
            "automation_profile",
            "\"yolo\"",
            "manual, review, supervised, cautious, trusted, auto, ci, full-auto",
        ],
    );
    let twice = "decisions: [{ id: a, title: t }, { id: b, title: t }, { id: a, title: t }]\n";
    refused_after_head(twice, "validation", &["decisions[2].id", "decisions[0]"]);
    let cycle = "decisions: [{ id: a, title: t }, { id: b, title: t, depends_on: [c] }, { id: c, title: t, depends_on: [b] }]\n";
    refused_after_head(cycle, "validation", &["decisions[1].depends_on", "leads back to itself"]);
    let itself = "decisions: [{ id: a, title: t, parent: a }]\n";
    refused_after_head(itself, "validation", &["decisions[0]", "leads back to itself"]);
    let nobody = "decisions: [{ title: t, depends_on: [nobody] }]\n";
    refused_after_head(nobody, "validation", &["decisions[0].depends_on[0]", "\"nobody\""]);
    refused_after_head("limits: { tool_calls: 0 }\n", "validation", &["limits.tool_calls", "at least 1"]);
    refused_after_head("limits: { wall_time: soon }\n", "validation", &["limits.wall_time", "duration"]);
    refused(b"name: x\ndefinition_of_done: ' '\n", "validation", &["definition_of_done"]);
    refused_after_head("", "validation", &["decisions: are missing", "stub"]);
}

#[test]
fn what_is_not_built_yet_is_said_to_be_so() {
    for (part, text) in [
        ("validations", "validations: [{ name: builds, command: [cargo, check], mode: required }]\n"),
        ("mcp_servers", "mcp_servers: { files: { command: [node, server.js] } }\n"),
        ("limits.tokens", "limits: { tokens: 200000 }\n"),
        ("limits.cost_usd", "limits: { cost_usd: 2.00 }\n"),
        ("model", "model: openai/x\n"),
    ] {
        let text = format!("{text}decisions: [{{ title: t }}]\n");
        refused_after_head(&text, "not_supported", &[part, "not supported yet"]);
    }
}

#[test]
fn a_call_that_only_fails_when_it_runs_leaves_the_project_alone() {
    let case = Case::new();
    case.file("a.txt", "a\n");
    let before = tree(&case.project);
    let plan = crate::support::plan(&[crate::support::edit("a.txt", "not there", "x")]);
    let file = case.plan_file(&plan);
    let failed = case.json(1, &["run", file.to_str().unwrap()]);
    assert_eq!(failed["data"]["state"], "execute/errored");
    assert!(failed["error"]["message"].as_str().unwrap().contains("a.txt"), "{failed}");
    assert!(tree(&case.project) == before);
}
