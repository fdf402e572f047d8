//! Validation errors: sorted, with paths, without the offending value.

use cleveragents_domain::{Issue, ValidationError};
use validator::Validate;

#[derive(Validate)]
struct Item {
    #[validate(length(min = 1))]
    name: String,
}

#[derive(Validate)]
struct Outer {
    #[validate(range(min = 0))]
    count: i64,
    #[validate(nested)]
    items: Vec<Item>,
}

#[test]
fn the_validators_tree_becomes_sorted_paths() {
    let outer = Outer { count: -1, items: vec![Item { name: "ok".into() }, Item { name: String::new() }] };
    let error = ValidationError::from(outer.validate().unwrap_err());
    assert_eq!(error.to_string(), "count: must not be negative; items[1].name: must not be empty");
}

#[test]
fn the_offending_value_is_not_in_the_text() {
    #[derive(Validate)]
    struct Secret {
        #[validate(length(max = 3))]
        token: String,
    }
    let secret = Secret { token: "hunter2".into() };
    let text = ValidationError::from(secret.validate().unwrap_err()).to_string();
    assert_eq!(text, "token: must have at most 3 characters or items");
}

#[test]
fn there_is_no_error_without_an_issue() {
    assert!(ValidationError::from_issues(Vec::new()).is_none());
    let issue = |field: &str| Issue { field: field.into(), problem: "is odd".into() };
    let error = ValidationError::from_issues(vec![issue("b"), issue("a")]).unwrap();
    assert_eq!((error.field(), error.issues().len()), ("a", 2));
    assert_eq!(error.within("outer").field(), "outer.a");
}
