use cleveragents_runtime::domain::Operation;
use serde_json::json;

use crate::support::{link, os, scene};
use crate::write_file::mode;

#[tokio::test]
async fn the_bits_are_set_and_recorded() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content": "x", "executable": false })).await;
    for (text, bits) in [("0755", 0o755), ("640", 0o640), ("0o600", 0o600), ("00644", 0o644)] {
        let before = format!("{:04o}", mode(&scene, "f"));
        let report = scene.call("set_mode", json!({ "path": "f", "mode": text })).await;
        let output =
            json!({ "path": "f", "kind": "file", "mode": format!("{bits:04o}"), "mode_before": before });
        assert_eq!(report.invocation.output, output);
        assert_eq!((mode(&scene, "f"), report.entries.len()), (bits, 1), "{text}");
        assert_eq!(report.entries[0].operation(), Some(Operation::Mode));
    }
    let report = scene.call("set_mode", json!({ "path": "f", "mode": "644" })).await;
    assert!(report.succeeded() && report.entries.is_empty(), "the same is no change");
    scene.workspace().put("dir/f", "x");
    let report = scene.call("set_mode", json!({ "path": "dir", "mode": "700" })).await;
    assert_eq!((mode(&scene, "dir"), report.entries.len()), (0o700, 1), "nothing below it");
}

#[tokio::test]
async fn special_bits_and_what_is_not_octal_are_refused() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content": "x", "executable": false })).await;
    for text in ["4755", "02755", "1777", "0o7000"] {
        let error = scene.error("set_mode", json!({ "path": "f", "mode": text })).await;
        assert!(
            error.contains("mode: ") && error.contains("setuid, setgid and sticky cannot be set"),
            "{text}: {error}"
        );
    }
    for text in
        ["", "7", "75", "0788", "u+x", "rwxr-xr-x", "+755", "-755", " 755", "77777", "0o", "0755755", "७५५"]
    {
        let error = scene.error("set_mode", json!({ "path": "f", "mode": text })).await;
        assert!(error.contains("is not octal"), "{text}: {error}");
    }
    assert_eq!(scene.log.words().iter().filter(|word| **word != "refused").count(), 2, "none of them ran");
    assert_eq!(mode(&scene, "f"), 0o644);
}

#[tokio::test]
async fn a_link_has_no_mode() {
    let scene = scene();
    scene.output("write_file", json!({ "path": "f", "content": "x", "executable": false })).await;
    link(&scene, "f", "l");
    let error = scene.error("set_mode", json!({ "path": "l", "mode": "755" })).await;
    assert!(error.starts_with("l: is a symbolic link to f, "), "{error}");
    assert_eq!(mode(&scene, "f"), 0o644);
    let error = scene.error("set_mode", json!({ "path": "none", "mode": "755" })).await;
    assert_eq!(error, "none: no such file or directory");
}

#[tokio::test]
async fn odd_names_are_names() {
    let scene = scene();
    for (text, name) in [("two\nlines", &b"two\nlines"[..]), ("-R", b"-R"), (r"caf\xe9\\", b"caf\xe9\\")] {
        std::fs::write(scene.workspace().sandbox().join(os(name)), "").unwrap();
        let output = scene.output("set_mode", json!({ "path": text, "mode": "755" })).await;
        assert_eq!((&output["path"], &output["mode"]), (&json!(text), &json!("0755")));
    }
}
