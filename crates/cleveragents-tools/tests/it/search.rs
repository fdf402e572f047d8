use std::time::{Duration, Instant};

use cleveragents_runtime::domain::CallOutcome;
use cleveragents_testkit::fake::Scene;
use serde_json::{Value, json};

use crate::support::{link, os, paths, scene};

/// Matches as `path:line:column:text`.
fn lines(output: &Value) -> Vec<String> {
    let line = |found: &Value| {
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        format!("{}:{}:{}:{}", text("path"), found["line"], found["column"], text("text"))
    };
    output["matches"].as_array().unwrap().iter().map(line).collect()
}

async fn found(scene: &Scene, input: Value) -> Vec<String> {
    lines(&scene.output("search", input).await)
}

#[tokio::test]
async fn a_match_names_its_place() {
    let scene = scene();
    scene.workspace().put("a/mod.rs", "fn one() {}\n\n  fn two() { fn }\n");
    scene.workspace().put("b/mod.rs", "no\r\nfür fn\r\nfn last");
    scene.workspace().put(".hidden", "fn\n");
    let output = scene.output("search", json!({ "pattern": "fn" })).await;
    let expected = [
        ".hidden:1:1:fn",
        "a/mod.rs:1:1:fn one() {}",
        "a/mod.rs:3:3:  fn two() { fn }",
        "b/mod.rs:2:5:für fn",
        "b/mod.rs:3:1:fn last",
    ];
    assert_eq!(lines(&output), expected, "two files of one name are told apart by their paths");
    assert_eq!(
        (&output["path"], &output["files_searched"], &output["truncated"]),
        (&json!("."), &json!(3), &json!(false))
    );
    assert_eq!(found(&scene, json!({ "pattern": "^fn$" })).await, [".hidden:1:1:fn"]);
    assert_eq!(found(&scene, json!({ "pattern": "fn$", "path": "b" })).await, ["b/mod.rs:2:5:für fn"]);
    assert_eq!(found(&scene, json!({ "pattern": "(?i)FN L" })).await, ["b/mod.rs:3:1:fn last"]);
    assert_eq!(found(&scene, json!({ "pattern": r"^$" })).await, ["a/mod.rs:2:1:"], "no line after the last");
    assert_eq!(found(&scene, json!({ "pattern": r"no\s+f" })).await, [""; 0], "a line by itself");
}

#[tokio::test]
async fn path_and_glob_narrow_it() {
    let scene = scene();
    for file in ["x.rs", "src/x.rs", "src/deep/x.rs", "src/x.md", "srcs/x.rs"] {
        scene.workspace().put(file, "needle\n");
    }
    link(&scene, "src", "to-dir");
    link(&scene, "src/x.md", "to-file");
    link(&scene, "..", "src/loop");
    for (input, expected) in [
        (json!({ "path": "src" }), &["src/deep/x.rs", "src/x.md", "src/x.rs"][..]),
        (json!({ "path": "src/x.rs" }), &["src/x.rs"]),
        (json!({ "path": "to-dir" }), &["to-dir/deep/x.rs", "to-dir/x.md", "to-dir/x.rs"]),
        (json!({ "path": "to-file" }), &["to-file"]),
        (json!({ "glob": "*.md" }), &["src/x.md"]),
        (json!({ "glob": "*.rs", "path": "src" }), &["src/deep/x.rs", "src/x.rs"]),
        (json!({ "glob": "src/**/*.rs" }), &["src/deep/x.rs", "src/x.rs"]),
        (json!({ "glob": "./*.rs" }), &["x.rs"]),
        (json!({ "glob": "*.py" }), &[]),
        (json!({ "glob": "*.py", "path": "src/x.rs" }), &[]),
        (json!({ "glob": "*.rs", "path": "src/x.rs" }), &["src/x.rs"]),
    ] {
        let mut input = input;
        input["pattern"] = "needle".into();
        let output = scene.output("search", input.clone()).await;
        assert_eq!(paths(&output["matches"]), expected, "{input}");
    }
    let output = scene.output("search", json!({ "pattern": "x", "path": "to-file" })).await;
    assert_eq!((&output["path"], &output["link_to"]), (&json!("to-file"), &json!("src/x.md")));
}

#[tokio::test]
async fn binary_files_and_git_are_not_searched() {
    let scene = scene();
    scene.workspace().put("zip", b"needle\0needle\n");
    scene.workspace().put("late", [b"needle\n".repeat(50_000), vec![0]].concat());
    scene.workspace().put("empty", "");
    scene.workspace().put("text", "needle\n");
    for file in [".git/config", "sub/.git/x", "sub/.GIT/x"] {
        scene.workspace().put(file, "needle\n");
    }
    let output = scene.output("search", json!({ "pattern": "needle", "path": "text" })).await;
    assert_eq!(output["matches"].as_array().unwrap().len(), 1);
    let output = scene.output("search", json!({ "pattern": "needle$", "glob": "{zip,empty,text,x}" })).await;
    assert_eq!(lines(&output), ["text:1:1:needle"]);
    assert_eq!((&output["binary_files_skipped"], &output["files_searched"]), (&json!(1), &json!(2)));
    let output = scene.output("search", json!({ "pattern": "nowhere", "path": "late" })).await;
    assert_eq!(output["binary_files_skipped"], 1);
    for path in [".git", ".git/config", "sub/.GIT/x"] {
        let error = scene.error("search", json!({ "pattern": "x", "path": path })).await;
        assert!(error.contains("inside .git is not shown"), "{error}");
    }
}

#[tokio::test]
async fn bytes_that_are_not_text_are_found_and_marked() {
    let scene = scene();
    scene.workspace().put("latin", b"// caf\xe9 x\n");
    let output = scene.output("search", json!({ "pattern": "caf.*x|caf(?-u:.) x" })).await;
    assert_eq!(lines(&output), ["latin:1:4:// caf\u{fffd} x"]);
    assert_eq!(output["matches"][0]["not_utf8"], true);
    for name in [&b"-e"[..], b"caf\xe9\\x", b"two\nlines"] {
        std::fs::write(scene.workspace().sandbox().join(os(name)), "needle").unwrap();
    }
    let output = scene.output("search", json!({ "pattern": "needle" })).await;
    assert_eq!(paths(&output["matches"]), ["-e", r"caf\xe9\\x", "two\nlines"]);
    let output = scene.output("search", json!({ "pattern": "needle", "path": r"caf\xe9\\x" })).await;
    assert_eq!(paths(&output["matches"]), [r"caf\xe9\\x"]);
}

#[tokio::test]
async fn long_lines_are_shown_around_the_match() {
    let scene = scene();
    let long = format!("{}needle{}", "日".repeat(3000), "本".repeat(3000));
    scene.workspace().put("f", format!("first\n{long}\nneedle\n"));
    let output = scene.output("search", json!({ "pattern": "needle" })).await;
    let first = &output["matches"][0];
    assert_eq!((&first["line"], &first["column"], &first["cut"]), (&json!(2), &json!(3001), &json!(true)));
    let text = first["text"].as_str().unwrap();
    assert!(text.len() <= 500 && text.contains("日needle本"), "{text}");
    assert_eq!((&first["not_utf8"], text.contains('\u{fffd}')), (&json!(null), false));
    assert_eq!(output["matches"][1]["cut"], json!(null));
    for (line, column) in [("needle".to_owned() + &"ü".repeat(900), 1), ("ü".repeat(900) + "needle", 901)] {
        scene.workspace().put("f", line);
        let output = scene.output("search", json!({ "pattern": "needle" })).await;
        let first = &output["matches"][0];
        assert_eq!(first["column"], column);
        assert!(first["text"].as_str().unwrap().contains("needle"));
    }
    // Only so much of a line is held.
    scene.workspace().put("f", format!("{}\nneedle\n", "x".repeat(1_000_000) + "needle"));
    let output = scene.output("search", json!({ "pattern": "needle" })).await;
    assert_eq!(
        (lines(&output), &output["lines_searched_only_at_their_start"]),
        (vec!["f:2:1:needle".to_owned()], &json!(1))
    );
}

#[tokio::test]
async fn a_large_file_is_read_in_pieces() {
    let scene = scene();
    let text = (1..=150_000).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    scene.workspace().put("f", &text);
    let output = scene.output("search", json!({ "pattern": "^line (1|75000|150000)$" })).await;
    assert_eq!(lines(&output), ["f:1:1:line 1", "f:75000:1:line 75000", "f:150000:1:line 150000"]);
}

#[tokio::test]
async fn matches_are_bounded() {
    let scene = scene();
    scene.workspace().put("a", "x\n".repeat(500));
    let output = scene.output("search", json!({ "pattern": "x" })).await;
    assert_eq!((lines(&output).len(), &output["truncated"]), (500, &json!(false)));
    scene.workspace().put("b", "x\n".repeat(500));
    let output = scene.output("search", json!({ "pattern": "x" })).await;
    assert_eq!((lines(&output).len(), &output["truncated"]), (500, &json!(true)));
    assert_eq!(lines(&output)[499], "a:500:1:x", "the first ones");
}

#[tokio::test]
async fn a_pattern_that_is_wrong_says_where() {
    let scene = scene();
    let error = scene.error("search", json!({ "pattern": "good(bad" })).await;
    assert_eq!(
        error,
        "the input does not fit search: pattern: regex parse error:\n    good(bad\n        ^\nerror: unclosed group"
    );
    for (pattern, why) in
        [("(?=x)", "look-around"), (r"(a)\1", "backreferences"), ("a{1000}{1000}", "too large")]
    {
        let error = scene.error("search", json!({ "pattern": pattern })).await;
        assert!(error.contains("pattern: ") && error.contains(why), "{error}");
    }
    let error = scene.error("search", json!({ "pattern": "x", "glob": "a[" })).await;
    assert!(error.contains("glob: ") && error.contains("unclosed"), "{error}");
    assert!(scene.log.words().iter().all(|word| *word == "refused"), "none of them ran");
}

#[tokio::test]
async fn what_cannot_be_searched_is_an_error() {
    let scene = scene();
    link(&scene, "none", "dangling");
    link(&scene, "../project", "out");
    for (path, why) in [
        ("none", "no such file or directory"),
        ("dangling", "no such file or directory"),
        ("out", "leads out of the project"),
        ("../project", "`..` is not allowed"),
    ] {
        let error = scene.error("search", json!({ "pattern": "x", "path": path })).await;
        assert!(error.contains(why), "{path}: {error}");
    }
}

/// Something to search that takes long: a slow pattern over much text.
fn much(scene: &Scene) -> Value {
    let line = "a".repeat(200) + "\n";
    scene.workspace().put("first", "aX\n");
    for n in 0..4 {
        scene.workspace().put(&format!("n/{n}"), line.repeat(2000));
    }
    json!({ "pattern": "(?-u)(?:a{1,60}){1,60}X|aX" })
}

#[tokio::test]
async fn a_search_stops_when_the_plan_does() {
    let scene = scene();
    let input = much(&scene);
    let cancel = scene.cancel.clone();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
        Instant::now()
    };
    let (report, told) = tokio::join!(scene.call("search", input), stop);
    assert!(told.elapsed() < Duration::from_secs(3), "{:?}", told.elapsed());
    assert_eq!(report.invocation.outcome, CallOutcome::Cancelled, "{:?}", report.invocation);
    let output = report.invocation.output;
    assert_eq!((lines(&output), &output["truncated"]), (vec!["first:1:1:aX".to_owned()], &json!(true)));
}

#[tokio::test]
async fn a_search_stops_when_its_time_is_up() {
    let mut scene = scene();
    scene.policy.limits.call_time_ms = 300;
    let input = much(&scene);
    let report = scene.call("search", input).await;
    assert_eq!(report.invocation.outcome, CallOutcome::TimedOut, "{:?}", report.invocation);
    assert_eq!(lines(&report.invocation.output), ["first:1:1:aX"]);
}
