use super::{Span, spans};

fn found(before: &str, after: &str) -> Vec<Span> {
    let before: Vec<&[u8]> = before.split_inclusive('\n').map(str::as_bytes).collect();
    let after: Vec<&[u8]> = after.split_inclusive('\n').map(str::as_bytes).collect();
    let spans = spans(&before, &after);
    check(&before, &after, &spans);
    spans
}

/// The law: outside the spans both sides are equal, and spans do not touch.
fn check(before: &[&[u8]], after: &[&[u8]], spans: &[Span]) {
    let (mut row, mut column) = (0, 0);
    for (index, span) in spans.iter().enumerate() {
        assert!(index == 0 || span.before.start > row, "spans touch");
        assert_eq!(before[row..span.before.start], after[column..span.after.start]);
        (row, column) = (span.before.end, span.after.end);
    }
    assert_eq!(before[row..], after[column..]);
}

#[test]
fn equal_inputs_have_no_spans() {
    assert_eq!(found("a\nb\n", "a\nb\n"), []);
    assert_eq!(found("", ""), []);
}

#[test]
fn a_far_change_in_a_long_file_keeps_its_place() {
    let before = (0..9000).map(|n| format!("{n}\n")).collect::<Vec<_>>().concat();
    let after = before.replacen("7000\n", "x\ny\n", 1);
    assert_eq!(found(&before, &after), [Span { before: 7000..7001, after: 7000..7002 }]);
}

#[test]
fn windows_do_not_change_the_law() {
    // Every second line changed, few distinct lines, nothing shared, reversed.
    let lines =
        |f: &dyn Fn(usize) -> usize| (0..9500).map(|n| format!("{}\n", f(n))).collect::<Vec<_>>().concat();
    let plain = lines(&|n| n);
    let halves = lines(&|n| if n % 2 == 0 { n } else { n + 100_000 });
    assert_eq!(found(&plain, &halves).len(), 4750);
    found(&lines(&|n| n * n % 7), &lines(&|n| n * 3 % 11 % 5));
    assert_eq!(found(&plain, &lines(&|n| n + 100_000)).len(), 1);
    found(&plain, &lines(&|n| 9499 - n));
}

#[test]
fn an_inserted_function_is_not_split_at_its_brace() {
    let before = "fn a() {\n    1\n}\n\nfn c() {\n    3\n}\n";
    let after = "fn a() {\n    1\n}\n\nfn b() {\n    2\n}\n\nfn c() {\n    3\n}\n";
    assert_eq!(found(before, after), [Span { before: 4..4, after: 4..8 }]);
}
