use std::os::unix::fs::PermissionsExt as _;

use cleveragents_runtime::domain::Operation;
use cleveragents_testkit::fake::Scene;
use serde_json::json;

use crate::support::scene;

pub(crate) fn mode(scene: &Scene, path: &str) -> u32 {
    scene.workspace().sandbox().join(path).metadata().unwrap().permissions().mode() & 0o7777
}

#[tokio::test]
async fn a_new_file_gets_its_directories() {
    let scene = scene();
    let report = scene.call("write_file", json!({ "path": "a/b/f", "content": "x\r\n" })).await;
    assert_eq!(report.invocation.output, json!({ "path": "a/b/f", "bytes": 3, "created": true }));
    let changed: Vec<_> = report.entries.iter().map(|e| e.path.to_text()).collect();
    assert_eq!(changed, ["a", "a/b", "a/b/f"]);
    assert_eq!(scene.workspace().get("a/b/f").unwrap(), b"x\r\n");
}

#[tokio::test]
async fn bytes_and_nothing_can_be_written() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content_base64": "Y2Fm6Qo=" })).await;
    assert_eq!(scene.workspace().get("f").unwrap(), b"caf\xe9\n");
    let report = scene.call("write_file", json!({ "path": "marker", "content": "" })).await;
    assert_eq!(report.entries.len(), 1, "existence is a change");
    let report = scene.call("write_file", json!({ "path": "f", "content": "" })).await;
    assert_eq!(report.entries[0].operation(), Some(Operation::Modify));
    assert_eq!(scene.workspace().get("f").unwrap(), b"");
}

#[tokio::test]
async fn the_mode_is_kept_or_set() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content": "1", "executable": true })).await;
    assert_eq!(mode(&scene, "f"), 0o755);
    scene.output("write_file", json!({ "path": "f", "content": "2" })).await;
    assert_eq!(mode(&scene, "f"), 0o755);
    scene.output("write_file", json!({ "path": "f", "content": "2", "executable": false })).await;
    assert_eq!(mode(&scene, "f"), 0o644);
}

#[tokio::test]
async fn create_only_refuses_what_is_there() {
    let scene = scene();
    scene.workspace().put("f", "mine");
    let error = scene.error("write_file", json!({ "path": "f", "content": "x", "create_only": true })).await;
    assert_eq!(error, "f: already exists");
    assert_eq!(scene.workspace().get("f").unwrap(), b"mine");
    scene.output("write_file", json!({ "path": "g", "content": "x", "create_only": true })).await;
}

#[tokio::test]
async fn exactly_one_content_is_taken() {
    let scene = scene();
    for input in [json!({ "path": "f" }), json!({ "path": "f", "content": "", "content_base64": "" })] {
        let error = scene.error("write_file", input).await;
        assert!(error.ends_with("give exactly one of content and content_base64"), "{error}");
    }
    let error = scene.error("write_file", json!({ "path": "f", "content_base64": "%%%" })).await;
    assert!(error.starts_with("content_base64 is not standard base64"), "{error}");
    assert_eq!(scene.workspace().get("f"), None);
}
