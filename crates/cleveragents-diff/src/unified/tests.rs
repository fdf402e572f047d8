use super::{Content, FileChange, Rename, Side, SideKind, UnifiedDiff};

fn written(path: &str, before: Option<Side<'_>>, after: Option<Side<'_>>) -> String {
    let mut out = Vec::new();
    UnifiedDiff::new().append(&FileChange { path: path.as_bytes(), before, after }, &mut out);
    String::from_utf8(out).unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "the calls read better")]
fn file(mode: u32, content: &[u8]) -> Option<Side<'_>> {
    Some(Side::file(mode, content))
}

#[test]
fn an_empty_file_is_a_change() {
    assert_eq!(
        written("marker", None, file(0o644, b"")),
        "diff --git a/marker b/marker\nnew file mode 100644\n"
    );
    assert_eq!(
        written("marker", file(0o755, b""), None),
        "diff --git a/marker b/marker\ndeleted file mode 100755\n"
    );
}

#[test]
fn creation_and_deletion_name_the_other_side_null() {
    assert_eq!(
        written("a b", None, file(0o644, b"x\n")),
        "diff --git a/a b b/a b\nnew file mode 100644\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n"
    );
    assert_eq!(
        written("x", file(0o644, b"x\n"), None),
        "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    );
}

#[test]
fn the_exec_bit_is_a_change_of_its_own() {
    let expected = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    assert_eq!(written("x", file(0o644, b"x\n"), file(0o755, b"x\n")), expected);
    // Not text, but the same bytes: nothing more to tell.
    assert_eq!(written("x", file(0o644, b"\0"), file(0o755, b"\0")), expected);
}

#[test]
fn permissions_git_does_not_know_are_a_comment() {
    assert_eq!(written("key", file(0o644, b"x\n"), file(0o600, b"x\n")), "# mode 0644 -> 0600 key\n");
    assert_eq!(
        written("key", None, file(0o600, b"")),
        "# mode 0600 key\ndiff --git a/key b/key\nnew file mode 100644\n"
    );
    assert_eq!(
        written("run", file(0o4755, b""), file(0o644, b"")),
        "# mode 4755 -> 0644 run\ndiff --git a/run b/run\nold mode 100755\nnew mode 100644\n"
    );
    assert_eq!(
        written("d", Some(Side::directory(0o755)), Some(Side::directory(0o700))),
        "# mode 0755 -> 0700 d\n"
    );
}

#[test]
fn a_changed_kind_is_a_deletion_and_a_creation() {
    assert_eq!(
        written("x", file(0o644, b"x\n"), Some(Side::symlink(b"y"))),
        "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
         diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\
         \\ No newline at end of file\n"
    );
    assert_eq!(
        written("x", file(0o644, b""), Some(Side::directory(0o755))),
        "# directory created: x\ndiff --git a/x b/x\ndeleted file mode 100644\n"
    );
}

#[test]
fn directories_and_special_files_are_comments() {
    assert_eq!(written("a\nb", None, Some(Side::directory(0o755))), "# directory created: \"a\\nb\"\n");
    assert_eq!(written("d", Some(Side::directory(0o700)), None), "# directory removed: d\n# mode 0700 d\n");
    let pipe = Side { kind: SideKind::Special, mode: 0o644, content: Content::None };
    assert_eq!(written("pipe", None, Some(pipe)), "# special file created: pipe\n");
}

#[test]
fn binary_contents_are_named_only() {
    assert_eq!(
        written("é", file(0o644, b"\0"), file(0o644, b"\0\0")),
        "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n\
         Binary files \"a/\\303\\251\" and \"b/\\303\\251\" differ\n"
    );
    assert_eq!(
        written("x", None, file(0o644, b"\0")),
        "diff --git a/x b/x\nnew file mode 100644\nBinary files /dev/null and b/x differ\n"
    );
}

#[test]
fn content_that_was_not_loaded_is_never_called_equal() {
    let big = Some(Side { kind: SideKind::File, mode: 0o644, content: Content::Summary { size: 9 } });
    assert_eq!(
        written("big", big, big),
        "# content not shown: big (before 9 bytes, after 9 bytes)\n\
         diff --git a/big b/big\nBinary files a/big and b/big differ\n"
    );
}

#[test]
fn nothing_changed_writes_nothing() {
    assert_eq!(written("x", None, None), "");
    assert_eq!(written("x", file(0o600, b"x"), file(0o600, b"x")), "");
    let link = Side::symlink(b"y");
    assert_eq!(written("x", Some(link), Some(Side { mode: 0o755, ..link })), "");
}

#[test]
fn a_rename_names_both_paths() {
    let written = |path: &str, before, after| {
        let mut out = Vec::new();
        let change = FileChange { path: path.as_bytes(), before, after };
        let rename = Rename { from: b"old x", similarity: 50 };
        UnifiedDiff::new().append_renamed(&change, &rename, &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        written("new", file(0o644, b"a\nb\n"), file(0o755, b"a\nc\n")),
        "diff --git a/old x b/new\nold mode 100644\nnew mode 100755\nsimilarity index 50%\nrename from old x\n\
         rename to new\n--- a/old x\t\n+++ b/new\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    );
    assert_eq!(
        written("new", file(0o644, b"a\n"), file(0o644, b"a\n")),
        "diff --git a/old x b/new\nsimilarity index 50%\nrename from old x\nrename to new\n"
    );
    assert_eq!(
        written("new", file(0o644, b"a"), Some(Side::symlink(b"a"))),
        "diff --git a/old x b/old x\ndeleted file mode 100644\n--- a/old x\t\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
         \\ No newline at end of file\ndiff --git a/new b/new\nnew file mode 120000\n--- /dev/null\n+++ b/new\n\
         @@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"
    );
}
