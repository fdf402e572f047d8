use serde_json::json;

use crate::support::scene;

#[tokio::test]
async fn files_links_and_trees_are_deleted() {
    let scene = scene();
    scene.workspace().put("f", "abc");
    scene.workspace().put("dir/deep/g", "");
    std::os::unix::fs::symlink("dir", scene.workspace().sandbox().join("link")).unwrap();
    let output = scene.output("delete_path", json!({ "path": "f" })).await;
    assert_eq!(output, json!({ "path": "f", "kind": "file", "bytes": 3, "deleted": true }));
    let report = scene.call("delete_path", json!({ "path": "link", "recursive": true })).await;
    assert_eq!((&report.invocation.output["kind"], report.entries.len()), (&json!("symlink"), 1));
    assert!(scene.workspace().get("dir/deep/g").is_some(), "a link is deleted, not what it points to");
    let report = scene.call("delete_path", json!({ "path": "dir", "recursive": true })).await;
    assert_eq!(report.entries.len(), 3);
}

#[tokio::test]
async fn what_is_full_or_missing_is_an_error() {
    let scene = scene();
    scene.workspace().put("dir/f", "");
    let error = scene.error("delete_path", json!({ "path": "dir" })).await;
    assert!(error.contains("not empty; say recursive"), "{error}");
    assert!(scene.workspace().get("dir/f").is_some());
    assert_eq!(scene.error("delete_path", json!({ "path": "x" })).await, "x: no such file or directory");
}
