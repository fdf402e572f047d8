use super::{ApplyError, apply_file};
use crate::Patch;

fn applied(base: &str, patch: &str) -> Result<String, ApplyError> {
    let patch = Patch::parse(patch.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{patch}"));
    apply_file(base.as_bytes(), &patch.files[0]).map(|bytes| String::from_utf8(bytes).unwrap())
}

fn unified(hunks: &str) -> String {
    format!("--- a/x\n+++ b/x\n{hunks}")
}

fn envelope(hunks: &str) -> String {
    format!("*** Begin Patch\n*** Update File: x\n{hunks}*** End Patch\n")
}

#[test]
fn a_moved_hunk_is_found_by_its_text() {
    let patch = unified("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    assert_eq!(applied("0\n0\n0\na\nb\nc\n", &patch).unwrap(), "0\n0\n0\na\nB\nc\n");
}

#[test]
fn never_by_position_alone() {
    let error = applied("a\nx\nc\n", &unified("@@ -2 +2 @@\n-b\n+B\n")).unwrap_err();
    assert!(matches!(&error, ApplyError::NotFound { hunk: 0, line: 3, .. }), "{error}");
    let error = applied("a\n", &unified("@@ -1,0 +2 @@\n+b\n")).unwrap_err();
    assert_eq!(error, ApplyError::NoContext { hunk: 0, line: 3 });
    assert_eq!(applied("", &unified("@@ -0,0 +1 @@\n+b\n")).unwrap(), "b\n");
}

#[test]
fn more_than_one_candidate_is_refused_with_line_numbers() {
    let base = "f {\n  x\n}\ng {\n  x\n}\n";
    let error = applied(base, &envelope("@@\n-  x\n+  y\n")).unwrap_err();
    assert_eq!(error, ApplyError::Ambiguous { hunk: 0, line: 3, count: 2, lines: vec![2, 5] });
    assert_eq!(
        error.to_string(),
        "hunk 1 (line 3 of the patch): its lines stand in 2 places of the file, from lines 2, 5; add more lines of \
         context"
    );
    // A number decides only where the text stands at it.
    assert_eq!(applied(base, &unified("@@ -5 +5 @@\n-  x\n+  y\n")).unwrap(), "f {\n  x\n}\ng {\n  y\n}\n");
    assert!(matches!(
        applied(base, &unified("@@ -4 +4 @@\n-  x\n+  y\n")),
        Err(ApplyError::Ambiguous { .. })
    ));
}

#[test]
fn an_anchor_says_behind_which_line() {
    let base = "f {\n  x\n}\ng {\n  x\n}\n";
    assert_eq!(applied(base, &envelope("@@ g {\n-  x\n+  y\n")).unwrap(), "f {\n  x\n}\ng {\n  y\n}\n");
    assert_eq!(applied(base, &envelope("@@  f {\n-  x\n+  y\n")).unwrap(), "f {\n  y\n}\ng {\n  x\n}\n");
    let error = applied(base, &envelope("@@ }\n-  x\n+  y\n")).unwrap_err();
    assert!(matches!(&error, ApplyError::Anchor { count: 2, lines, .. } if lines[..] == [3, 6]), "{error}");
    let error = applied(base, &envelope("@@ h {\n-  x\n+  y\n")).unwrap_err();
    assert!(matches!(error, ApplyError::Anchor { count: 0, .. }));
}

#[test]
fn numbers_in_an_envelope_are_numbers() {
    let base = "f {\n  x\n}\ng {\n  x\n}\n";
    assert_eq!(
        applied(base, &envelope("@@ -5 +5 @@ g\n-  x\n+  y\n")).unwrap(),
        "f {\n  x\n}\ng {\n  y\n}\n"
    );
    assert_eq!(applied(base, &envelope("@@ g { @@\n-  x\n+  y\n")).unwrap(), "f {\n  x\n}\ng {\n  y\n}\n");
}

#[test]
fn deletions_alone_are_a_change() {
    assert_eq!(applied("a\nb\nc\n", &envelope("@@\n a\n-b\n")).unwrap(), "a\nc\n");
    assert_eq!(applied("a\n", &unified("@@ -1 +0,0 @@\n-a\n")).unwrap(), "");
}

#[test]
fn the_end_of_the_file_stays_as_it_is() {
    let patch = envelope("@@\n-a\n+A\n");
    assert_eq!(applied("a\nb", &patch).unwrap(), "A\nb");
    assert_eq!(applied("a\nb\n\n", &patch).unwrap(), "A\nb\n\n");
    assert_eq!(applied("a", &patch).unwrap(), "A");
    assert_eq!(applied("a\nb", &envelope("@@\n b\n+c\n")).unwrap(), "a\nb\nc");
    assert_eq!(applied("a\nb", &envelope("@@\n a\n-b\n")).unwrap(), "a");
    assert_eq!(applied("a\nb", &envelope("@@\n+c\n")).unwrap(), "a\nb\nc");
    // Said outright, it changes.
    let end = "\\ No newline at end of file\n";
    assert_eq!(applied("a", &unified(&format!("@@ -1 +1 @@\n-a\n{end}+a\n"))).unwrap(), "a\n");
    assert_eq!(applied("a\n", &unified(&format!("@@ -1 +1 @@\n-a\n+a\n{end}"))).unwrap(), "a");
    // Of a file with `\r\n` too.
    assert_eq!(
        applied("b\r\na\r\n", &unified(&format!("@@ -1,2 +1,2 @@\n b\n-a\n+a\n{end}"))).unwrap(),
        "b\r\na"
    );
    assert_eq!(
        applied("b\r\na", &unified(&format!("@@ -1,2 +1,2 @@\n b\n-a\n{end}+a\n"))).unwrap(),
        "b\r\na\r\n"
    );
}

#[test]
fn new_lines_end_like_their_neighbours() {
    let patch = envelope("@@\n one\n-two\n+2\n+3\n");
    assert_eq!(applied("one\r\ntwo\r\n", &patch).unwrap(), "one\r\n2\r\n3\r\n");
    assert_eq!(applied("one\ntwo\r\nx\n", &patch).unwrap(), "one\n2\r\n3\r\nx\n");
    assert_eq!(applied("one\r\ntwo", &patch).unwrap(), "one\r\n2\r\n3");
    // A patch whose own lines end in `\r\n` fits a file whose lines do not, and the other way about.
    let returns = unified("@@ -1,2 +1,2 @@\n one\n-two\n+2\n").replace('\n', "\r\n");
    assert_eq!(applied("one\ntwo\n", &returns).unwrap(), "one\n2\n");
    assert_eq!(applied("one\r\ntwo\r\n", &returns).unwrap(), "one\r\n2\r\n");
    // A change of line ends is exact.
    let patch = unified("@@ -1,2 +1,2 @@\n-one\r\n+one\n two\r\n");
    assert_eq!(applied("one\r\ntwo\r\n", &patch).unwrap(), "one\ntwo\r\n");
    // A lone `\r` is content.
    assert_eq!(applied("a\rb\nc\n", &envelope("@@\n-c\n+d\n")).unwrap(), "a\rb\nd\n");
}

#[test]
fn the_byte_order_mark_is_kept_once() {
    let base = "\u{feff}x = 1\ny\n";
    assert_eq!(applied(base, &envelope("@@\n-x = 1\n+x = 2\n")).unwrap(), "\u{feff}x = 2\ny\n");
    assert_eq!(applied(base, &envelope("@@\n+w\n x = 1\n")).unwrap(), "\u{feff}w\nx = 1\ny\n");
    assert_eq!(
        applied(base, &envelope("@@\n-\u{feff}x = 1\n+\u{feff}x = 2\n")).unwrap(),
        "\u{feff}x = 2\ny\n"
    );
    assert_eq!(applied(base, &envelope("@@\n-x = 1\n+\u{feff}x = 2\n")).unwrap(), "\u{feff}x = 2\ny\n");
    assert_eq!(applied(base, &unified("@@ -1 +1 @@\n-\u{feff}x = 1\n+x = 1\n")).unwrap(), "x = 1\ny\n");
}

#[test]
fn hunks_come_in_order_and_share_no_line() {
    let base = "a\nb\nc\nd\n";
    let error = applied(base, &envelope("@@\n-c\n+C\n@@\n-a\n+A\n")).unwrap_err();
    assert_eq!(error, ApplyError::OutOfOrder { hunk: 1, line: 6, at: 1, other: 0, other_end: 3 });
    let error = applied(base, &envelope("@@\n a\n-b\n@@\n b\n-c\n")).unwrap_err();
    assert!(matches!(error, ApplyError::OutOfOrder { .. }));
    // All are looked up in the base: what the first brings in is not there for the second.
    let error = applied(base, &envelope("@@\n-a\n+x\n@@\n-x\n+y\n")).unwrap_err();
    assert!(matches!(error, ApplyError::NotFound { hunk: 1, .. }));
    assert_eq!(applied(base, &envelope("@@\n+e\n@@\n-a\n+A\n")).unwrap(), "A\nb\nc\nd\ne\n");
}

#[test]
fn an_end_that_is_none_is_refused() {
    let patch = envelope("@@\n-a\n+A\n*** End of File\n");
    assert_eq!(applied("a\na\n", &patch).unwrap(), "a\nA\n");
    let error = applied("a\nb\n", &patch).unwrap_err();
    assert_eq!(error, ApplyError::NotAtEnd { hunk: 0, line: 3, at: 1, left: 1 });
}

#[test]
fn creation_and_deletion() {
    let create = "*** Begin Patch\n*** Add File: x\n+a\n*** End Patch\n";
    assert_eq!(applied("", create).unwrap(), "a\n");
    assert_eq!(applied("b\n", create).unwrap_err(), ApplyError::NotEmpty { line: 2 });
    let delete = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    assert_eq!(applied("a\n", delete).unwrap(), "");
    assert_eq!(applied("a\nb\n", delete).unwrap_err(), ApplyError::Remains { line: 1, lines: 1 });
    assert_eq!(applied("a\nb\n", "*** Begin Patch\n*** Delete File: x\n*** End Patch\n").unwrap(), "");
}

#[test]
fn the_nearest_lines_are_named() {
    let error =
        applied("let total = 1;\nlet other = 2;\n", &envelope("@@\n-let totals = 1;\n+x\n")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "hunk 1 (line 3 of the patch): the file has no such lines: \"let totals = 1;\\n\"; the nearest lines are 1: \
         \"let total = 1;\"; read the file again and quote it exactly"
    );
}

#[test]
fn repeated_lines_cost_a_limited_time() {
    let base = "a\n".repeat(100_000);
    let hunk = format!("@@ -900000,999 +1,999 @@\n{}-a\n", " a\n".repeat(998));
    let error = applied(&base, &unified(&hunk.repeat(50))).unwrap_err();
    assert!(matches!(error, ApplyError::Ambiguous { .. }), "{error}");
    // Fits nowhere, but nearly everywhere for a long stretch.
    let hunk = format!("@@ -900000,9 +1,9 @@\n{} a\n-a\n", " a\n b\n".repeat(50_000));
    let error = applied(&"a\nb\n".repeat(100_000), &unified(&hunk)).unwrap_err();
    assert_eq!(error, ApplyError::TooMuchWork { hunk: 0, line: 3 });
}
