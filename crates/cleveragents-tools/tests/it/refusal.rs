use cleveragents_runtime::domain::Gate;
use cleveragents_tools::{Confinement, builtin};
use serde_json::{Value, json};

use crate::support::scene;

/// A call of each file tool on a path.
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read_file", json!({ "path": path })),
        ("write_file", json!({ "path": path, "content": "x" })),
        ("edit_file", json!({ "path": path, "edits": [{ "old": "secret", "new": "x" }] })),
        ("delete_path", json!({ "path": path, "recursive": true })),
        ("move_path", json!({ "from": path, "to": "here" })),
        ("move_path", json!({ "from": "f", "to": path, "overwrite": true })),
    ]
}

#[tokio::test]
async fn no_path_leads_out() {
    let scene = scene();
    scene.workspace().put("f", "mine");
    let secret = scene.workspace().project().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, scene.workspace().sandbox().join(name)).unwrap();
    };
    link("../project", "up");
    link("../project/secret", "out");
    let absolute = secret.to_str().unwrap().to_owned();
    for path in ["../project/secret", "a/../../project/secret", "up/secret", &absolute, "", ".."] {
        for (tool, input) in calls(path) {
            let error = scene.error(tool, input).await;
            assert!(!error.is_empty(), "{tool} {path}");
        }
    }
    // A link itself may be deleted or moved; what it points to may not be touched through it.
    for (tool, input) in &calls("out")[..3] {
        let error = scene.error(tool, input.clone()).await;
        assert!(error.contains("leads out of the project"), "{tool}: {error}");
    }
    assert_eq!(std::fs::read(secret).unwrap(), b"secret");
    assert_eq!(scene.workspace().get("f").unwrap(), b"mine");
}

#[tokio::test]
async fn git_is_protected() {
    let scene = scene();
    scene.workspace().put("f", "mine");
    scene.workspace().put(".git/hooks/pre-commit", "secret");
    for path in [".git/hooks/pre-commit", ".GIT/x", "sub/.Git/config"] {
        for (tool, input) in calls(path).split_off(1) {
            let error = scene.error(tool, input).await;
            assert!(error.contains("protected") || error.contains("no such file"), "{tool} {path}: {error}");
        }
    }
    assert_eq!(scene.workspace().get(".git/hooks/pre-commit").unwrap(), b"secret");
}

#[tokio::test]
async fn schema_errors_name_the_place() {
    let scene = scene();
    for (tool, input, place) in [
        ("read_file", json!({}), "path"),
        ("read_file", json!({ "path": "f", "offset": 0 }), "/offset"),
        ("read_file", json!({ "path": "f", "offset": "1" }), "/offset"),
        ("read_file", json!({ "path": "f", "lines": 3 }), "lines"),
        ("write_file", json!({ "path": 7, "content": "" }), "/path"),
        ("edit_file", json!({ "path": "f", "edits": [] }), "/edits"),
        (
            "edit_file",
            json!({ "path": "f", "edits": [{ "old": "a", "new": "b" }, { "old": "a" }] }),
            "/edits/1",
        ),
        ("edit_file", json!({ "path": "f", "edits": [{ "old": "", "new": "b" }] }), "/edits/0/old"),
        ("delete_path", json!({ "path": "f", "recursive": "yes" }), "/recursive"),
        ("move_path", json!({ "from": "f" }), "to"),
        ("shell", json!({ "command": ["ls"] }), "/command"),
        ("shell", json!({ "argv": [] }), "/argv"),
        ("shell", json!({ "argv": ["ls", 1] }), "/argv/1"),
        ("shell", json!({ "command": "ls", "env": { "A": 1 } }), "/env/A"),
    ] {
        let error = scene.error(tool, input.clone()).await;
        assert!(
            error.starts_with(&format!("the input does not fit {tool}: ")) && error.contains(place),
            "{input}: {error}"
        );
    }
    assert!(scene.log.words().iter().all(|word| *word == "refused"), "none of them ran");
}

#[test]
fn calls_ask_for_the_gates_they_need() {
    let open = builtin(Confinement::Unconfined { reason: String::new() }).unwrap();
    let closed = builtin(Confinement::Confined { bwrap: "/usr/bin/bwrap".into() }).unwrap();
    let gates = |tools: &cleveragents_runtime::ToolRegistry, tool: &str, input: Value| -> Vec<Gate> {
        tools.gates(tool, &input).unwrap().into_iter().collect()
    };
    assert_eq!(gates(&closed, "read_file", json!({ "path": "f" })), []);
    for tool in ["write_file", "edit_file", "delete_path", "move_path"] {
        assert_eq!(gates(&closed, tool, json!({})), [Gate::Write]);
    }
    assert_eq!(gates(&closed, "shell", json!({ "command": "ls" })), [Gate::Shell]);
    assert_eq!(
        gates(&closed, "shell", json!({ "command": "ls", "network": true })),
        [Gate::Shell, Gate::Network]
    );
    assert_eq!(
        gates(&open, "shell", json!({ "command": "ls", "network": false })),
        [Gate::Shell, Gate::Unsafe]
    );
}

#[test]
fn every_tool_is_described() {
    let tools = builtin(Confinement::Unconfined { reason: String::new() }).unwrap();
    let names: Vec<_> = tools.specs().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["delete_path", "edit_file", "move_path", "read_file", "shell", "write_file"]);
    for spec in tools.specs() {
        assert_eq!(spec.input_schema["additionalProperties"], false, "{}", spec.name);
        assert!(spec.description.len() > 40);
        for (name, property) in spec.input_schema["properties"].as_object().unwrap() {
            assert!(
                property["description"].as_str().is_some_and(|text| text.len() > 10),
                "{} {name}",
                spec.name
            );
        }
    }
}
