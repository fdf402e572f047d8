//! Places and ids that cannot be used, and command lines that mean nothing.

use std::fs;

use crate::support::{Case, plan, stamps, write};

/// Runs this, plain and as JSON, and expects a refusal that holds each of these words.
#[track_caller]
fn refused(case: &Case, exit: i32, code: &str, words: &[&str], arguments: &[&str]) {
    let plain = case.agents(arguments).exits(exit);
    assert!(plain.out.is_empty(), "{}", plain.out);
    plain.complains(words);
    let document = case.json(exit, arguments);
    assert_eq!(document["error"]["code"], code, "{document}");
    for word in words {
        assert!(document["error"]["message"].as_str().unwrap().contains(word), "no {word:?} in {document}");
    }
}

#[test]
fn a_plan_file_that_is_not_there() {
    let case = Case::new();
    refused(&case, 2, "io", &["cannot read nothing.yaml"], &["run", "nothing.yaml"]);
    refused(&case, 2, "io", &["cannot read nothing.yaml"], &["check", "nothing.yaml"]);
    refused(&case, 1, "io", &["cannot read .", "directory"], &["run", "."]);
    assert!(!case.state.exists());
}

#[test]
fn plan_ids() {
    let case = Case::new();
    for command in ["status", "diff", "execute", "apply", "rollback", "cancel", "log"] {
        refused(&case, 2, "usage", &["PLAN_ID"], &["plan", command]);
        refused(&case, 2, "validation", &["plan_id", "ULID"], &["plan", command, "latest"]);
        refused(
            &case,
            2,
            "validation",
            &["plan_id", "ULID"],
            &["plan", command, "../../01ARZ3NDEKTSV4RRFFQ69G5FAV"],
        );
    }
    assert!(!case.state.exists(), "a malformed id opens nothing");
    for command in ["status", "diff", "execute", "apply", "rollback", "cancel", "log"] {
        let id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
        refused(&case, 2, "unknown_plan", &["no plan", id, "agents plan list"], &["plan", command, id]);
    }
}

#[test]
fn the_plans_of_one_project_are_unknown_in_another() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("a.txt", "a\n")]), &[]);
    let id = data["plan_id"].as_str().unwrap();
    let other = case.beside("other");
    fs::create_dir(&other).unwrap();
    let other = other.to_str().unwrap();
    refused(&case, 2, "unknown_plan", &[id], &["plan", "apply", id, "--project", other]);
    assert_eq!(case.json(0, &["plan", "list", "--project", other])["data"]["plans"], serde_json::json!([]));
    case.agents(&["plan", "list", "--project", other]).exits(0).complains(&["no plans yet"]);
}

#[test]
fn places_that_are_no_project() {
    let mut case = Case::new();
    let file = case.plan_file(&plan(&[write("a.txt", "a\n")]));
    let file = file.to_str().unwrap();
    let (project, home) = (case.project.clone(), case.home.clone());
    let untouched = stamps(&project);
    refused(
        &case,
        2,
        "project",
        &["--project /no/such", "no such folder"],
        &["run", file, "--project", "/no/such"],
    );
    refused(&case, 2, "project", &[file], &["run", file, "--project", file]);
    refused(&case, 2, "workspace", &["root of the file system"], &["run", file, "--project", "/"]);
    let home = home.to_str().unwrap();
    refused(&case, 2, "workspace", &["home directory"], &["run", file, "--project", home]);
    assert!(!case.state.exists());

    // A state folder inside the project would be copied into every private copy.
    case.state = project.join("state");
    refused(&case, 2, "workspace", &["holds the state folder", "CLEVERAGENTS_HOME"], &["run", file]);
    case.state.clone_from(&project);
    refused(&case, 2, "workspace", &["state folder"], &["run", file]);
    case.state = "state".into();
    refused(&case, 2, "state", &["CLEVERAGENTS_HOME", "absolute path"], &["run", file]);
    // Without any place for state there is none.
    for name in ["CLEVERAGENTS_HOME", "HOME"] {
        case.variable(name, "");
    }
    refused(&case, 2, "state", &["CLEVERAGENTS_HOME", "not set"], &["run", file]);
    assert_eq!(stamps(&project), untouched);
}

#[test]
fn command_lines_that_mean_nothing() {
    let case = Case::new();
    let file = case.plan_file(&plan(&[]));
    let file = file.to_str().unwrap();
    refused(
        &case,
        2,
        "usage",
        &["'everything'", "shell, network, unsafe"],
        &["run", file, "--allow", "everything"],
    );
    refused(&case, 2, "usage", &["'apply'", "shell, network, unsafe"], &["run", file, "--allow", "apply"]);
    refused(&case, 2, "usage", &["--verbose"], &["run", file, "--verbose"]);
    refused(&case, 2, "usage", &["PLAN"], &["run"]);
    refused(&case, 2, "usage", &["'resume'"], &["plan", "resume"]);
    refused(&case, 2, "usage", &["'-1'"], &["plan", "log", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "--from=-1"]);
    case.agents(&["run", file, "--format", "xml"]).exits(2).complains(&["'xml'", "plain, json"]);
    for missing in [&[][..], &["plan"]] {
        assert_eq!(case.json(2, missing)["error"]["message"], "a command is missing");
    }
    assert_eq!(
        case.agents(&["--format", "json", "plan"]).envelope(2)["error"]["message"],
        "a command is missing"
    );
    case.agents(&[]).exits(2).complains(&["Usage: agents"]);
    assert!(!case.state.exists());
}
