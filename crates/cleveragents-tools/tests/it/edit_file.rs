use std::sync::Arc;

use serde_json::json;

use crate::support::scene;
use crate::write_file::mode;

#[tokio::test]
async fn every_other_byte_is_kept() {
    let scene = scene();
    for (before, old, new, after) in [
        (&b"a\nb"[..], "a", "A", &b"A\nb"[..]),
        (b"alpha\nbeta\n\n", "alpha", "x", b"x\nbeta\n\n"),
        (b"one\r\ntwo\r\n", "one", "1\nand", b"1\r\nand\r\ntwo\r\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1", "x = 2", b"\xef\xbb\xbfx = 2\n"),
        (b"x=1\n// caf\xe9\n", "x=1", "x=2", b"x=2\n// caf\xe9\n"),
    ] {
        scene.workspace().put("f", before);
        scene.output("edit_file", json!({ "path": "f", "edits": [{ "old": old, "new": new }] })).await;
        assert_eq!(scene.workspace().get("f").unwrap(), after);
    }
}

#[tokio::test]
async fn all_edits_look_at_the_file_as_it_was() {
    let scene = scene();
    scene.workspace().put("f", "a b\nc c\n");
    let edits = json!([{ "old": "a", "new": "b" }, { "old": "b", "new": "a" }, { "old": "c", "new": "d", "all": true }]);
    let output = scene.output("edit_file", json!({ "path": "f", "edits": edits })).await;
    assert_eq!(scene.workspace().get("f").unwrap(), b"b a\nd d\n");
    assert_eq!(output, json!({ "path": "f", "edits": 3, "bytes": 8, "lines_added": 2, "lines_removed": 2 }));
}

#[tokio::test]
async fn what_is_not_exact_is_refused_whole() {
    let scene = scene();
    scene.workspace().put("dir/f", "same\nother\nsame\n");
    let edit = |edits| json!({ "path": "dir/f", "edits": edits });
    let error = scene.error("edit_file", edit(json!([{ "old": "same", "new": "x" }]))).await;
    assert!(error.starts_with("dir/f: edit 1: ") && error.contains("lines 1, 3"), "{error}");
    let edits = json!([{ "old": "other", "new": "x" }, { "old": "nowhere", "new": "y" }]);
    let error = scene.error("edit_file", edit(edits)).await;
    assert!(error.starts_with("dir/f: edit 2: the old text does not occur"), "{error}");
    assert_eq!(scene.workspace().get("dir/f").unwrap(), b"same\nother\nsame\n");
    let error = scene.error("edit_file", json!({ "path": "f", "edits": [{ "old": "a", "new": "b" }] })).await;
    assert_eq!(error, "f: no such file or directory", "no other file of that name is taken");
}

#[tokio::test]
async fn an_executable_stays_one_and_a_link_stays_one() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content": "a\n", "executable": true })).await;
    std::os::unix::fs::symlink("f", scene.workspace().sandbox().join("link")).unwrap();
    let report =
        scene.call("edit_file", json!({ "path": "link", "edits": [{ "old": "a", "new": "b" }] })).await;
    assert_eq!(report.invocation.output["link_to"], "f");
    assert_eq!(report.entries.len(), 1);
    assert_eq!(report.entries[0].path.to_text(), "f");
    assert_eq!(mode(&scene, "f"), 0o755);
    assert_eq!(std::fs::read_link(scene.workspace().sandbox().join("link")).unwrap().to_str(), Some("f"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn six_edits_at_once_all_survive() {
    let scene = Arc::new(scene());
    scene.workspace().put("f", "l0\nl1\nl2\nl3\nl4\nl5\n");
    let tasks: Vec<_> = (0..6)
        .map(|n| {
            let scene = Arc::clone(&scene);
            let edits = json!([{ "old": format!("l{n}\n"), "new": format!("L{n}\n") }]);
            tokio::spawn(
                async move { scene.output("edit_file", json!({ "path": "f", "edits": edits })).await },
            )
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(scene.workspace().get("f").unwrap(), b"L0\nL1\nL2\nL3\nL4\nL5\n");
}
