//! Edits beside a search and replacement that is too simple to be wrong.

use cleveragents_diff::{Edit, EditErrorKind, apply_edits};
use proptest::prelude::*;

fn text(lines: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", "", " a", "\u{e9}"]), lines)
        .prop_map(|lines| lines.join("\n"))
}

fn with_crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_a_replacement_of_the_only_occurrence(base in text(0..12), old in text(1..4), new in text(0..4)) {
        let edit = Edit { old: old.as_bytes(), new: new.as_bytes(), all: false };
        let result = apply_edits(base.as_bytes(), &[edit]);
        let count = (0..base.len()).filter(|&at| base.as_bytes()[at..].starts_with(old.as_bytes())).count();
        match result {
            Ok(result) => {
                prop_assert_eq!(count, 1);
                prop_assert_eq!(result, base.replacen(&old, &new, 1).into_bytes());
            }
            Err(error) => match error.kind() {
                EditErrorKind::EmptyOld => prop_assert!(old.is_empty()),
                EditErrorKind::NoChange => prop_assert_eq!(&old, &new),
                EditErrorKind::NotFound => prop_assert_eq!(count, 0),
                EditErrorKind::Ambiguous => prop_assert!(count > 1),
                other => prop_assert!(false, "{other:?}"),
            },
        }
    }

    #[test]
    fn line_ends_make_no_difference(base in text(2..12), old in text(1..4), new in text(0..4), all: bool) {
        let edits = [Edit { old: old.as_bytes(), new: new.as_bytes(), all }];
        let plain = apply_edits(base.as_bytes(), &edits);
        let result = apply_edits(with_crlf(&base).as_bytes(), &edits);
        match (plain, result) {
            (Ok(plain), Ok(result)) => {
                let expected = with_crlf(&String::from_utf8(plain).unwrap());
                prop_assert_eq!(String::from_utf8(result).unwrap(), expected);
            }
            (Err(plain), Err(result)) => prop_assert_eq!(plain, result),
            (plain, result) => prop_assert!(false, "{plain:?} but {result:?}"),
        }
    }
}
