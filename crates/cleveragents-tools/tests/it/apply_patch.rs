use serde_json::{Value, json};

use crate::support::scene;
use crate::write_file::mode;

fn patch(text: &str) -> Value {
    json!({ "patch": text })
}

fn envelope(body: &str) -> Value {
    patch(&format!("*** Begin Patch\n{body}*** End Patch\n"))
}

#[tokio::test]
async fn every_kind_of_change_in_one_patch() {
    let scene = scene();
    let at = scene.workspace();
    at.put("a", "one\ntwo\nthree\n");
    at.put("gone", "bye\n");
    at.put("from", "moved\n");
    let text = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\
                diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n\
                diff --git a/new/x b/new/x\nnew file mode 100755\n--- /dev/null\n+++ b/new/x\n@@ -0,0 +1 @@\n+hi\n\
                diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n\
                diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+to\n\\ No newline at end of file\n";
    let output = scene.output("apply_patch", patch(text)).await;
    assert_eq!(output["files"].as_array().unwrap().len(), 5);
    assert_eq!(at.get("a").unwrap(), b"one\n2\nthree\n");
    assert!(at.get("gone").is_none() && at.get("from").is_none());
    assert_eq!(at.get("to").unwrap(), b"moved\n");
    assert_eq!((at.get("new/x").unwrap(), mode(&scene, "new/x")), (b"hi\n".to_vec(), 0o755));
    assert_eq!(std::fs::read_link(at.sandbox().join("link")).unwrap().to_str(), Some("to"));
}

#[tokio::test]
async fn all_of_it_or_nothing() {
    let scene = scene();
    let at = scene.workspace();
    at.put("a", "a\n");
    at.put("b", "b\n");
    // P2: the deletion stands first, and the update cannot be.
    let bad = envelope("*** Delete File: a\n*** Update File: b\n@@\n-nowhere\n+x\n");
    let error = scene.error("apply_patch", bad).await;
    assert!(error.starts_with("b: hunk 1") && error.contains("nothing was changed"), "{error}");
    assert_eq!((at.get("a").unwrap(), at.get("b").unwrap()), (b"a\n".to_vec(), b"b\n".to_vec()));
}

#[tokio::test]
async fn nothing_is_replaced_unasked() {
    let scene = scene();
    let at = scene.workspace();
    for name in ["f", "dst"] {
        at.put(name, "mine\n");
    }
    // P3: adding what stands, and moving to where something stands.
    let add = scene.error("apply_patch", envelope("*** Add File: f\n+other\n")).await;
    assert!(add.contains("f (line 2 of the patch): already exists"), "{add}");
    let moved = envelope("*** Update File: f\n*** Move to: dst\n@@\n-mine\n+x\n");
    let error = scene.error("apply_patch", moved).await;
    assert!(error.contains("dst") && error.contains("already exists"), "{error}");
    for name in ["f", "dst"] {
        assert_eq!(at.get(name).unwrap(), b"mine\n");
    }
    // P1: moving a file to where it is, is a plain update.
    for to in ["f", "./f"] {
        let text = format!("*** Update File: f\n*** Move to: {to}\n@@\n-mine\n+mine\n+more\n");
        scene.output("apply_patch", envelope(&text)).await;
        assert_eq!(at.get("f").unwrap(), b"mine\nmore\n");
        at.put("f", "mine\n");
    }
}

#[tokio::test]
async fn bytes_that_the_patch_does_not_change_are_kept() {
    let scene = scene();
    for (before, old, new, after) in [
        (&b"a\nb"[..], "a", "A", &b"A\nb"[..]),
        (b"alpha\nbeta\n\n", "alpha", "x", b"x\nbeta\n\n"),
        (b"one\r\ntwo\r\n", "one", "1", b"1\r\ntwo\r\n"),
        (b"\xef\xbb\xbfx = 1\ny\n", "x = 1", "x = 2", b"\xef\xbb\xbfx = 2\ny\n"),
        (b"x=1\n// caf\xe9\n", "x=1", "x=2", b"x=2\n// caf\xe9\n"),
    ] {
        scene.workspace().put("f", before);
        scene.output("apply_patch", envelope(&format!("*** Update File: f\n@@\n-{old}\n+{new}\n"))).await;
        assert_eq!(scene.workspace().get("f").unwrap(), after, "{old}");
    }
}

#[tokio::test]
async fn ambiguity_is_refused_and_a_number_is_no_place() {
    let scene = scene();
    scene.workspace().put("f", "same\nother\nsame\n");
    let twice = scene.error("apply_patch", envelope("*** Update File: f\n@@\n-same\n+x\n")).await;
    assert!(twice.contains("2 places") && twice.contains("1, 3"), "{twice}");
    let absent = "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-absent\n+x\n";
    let error = scene.error("apply_patch", patch(absent)).await;
    assert!(error.contains("no such lines"), "{error}");
    assert_eq!(scene.workspace().get("f").unwrap(), b"same\nother\nsame\n");
}

#[tokio::test]
async fn a_link_stays_a_link_and_an_executable_one() {
    let scene = scene();
    let at = scene.workspace();
    scene.output("write_file", json!({ "path": "AGENTS.md", "content": "a\n", "executable": true })).await;
    std::os::unix::fs::symlink("AGENTS.md", at.sandbox().join("CLAUDE.md")).unwrap();
    let report = scene.call("apply_patch", envelope("*** Update File: CLAUDE.md\n@@\n-a\n+b\n")).await;
    assert_eq!(report.entries.len(), 1);
    assert_eq!(report.entries[0].path.to_text(), "AGENTS.md");
    assert_eq!(std::fs::read_link(at.sandbox().join("CLAUDE.md")).unwrap().to_str(), Some("AGENTS.md"));
    assert_eq!((at.get("AGENTS.md").unwrap(), mode(&scene, "AGENTS.md")), (b"b\n".to_vec(), 0o755));
}

#[tokio::test]
async fn a_file_can_become_a_directory_and_a_path_cannot_lead_out() {
    let scene = scene();
    scene.workspace().put("d", "file\n");
    let text = envelope("*** Delete File: d\n*** Add File: d/inner\n+in\n");
    scene.output("apply_patch", text).await;
    assert_eq!(scene.workspace().get("d/inner").unwrap(), b"in\n");
    for name in ["../x", "/etc/x", "a/../../x"] {
        let error = scene.error("apply_patch", envelope(&format!("*** Add File: {name}\n+x\n"))).await;
        assert!(error.contains(name), "{error}");
    }
    let nonsense = scene.error("apply_patch", patch("hello")).await;
    assert!(nonsense.contains("*** Begin Patch"), "{nonsense}");
}

#[tokio::test]
async fn a_patch_that_was_cut_off_is_refused_and_a_miscount_is_told() {
    let scene = scene();
    scene.workspace().put("f", "a\nb\nc\n");
    let cut = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n";
    let error = scene.error("apply_patch", patch(cut)).await;
    assert!(error.contains("ends inside the hunk at its line 3"), "{error}");
    assert_eq!(scene.workspace().get("f").unwrap(), b"a\nb\nc\n");
    let miscounted = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n-b\n+B\n c\n";
    let output = scene.output("apply_patch", patch(miscounted)).await;
    assert!(output["files"][0]["note"].as_str().unwrap().contains("counted wrongly"), "{output}");
    assert_eq!(scene.workspace().get("f").unwrap(), b"a\nB\nc\n");
}

#[tokio::test]
async fn one_place_has_one_name_in_a_patch() {
    let scene = scene();
    let at = scene.workspace();
    at.put("d/f", "a\nb\n");
    at.put("t", "T\n");
    for (target, link) in [("d", "l"), ("t", "k")] {
        std::os::unix::fs::symlink(target, at.sandbox().join(link)).unwrap();
    }
    let through = "*** Update File: d/f\n@@\n-a\n+A\n*** Update File: l/f\n@@\n-b\n+B\n";
    let error = scene.error("apply_patch", envelope(through)).await;
    assert!(error.contains("l is a symbolic link"), "{error}");
    for second in ["*** Delete File: k\n", "*** Update File: t\n@@\n-T\n+V\n"] {
        let text = format!("*** Update File: k\n@@\n-T\n+U\n{second}");
        let error = scene.error("apply_patch", envelope(&text)).await;
        assert!(error.contains("k (line 2 of the patch): is a symbolic link"), "{error}");
    }
    assert_eq!((at.get("d/f").unwrap(), at.get("t").unwrap()), (b"a\nb\n".to_vec(), b"T\n".to_vec()));
}

#[tokio::test]
async fn gits_copies_are_of_the_files_before_the_patch() {
    let scene = scene();
    scene.workspace().put("a", "old\n");
    let text = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\n\
                diff --git a/a b/c\nsimilarity index 100%\ncopy from a\ncopy to c\n";
    scene.output("apply_patch", patch(text)).await;
    let get = |name: &str| scene.workspace().get(name).unwrap();
    assert_eq!((get("a"), get("c")), (b"new\n".to_vec(), b"old\n".to_vec()));
}

#[tokio::test]
async fn a_link_that_a_diff_points_elsewhere_is_the_link() {
    use cleveragents_runtime::diff::{FileChange, Side, UnifiedDiff};
    let scene = scene();
    let at = scene.workspace();
    at.put("t", "t");
    std::os::unix::fs::symlink("t", at.sandbox().join("l")).unwrap();
    let mut text = Vec::new();
    let change =
        FileChange { path: b"l", before: Some(Side::symlink(b"t")), after: Some(Side::symlink(b"u")) };
    UnifiedDiff::new().append(&change, &mut text);
    scene.output("apply_patch", patch(std::str::from_utf8(&text).unwrap())).await;
    assert_eq!(std::fs::read_link(at.sandbox().join("l")).unwrap().to_str(), Some("u"));
    assert_eq!(at.get("t").unwrap(), b"t");
}
