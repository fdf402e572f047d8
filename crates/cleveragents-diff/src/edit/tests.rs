use super::{Edit, EditError, EditErrorKind, apply_edits};

fn edit<'a>(old: &'a str, new: &'a str) -> Edit<'a> {
    Edit { old: old.as_bytes(), new: new.as_bytes(), all: false }
}

#[track_caller]
fn becomes(base: &[u8], edits: &[Edit<'_>], expected: &[u8]) {
    let result = apply_edits(base, edits).unwrap();
    assert_eq!(result.escape_ascii().to_string(), expected.escape_ascii().to_string());
}

fn refused(base: &[u8], edits: &[Edit<'_>]) -> EditError {
    apply_edits(base, edits).unwrap_err()
}

#[test]
fn every_byte_outside_is_kept() {
    becomes(b"a\nb", &[edit("a", "A")], b"A\nb");
    becomes(b"alpha\nbeta\n\n", &[edit("alpha", "x")], b"x\nbeta\n\n");
    becomes(b"x=1\n// caf\xe9\n", &[edit("x=1", "x=2")], b"x=2\n// caf\xe9\n");
    becomes(b"\xef\xbb\xbfx = 1\n", &[edit("x = 1\n", "y\n")], b"\xef\xbb\xbfy\n");
    becomes(b"a", &[], b"a");
    becomes(b"-- old\nb\n", &[edit("-- old\n", "")], b"b\n");
}

#[test]
fn a_byte_order_mark_is_not_doubled() {
    becomes(b"\xef\xbb\xbfx\n", &[edit("x", "\u{feff}y")], b"\xef\xbb\xbfy\n");
    becomes(b"\xef\xbb\xbfx\n", &[edit("\u{feff}x", "\u{feff}y")], b"\xef\xbb\xbfy\n");
}

#[test]
fn new_lines_take_the_line_end_of_those_they_replace() {
    becomes(b"one\r\ntwo\r\n", &[edit("two", "2\n3")], b"one\r\n2\r\n3\r\n");
    becomes(b"one\r\ntwo\r\n", &[edit("one\ntwo\n", "1\n2\n3\n")], b"1\r\n2\r\n3\r\n");
    becomes(b"one\r\ntwo", &[edit("two", "2\n3")], b"one\r\n2\r\n3");
    becomes(b"one\r\ntwo\r\n", &[edit("\ntwo", "\n2\n3")], b"one\r\n2\r\n3\r\n");
    becomes(b"one\r\ntwo\r\n", &[edit("one\n", "")], b"two\r\n");
    becomes(b"one\ntwo\r\n", &[edit("one", "1\n2")], b"1\n2\ntwo\r\n");
    becomes(b"one\ntwo\r\n", &[edit("one\n", "1\n2\n")], b"1\n2\ntwo\r\n");
    becomes(b"two\nthree\r\n", &[edit("two\n", "1\ntwo\n")], b"1\ntwo\nthree\r\n");
    becomes(b"x", &[edit("x", "y\nz")], b"y\nz");
}

#[test]
fn repeated_lines_keep_their_own_line_end() {
    becomes(b"a\r\nb\nc\r\nd\n", &[edit("a\nb\nc\nd", "a\nb\nC\nd")], b"a\r\nb\nC\r\nd\n");
    becomes(b"a\r\nb\nc\r\n", &[edit("a\nb\nc\n", "a\nx\nb\nc\n")], b"a\r\nx\r\nb\nc\r\n");
    becomes(b"a\nb\nc\r\nd\r\n", &[edit("b\nc", "b\nx\nc")], b"a\nb\nx\nc\r\nd\r\n");
}

#[test]
fn an_edit_that_spells_out_a_carriage_return_is_literal() {
    becomes(b"a\r\nb\r\n", &[edit("a\r\n", "a\n")], b"a\nb\r\n");
    becomes(b"a\nb\n", &[edit("a\n", "a\r\n")], b"a\r\nb\n");
    becomes(b"a\rb\n", &[edit("a\rb", "a\nb")], b"a\nb\n");
    assert_eq!(refused(b"a\nb\n", &[edit("a\r\n", "x")]).kind(), EditErrorKind::NotFound);
}

#[test]
fn all_edits_look_at_the_base() {
    becomes(b"a b\n", &[edit("a", "b"), edit("b", "a")], b"b a\n");
    becomes(b"ab", &[edit("b", "2"), edit("a", "1")], b"12");
    let overlap = refused(b"\nabc", &[edit("bc", "x"), edit("ab", "y")]);
    assert_eq!(overlap, EditError::Overlap { edit: 1, other: 0, line: 2 });
    assert_eq!(overlap.to_string(), "edits 1 and 2 overlap on line 2; make one edit of the two");
    assert_eq!(refused(b"ab", &[edit("a", "1"), edit("a", "2")]).kind(), EditErrorKind::Overlap);
}

#[test]
fn all_replaces_every_occurrence() {
    let all = |old, new| Edit { all: true, ..edit(old, new) };
    becomes(b"a-a\r\na", &[all("a", "b")], b"b-b\r\nb");
    becomes(b"aaa", &[all("aa", "b")], b"ba");
    becomes(b"x\r\nx\n", &[all("x\n", "y\n")], b"y\r\ny\n");
    assert_eq!(refused(b"a", &[all("b", "c")]).kind(), EditErrorKind::NotFound);
}

#[test]
fn more_than_one_occurrence_is_refused_with_lines() {
    let base = "x\n".repeat(30);
    let error = refused(base.as_bytes(), &[edit("x", "y")]);
    assert_eq!(error, EditError::Ambiguous { edit: 0, count: 30, lines: (1..=20).collect() });
    assert!(error.to_string().contains("19, 20 and 10 more; quote more"), "{error}");
    assert_eq!(refused(b"aaa", &[edit("aa", "b")]).kind(), EditErrorKind::Ambiguous);
    assert_eq!(refused(b"a\r\nb a\nb", &[edit("a\nb", "c")]).kind(), EditErrorKind::Ambiguous);
}

#[test]
fn nothing_to_do_is_refused() {
    assert_eq!(refused(b"a", &[edit("a", "b"), edit("", "b")]), EditError::EmptyOld { edit: 1 });
    assert_eq!(refused(b"a", &[edit("a", "a")]), EditError::NoChange { edit: 0 });
}

#[test]
fn a_text_that_is_not_there_is_answered_with_the_nearest_lines() {
    let base = b"fn main() {\n    let total = 1;\n    print(total);\n}\n";
    let error = refused(base, &[edit("\tlet total = 2;\n\tprint(total);", "x")]);
    assert_eq!(
        error.to_string(),
        "edit 1: the old text does not occur in the file; the nearest lines are 2: \"    let total = 1;\"; \
         read the file again and quote it exactly"
    );
    let EditError::NotFound { candidates, .. } =
        refused("same as\n".repeat(9).as_bytes(), &[edit("same is", "")])
    else {
        panic!("another error");
    };
    assert_eq!(candidates.iter().map(|candidate| candidate.line).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(
        refused(b"", &[edit("a", "b")]).to_string(),
        "edit 1: the old text does not occur in the file; read the file again and quote it exactly"
    );
}

#[test]
fn a_result_that_explodes_is_refused() {
    let (base, new) = ("a".repeat(40_000), "b".repeat(10_000));
    let error = refused(base.as_bytes(), &[Edit { all: true, ..edit("a", &new) }]);
    assert_eq!(error.kind(), EditErrorKind::TooLarge);
}
