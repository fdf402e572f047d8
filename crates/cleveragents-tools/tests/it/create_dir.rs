use serde_json::json;

use crate::support::{link, scene};

#[tokio::test]
async fn missing_directories_are_made_and_recorded() {
    let scene = scene();
    let report = scene.call("create_dir", json!({ "path": "./a/b//c/" })).await;
    assert_eq!(report.invocation.output, json!({ "path": "a/b/c", "created": true }));
    let changed: Vec<_> = report.entries.iter().map(|entry| entry.path.to_text()).collect();
    assert_eq!(changed, ["a", "a/b", "a/b/c"]);
    let report = scene.call("create_dir", json!({ "path": "a/b/c" })).await;
    assert_eq!(report.invocation.output, json!({ "path": "a/b/c", "created": false }));
    assert!(report.entries.is_empty());
}

#[tokio::test]
async fn what_stands_there_is_not_replaced() {
    let scene = scene();
    scene.workspace().put("f", "mine");
    scene.error("create_dir", json!({ "path": "f" })).await;
    scene.error("create_dir", json!({ "path": "f/below" })).await;
    assert_eq!(scene.workspace().get("f").unwrap(), b"mine");
    scene.workspace().put("dir/f", "");
    link(&scene, "dir", "to-dir");
    let output = scene.output("create_dir", json!({ "path": "to-dir" })).await;
    assert_eq!(output, json!({ "path": "to-dir", "link_to": "dir", "created": false }));
}

#[tokio::test]
async fn odd_names_are_names() {
    let scene = scene();
    for (text, name) in
        [("two\nlines", &b"two\nlines"[..]), ("-rf", b"-rf"), (r"caf\xe9\\", b"caf\xe9\\"), (" ", b" ")]
    {
        let output = scene.output("create_dir", json!({ "path": text })).await;
        assert_eq!(output["path"], text);
        let file = scene.workspace().sandbox().join(crate::support::os(name));
        assert!(file.is_dir(), "{text:?}");
    }
}
