use serde_json::json;

use crate::support::scene;

#[tokio::test]
async fn lines_come_as_they_are() {
    let scene = scene();
    scene.workspace().put("dir/f", "one\r\ntwo\n\nfour");
    let output = scene.output("read_file", json!({ "path": "./dir//f" })).await;
    assert_eq!(
        output,
        json!({
            "path": "dir/f", "offset": 1, "lines": 4, "bytes": 14, "truncated": false,
            "content": "one\r\ntwo\n\nfour"
        })
    );
    scene.workspace().put("empty", "");
    let output = scene.output("read_file", json!({ "path": "empty" })).await;
    assert_eq!((&output["lines"], &output["content"]), (&json!(0), &json!("")));
}

#[tokio::test]
async fn a_window_says_where_to_go_on() {
    let scene = scene();
    scene.workspace().put("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    let output = scene.output("read_file", json!({ "path": "f", "offset": 3, "limit": 2 })).await;
    assert_eq!(output["content"], "3\n4\n");
    assert_eq!((&output["truncated"], &output["next_offset"]), (&json!(true), &json!(5)));
    let output = scene.output("read_file", json!({ "path": "f", "offset": 9, "limit": 2 })).await;
    assert_eq!((&output["content"], &output["truncated"]), (&json!("9\n10\n"), &json!(false)));
    let error = scene.error("read_file", json!({ "path": "f", "offset": 11 })).await;
    assert_eq!(error, "f: has 10 lines; line 11 is beyond its end");
    scene.workspace().put("g", "1\n2");
    let error = scene.error("read_file", json!({ "path": "g", "offset": 3 })).await;
    assert_eq!(error, "g: has 2 lines; line 3 is beyond its end");
}

#[tokio::test]
async fn a_large_file_is_read_through_windows() {
    let mut scene = scene();
    scene.policy.limits.output_bytes = 20_000;
    // Larger than one piece, with characters that JSON must escape and that pieces cut.
    let whole = (0..30_000).map(|n| format!("{n} \"ü\"\n")).collect::<Vec<_>>().concat();
    scene.workspace().put("f", &whole);
    let (mut read, mut offset) = (String::new(), json!(1));
    let mut windows = 0;
    loop {
        let output =
            scene.output("read_file", json!({ "path": "f", "offset": offset, "limit": 100_000 })).await;
        assert!(output.to_string().len() <= 20_000, "the runner would cut it");
        read.push_str(output["content"].as_str().unwrap());
        windows += 1;
        if output["truncated"] == json!(false) {
            break;
        }
        offset = output["next_offset"].clone();
        if windows == 3 {
            break;
        }
    }
    assert!(windows > 1 && whole.starts_with(&read));
    let output = scene.output("read_file", json!({ "path": "f", "offset": 29_999 })).await;
    assert_eq!(output["content"], "29998 \"ü\"\n29999 \"ü\"\n");

    scene.workspace().put("long", "ü".repeat(50_000));
    let output = scene.output("read_file", json!({ "path": "long" })).await;
    assert_eq!(output["note"], "the last line is too long and is cut");
    assert!(output["content"].as_str().unwrap().chars().all(|c| c == 'ü'));
}

#[tokio::test]
async fn bytes_that_are_not_text_come_as_base64() {
    let scene = scene();
    scene.workspace().put("f", b"ok\ncaf\xe9\n");
    let output = scene.output("read_file", json!({ "path": "f" })).await;
    assert_eq!((&output["content_base64"], &output["content"]), (&json!("b2sKY2Fm6Qo="), &json!(null)));
    let output = scene.output("read_file", json!({ "path": "f", "limit": 1 })).await;
    assert_eq!(output["content"], "ok\n");
}

#[tokio::test]
async fn a_link_is_followed_inside_and_shown() {
    let scene = scene();
    scene.workspace().put("real", "x");
    std::os::unix::fs::symlink("real", scene.workspace().sandbox().join("link")).unwrap();
    let output = scene.output("read_file", json!({ "path": "link" })).await;
    assert_eq!((&output["content"], &output["link_to"]), (&json!("x"), &json!("real")));
}

#[tokio::test]
async fn names_that_are_not_text_are_written_with_escapes() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = scene();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9\\x");
    std::fs::write(scene.workspace().sandbox().join(name), "x").unwrap();
    let output = scene.output("read_file", json!({ "path": r"caf\xe9\\x" })).await;
    assert_eq!((&output["path"], &output["content"]), (&json!(r"caf\xe9\\x"), &json!("x")));
}

#[tokio::test]
async fn what_is_no_file_is_an_error() {
    let scene = scene();
    scene.workspace().put("dir/f", "x");
    assert_eq!(scene.error("read_file", json!({ "path": "none" })).await, "none: no such file or directory");
    assert_eq!(scene.error("read_file", json!({ "path": "dir" })).await, "dir: is a directory, not a file");
}
