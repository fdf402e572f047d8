use cleveragents_testkit::fake::Scene;
use serde_json::json;

use crate::support::{link, os, paths, scene};

async fn found(scene: &Scene, pattern: &str) -> Vec<String> {
    paths(&scene.output("glob", json!({ "pattern": pattern })).await["matches"])
}

#[tokio::test]
async fn patterns_are_about_the_whole_path() {
    let scene = scene();
    for file in ["main.rs", "src/main.rs", "src/a/main.rs", "src/a/b/c.rs", "src/a/.d.rs", "docs/x.md", "[x]"]
    {
        scene.workspace().put(file, "");
    }
    for (pattern, expected) in [
        ("main.rs", &["main.rs"][..]),
        ("**/main.rs", &["main.rs", "src/a/main.rs", "src/main.rs"]),
        ("src/*.rs", &["src/main.rs"]),
        ("./src/*.rs", &["src/main.rs"]),
        ("src/**/*.rs", &["src/a/.d.rs", "src/a/b/c.rs", "src/a/main.rs", "src/main.rs"]),
        ("src/*/*.rs", &["src/a/.d.rs", "src/a/main.rs"]),
        ("src/?", &["src/a"]),
        ("src/[!b]/b/", &["src/a/b"]),
        ("s*", &["src"]),
        ("src/a?main.rs", &[]),
        ("{docs/*,src/a/b}", &["docs/x.md", "src/a/b"]),
        ("src/{a/b,x}/c.rs", &["src/a/b/c.rs"]),
        ("src/a/**", &["src/a/.d.rs", "src/a/b", "src/a/b/c.rs", "src/a/main.rs"]),
        ("**/MAIN.rs", &[]),
        ("[[]x[]]", &["[x]"]),
        (r"\[x\]", &["[x]"]),
        ("none/**", &[]),
    ] {
        assert_eq!(found(&scene, pattern).await, expected, "{pattern}");
    }
    let output = scene.output("glob", json!({ "pattern": "docs*" })).await;
    let matches = json!([{ "path": "docs", "kind": "directory" }]);
    assert_eq!(output, json!({ "matches": matches, "total": 1, "truncated": false }));
}

#[tokio::test]
async fn hidden_files_and_links_are_found_and_git_is_not() {
    let scene = scene();
    for file in [".env", ".github/x", "dir/f", ".git/config", "sub/.git/HEAD", "sub/.GIT", "sub/.gitignore"] {
        scene.workspace().put(file, "");
    }
    link(&scene, "dir", "to-dir");
    link(&scene, ".", "dir/loop");
    link(&scene, "none", "dangling");
    let everything = [
        ".env",
        ".github",
        ".github/x",
        "dangling",
        "dir",
        "dir/f",
        "dir/loop",
        "sub",
        "sub/.gitignore",
        "to-dir",
    ];
    assert_eq!(found(&scene, "**").await, everything);
    assert_eq!(found(&scene, "**/f").await, ["dir/f"], "links are not gone through");
    for pattern in [".git/*", "**/.git", "sub/.git/**", ".g?t"] {
        assert_eq!(found(&scene, pattern).await, [""; 0], "{pattern}");
    }
}

#[tokio::test]
async fn names_are_bytes() {
    let scene = scene();
    for name in [&b"caf\xe9.txt"[..], "café.txt".as_bytes(), b"-x.txt", b"two\nlines.txt", b"back\\slash.txt"]
    {
        std::fs::write(scene.workspace().sandbox().join(os(name)), "").unwrap();
    }
    let all = ["-x.txt", r"back\\slash.txt", "café.txt", r"caf\xe9.txt", "two\nlines.txt"];
    assert_eq!(found(&scene, "*.txt").await, all);
    assert_eq!(found(&scene, "**/*.txt").await, all);
    assert_eq!(found(&scene, "caf?.txt").await, [r"caf\xe9.txt"], "a byte that is no text is one");
    assert_eq!(found(&scene, "café.txt").await, ["café.txt"]);
    assert_eq!(found(&scene, "-*").await, ["-x.txt"]);
    assert_eq!(found(&scene, "two\nlines.*").await, ["two\nlines.txt"]);
    assert_eq!(found(&scene, r"back\\slash.txt").await, [r"back\\slash.txt"]);
    let error = scene.error("glob", json!({ "pattern": r"caf\xe9.txt" })).await;
    assert!(error.contains("write `?`"), "{error}");
    assert_eq!(found(&scene, r"back\\xe9").await, [""; 0], "that is a backslash");
}

#[tokio::test]
async fn bad_patterns_are_errors() {
    let scene = scene();
    for (pattern, why) in [
        ("../*", "`..` is not allowed"),
        ("src/../*", "`..` is not allowed"),
        ("/etc/*", "must be relative"),
        ("./", "must name something"),
        ("a[", "unclosed"),
        ("{a", "unclosed"),
        ("[z-a]", "invalid range"),
    ] {
        let error = scene.error("glob", json!({ "pattern": pattern })).await;
        assert!(
            error.starts_with("the input does not fit glob: pattern: ") && error.contains(why),
            "{pattern}: {error}"
        );
    }
    assert!(scene.log.words().iter().all(|word| *word == "refused"), "none of them ran");
    let error = scene.error("glob", json!({ "pattern": "*".repeat(1001) })).await;
    assert!(error.contains("/pattern"), "{error}");
}
