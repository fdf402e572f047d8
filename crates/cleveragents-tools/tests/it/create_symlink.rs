use cleveragents_runtime::domain::NodeKind;
use serde_json::json;

use crate::support::{os, scene};

#[tokio::test]
async fn a_link_says_what_it_was_told_and_where_it_leads() {
    let scene = scene();
    scene.workspace().put("src/b", "x");
    scene.workspace().put("docs/a", "x");
    let report = scene.call("create_symlink", json!({ "path": "docs/l", "target": "../src/./b" })).await;
    let output = json!({ "path": "docs/l", "link_to": "../src/./b", "leads_to": "file" });
    assert_eq!(report.invocation.output, output);
    assert_eq!(report.entries.len(), 1);
    assert_eq!(report.entries[0].after.as_ref().unwrap().kind, NodeKind::Symlink);
    let stored = std::fs::read_link(scene.workspace().sandbox().join("docs/l")).unwrap();
    assert_eq!(stored.to_str(), Some("../src/./b"));
    let output = scene.output("create_symlink", json!({ "path": "d", "target": "docs" })).await;
    assert_eq!(output["leads_to"], "directory");
}

#[tokio::test]
async fn a_link_that_leads_nowhere_is_made_and_said_to() {
    let scene = scene();
    scene.workspace().put("docs/a", "x");
    let secret = scene.workspace().project().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    for (name, target, note) in [
        ("docs/1", "docs/a", "nothing stands at the target"),
        ("docs/2", "../../project/secret", "leads out of the project"),
        ("docs/3", secret.to_str().unwrap(), "leads out of the project"),
        ("docs/4", "4", "the link cannot be followed here"),
    ] {
        let output = scene.output("create_symlink", json!({ "path": name, "target": target })).await;
        assert!(output["note"].as_str().unwrap().contains(note), "{output}");
        assert_eq!((&output["link_to"], &output["leads_to"]), (&json!(target), &json!(null)));
        if target != "docs/a" {
            scene.error("write_file", json!({ "path": name, "content": "x" })).await;
            scene.error("read_file", json!({ "path": name })).await;
        }
    }
    assert_eq!(std::fs::read(secret).unwrap(), b"secret");
}

#[tokio::test]
async fn nothing_is_replaced() {
    let scene = scene();
    scene.workspace().put("f", "mine");
    let link = |path: &str| json!({ "path": path, "target": "other" });
    assert_eq!(scene.error("create_symlink", link("f")).await, "f: already exists");
    scene.output("create_symlink", link("l")).await;
    assert_eq!(scene.error("create_symlink", link("l")).await, "l: already exists");
    assert_eq!(scene.workspace().get("f").unwrap(), b"mine");
    let error = scene.error("create_symlink", json!({ "path": "n", "target": "a\0b" })).await;
    assert_eq!(error, "the input does not fit create_symlink: target: must not contain a NUL byte");
}

#[tokio::test]
async fn odd_names_are_names() {
    let scene = scene();
    for (text, name) in [("two\nlines", &b"two\nlines"[..]), ("-s", b"-s"), (r"caf\xe9\\", b"caf\xe9\\")] {
        scene.output("create_symlink", json!({ "path": text, "target": "-\n\\x" })).await;
        let stored = std::fs::read_link(scene.workspace().sandbox().join(os(name))).unwrap();
        assert_eq!(stored.to_str(), Some("-\n\\x"), "the target is stored as it is given");
    }
}
