use cleveragents_testkit::fake::Scene;
use serde_json::{Value, json};

use crate::support::{link, os, paths, scene};

/// The paths of a listing.
async fn listed(scene: &Scene, input: Value) -> Vec<String> {
    paths(&scene.output("list_dir", input).await["entries"])
}

#[tokio::test]
async fn a_listing_names_kinds_and_is_sorted() {
    let scene = scene();
    for file in ["b/deep/x", "a.txt", "b.txt", ".hidden"] {
        scene.workspace().put(file, "x");
    }
    link(&scene, "b/deep", "l");
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        scene.workspace().sandbox().join("pipe"),
        rustix::fs::Mode::from_raw_mode(0o600),
    )
    .unwrap();
    let output = scene.output("list_dir", json!({})).await;
    assert_eq!(
        output,
        json!({
            "path": ".", "total": 6, "truncated": false,
            "entries": [
                { "path": ".hidden", "kind": "file" },
                { "path": "a.txt", "kind": "file" },
                { "path": "b", "kind": "directory" },
                { "path": "b.txt", "kind": "file" },
                { "path": "l", "kind": "symlink", "link_to": "b/deep" },
                { "path": "pipe", "kind": "special" },
            ],
        })
    );
    for root in [".", "./", "././/"] {
        assert_eq!(scene.output("list_dir", json!({ "path": root })).await, output);
    }
}

#[tokio::test]
async fn depth_goes_down_but_not_through_links() {
    let scene = scene();
    scene.workspace().put("a/b/c/d", "x");
    scene.workspace().put("a.txt", "x");
    link(&scene, ".", "a/loop");
    link(&scene, "..", "a/b/up");
    let shallow = ["a", "a/b", "a/loop", "a.txt"];
    assert_eq!(listed(&scene, json!({ "depth": 2 })).await, shallow);
    let deep = ["a", "a/b", "a/b/c", "a/b/c/d", "a/b/up", "a/loop", "a.txt"];
    assert_eq!(listed(&scene, json!({ "depth": 32 })).await, deep);
    assert_eq!(listed(&scene, json!({ "path": "a/b" })).await, ["a/b/c", "a/b/up"], "paths are whole");
    let error = scene.error("list_dir", json!({ "depth": 33 })).await;
    assert!(error.contains("/depth"), "{error}");
    // A link that is named is followed, and shown.
    let output = scene.output("list_dir", json!({ "path": "a/loop", "depth": 32 })).await;
    assert_eq!(output["link_to"], ".");
    assert_eq!(
        paths(&output["entries"]),
        ["a/loop/b", "a/loop/b/c", "a/loop/b/c/d", "a/loop/b/up", "a/loop/loop"]
    );
}

#[tokio::test]
async fn what_is_no_directory_is_an_error() {
    let scene = scene();
    scene.workspace().put("f", "x");
    link(&scene, "f", "to-file");
    link(&scene, "none", "dangling");
    link(&scene, "self", "self");
    link(&scene, "../project", "out");
    for (path, why) in [
        ("f", "is a file, not a directory"),
        ("to-file", "is a file, not a directory"),
        ("none", "no such file or directory"),
        ("dangling", "no such file or directory"),
        ("self", "self: "),
        ("out", "leads out of the project"),
        ("/", "must be relative"),
    ] {
        let error = scene.error("list_dir", json!({ "path": path })).await;
        assert!(error.contains(why), "{path}: {error}");
    }
}

#[tokio::test]
async fn odd_names_come_in_the_form_that_can_be_given_back() {
    let scene = scene();
    let names = [&b"-rf"[..], b"caf\xe9\\x", b"two\nlines"];
    for name in names {
        std::fs::create_dir(scene.workspace().sandbox().join(os(name))).unwrap();
        std::fs::write(scene.workspace().sandbox().join(os(name)).join("f"), "").unwrap();
    }
    let shown = listed(&scene, json!({})).await;
    assert_eq!(shown, ["-rf", r"caf\xe9\\x", "two\nlines"]);
    for path in shown {
        assert_eq!(listed(&scene, json!({ "path": path })).await, [format!("{path}/f")]);
    }
}

#[tokio::test]
async fn a_large_directory_is_cut_and_counted() {
    let scene = scene();
    let dir = scene.workspace().sandbox().join("many");
    std::fs::create_dir(&dir).unwrap();
    for n in 0..100_000 {
        std::os::unix::fs::symlink("x", dir.join(format!("{n:06}"))).unwrap();
    }
    let output = scene.output("list_dir", json!({ "path": "many" })).await;
    let shown = paths(&output["entries"]);
    assert_eq!((shown.len(), &*shown[0], &*shown[999]), (1000, "many/000000", "many/000999"));
    assert_eq!((&output["total"], &output["truncated"]), (&json!(100_000), &json!(true)));
    let output = scene.output("glob", json!({ "pattern": "many/*7" })).await;
    assert_eq!((paths(&output["matches"]).len(), &output["total"]), (1000, &json!(10_000)));
    assert_eq!(output["truncated"], true);
}

#[tokio::test]
async fn the_answer_fits_what_a_call_may_return() {
    let mut scene = scene();
    scene.policy.limits.output_bytes = 4000;
    for n in 0..100 {
        scene.workspace().put(&format!("{}{n:03}", "ü".repeat(50)), "x");
    }
    for (tool, input, list) in [
        ("list_dir", json!({}), "entries"),
        ("glob", json!({ "pattern": "*" }), "matches"),
        ("search", json!({ "pattern": "x" }), "matches"),
    ] {
        let output = scene.output(tool, input).await;
        assert!(output.to_string().len() <= 4000, "the runner would cut it");
        let shown = paths(&output[list]);
        assert!(shown.len() > 10 && shown[9].ends_with("009"), "{tool}: {shown:?}");
        assert_eq!(output["truncated"], true, "{tool}");
    }
}
