use cleveragents_runtime::domain::{Gate, Phase};
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
        ("create_symlink", json!({ "path": path, "target": "f" })),
        ("create_dir", json!({ "path": path })),
        ("set_mode", json!({ "path": path, "mode": "755" })),
    ]
}

/// A call of each tool that looks around, at a path.
fn looks(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("list_dir", json!({ "path": path })),
        ("glob", json!({ "pattern": path })),
        ("search", json!({ "pattern": "secret", "path": path })),
        ("search", json!({ "pattern": "secret", "glob": path })),
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
        for (tool, input) in looks(path) {
            let report = scene.call(tool, input).await;
            // A pattern is only compared: through a link it finds nothing.
            let silent = report.invocation.output["matches"] == json!([]) && path == "up/secret";
            assert!(!report.succeeded() || silent, "{tool} {path}: {:?}", report.invocation);
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
async fn a_read_only_phase_may_look_and_not_touch() {
    let mut scene = scene();
    scene.phase = Phase::Strategize;
    scene.workspace().put("dir/f", "secret");
    for (tool, input) in calls("dir/f").split_off(1) {
        let error = scene.error(tool, input).await;
        assert_eq!(error, format!("{tool} needs the write gate, and the strategize phase is read-only"));
    }
    scene.workspace().put("f", "secret");
    for (tool, input) in looks(".").into_iter().filter(|(_, input)| input["path"] == ".") {
        scene.output(tool, input).await;
    }
    scene.output("read_file", json!({ "path": "f" })).await;
    let output = scene.output("glob", json!({ "pattern": "**/f" })).await;
    assert_eq!(output["total"], 2);
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
        ("create_dir", json!({}), "path"),
        ("create_dir", json!({ "path": "a", "mode": "755" }), "mode"),
        ("create_symlink", json!({ "path": "a" }), "target"),
        ("create_symlink", json!({ "path": "a", "target": "" }), "/target"),
        ("set_mode", json!({ "path": "a", "mode": 755 }), "/mode"),
        ("list_dir", json!({ "path": "" }), "/path"),
        ("list_dir", json!({ "depth": 0 }), "/depth"),
        ("list_dir", json!({ "recursive": true }), "recursive"),
        ("glob", json!({}), "pattern"),
        ("glob", json!({ "pattern": "" }), "/pattern"),
        ("search", json!({ "path": "a" }), "pattern"),
        ("search", json!({ "pattern": "x", "glob": ["*.rs"] }), "/glob"),
        ("search", json!({ "pattern": "x", "case": false }), "case"),
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
    for tool in ["read_file", "list_dir", "glob", "search"] {
        assert_eq!(gates(&closed, tool, json!({ "path": "f" })), []);
        assert!(closed.spec(tool).unwrap().capabilities.read_only);
    }
    for tool in
        ["write_file", "edit_file", "delete_path", "move_path", "create_dir", "create_symlink", "set_mode"]
    {
        assert_eq!(gates(&closed, tool, json!({})), [Gate::Write]);
        let can = closed.spec(tool).unwrap().capabilities;
        assert!(can.writes && !can.read_only, "{tool}");
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
    assert_eq!(
        names,
        [
            "apply_patch",
            "create_dir",
            "create_symlink",
            "delete_path",
            "edit_file",
            "glob",
            "list_dir",
            "move_path",
            "read_file",
            "search",
            "set_mode",
            "shell",
            "write_file"
        ]
    );
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
