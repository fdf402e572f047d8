use serde_json::json;

use crate::support::scene;
use crate::write_file::mode;

#[tokio::test]
async fn a_moved_file_keeps_its_bytes_and_mode() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content": "x", "executable": true })).await;
    let report = scene.call("move_path", json!({ "from": "f", "to": "new/dir/g" })).await;
    assert_eq!(report.invocation.output, json!({ "from": "f", "to": "new/dir/g", "replaced": false }));
    assert_eq!(report.entries.len(), 4, "a delete, a create and two directories: {:?}", report.entries);
    assert_eq!((scene.workspace().get("f"), scene.workspace().get("new/dir/g")), (None, Some(b"x".to_vec())));
    assert_eq!(mode(&scene, "new/dir/g"), 0o755);
}

#[tokio::test]
async fn nothing_is_replaced_unasked() {
    let scene = scene();
    scene.workspace().put("a", "a");
    scene.workspace().put("b", "b");
    assert_eq!(scene.error("move_path", json!({ "from": "a", "to": "b" })).await, "b: already exists");
    assert_eq!(scene.workspace().get("b").unwrap(), b"b");
    let output = scene.output("move_path", json!({ "from": "a", "to": "b", "overwrite": true })).await;
    assert_eq!(output["replaced"], true);
    assert_eq!((scene.workspace().get("a"), scene.workspace().get("b")), (None, Some(b"a".to_vec())));
    let report = scene.call("move_path", json!({ "from": "b", "to": "./b", "overwrite": true })).await;
    assert!(report.entries.is_empty(), "the same file is still there");
    assert_eq!(scene.workspace().get("b").unwrap(), b"a");
    assert_eq!(
        scene.error("move_path", json!({ "from": "x", "to": "y" })).await,
        "x: no such file or directory"
    );
}
