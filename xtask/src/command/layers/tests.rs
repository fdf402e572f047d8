use serde_json::{Value, json};

use super::check;

/// A workspace of one package with one dependency.
fn edge(from: &str, to: &str, kind: &Value) -> Value {
    json!({"packages": [{"name": from, "dependencies": [{"name": to, "kind": kind}]}]})
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "the calls read better")]
fn green(from: &str, to: &str, kind: Value) {
    assert!(check(&edge(from, to, &kind)).is_ok(), "{from} -> {to}");
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "the calls read better")]
fn red(from: &str, to: &str, kind: Value) {
    let why = check(&edge(from, to, &kind)).expect_err("must be red");
    assert!(why.contains(from) && why.contains(to), "{why}");
}

#[test]
fn edges_of_the_table_are_green() {
    green("cleveragents-runtime", "cleveragents-domain", Value::Null);
    green("cleveragents-application", "cleveragents-runtime", Value::Null);
    green("cleveragents-store-sqlite", "cleveragents-domain", Value::Null);
    green("cleveragents-cli", "cleveragents-tools", Value::Null);
    green("cleveragents-testkit", "cleveragents-application", Value::Null);
    green("cleveragents-benches", "cleveragents-cli", Value::Null);
    green("cleveragents-cucumber", "cleveragents-testkit", json!("dev"));
}

#[test]
fn upward_and_sideways_edges_are_red() {
    red("cleveragents-domain", "cleveragents-runtime", Value::Null);
    red("cleveragents-domain", "cleveragents-diff", Value::Null);
    red("cleveragents-tools", "cleveragents-workspace", Value::Null);
    red("cleveragents-tools", "cleveragents-domain", Value::Null);
    red("cleveragents-llm", "cleveragents-cli", Value::Null);
    red("cleveragents-runtime", "cleveragents-application", json!("build"));
}

#[test]
fn what_is_not_shipped_is_for_tests_only() {
    red("cleveragents-domain", "cleveragents-testkit", Value::Null);
    red("cleveragents-cli", "cleveragents-testkit", Value::Null);
    red("cleveragents-cli", "cleveragents-cucumber", json!("dev"));
    red("cleveragents-cucumber", "xtask", json!("dev"));
    red("xtask", "cleveragents-domain", Value::Null);
    red("xtask", "cleveragents-testkit", json!("dev"));
}

#[test]
fn tests_may_look_down_and_use_the_testkit() {
    green("cleveragents-domain", "cleveragents-testkit", json!("dev"));
    green("cleveragents-tools", "cleveragents-application", json!("dev"));
    red("cleveragents-tools", "cleveragents-workspace", json!("dev"));
    red("cleveragents-runtime", "cleveragents-application", json!("dev"));
}

#[test]
fn a_package_without_a_row_is_red() {
    let unknown = json!({"packages": [{"name": "cleveragents-utils", "dependencies": []}]});
    let why = check(&unknown).expect_err("must be red");
    assert!(why.contains("cleveragents-utils has no layer"), "{why}");
}

#[test]
fn the_inmost_layer_is_pure() {
    red("cleveragents-domain", "tokio", Value::Null);
    red("cleveragents-diff", "rustix", Value::Null);
    red("cleveragents-domain", "jiff", json!("build"));
    green("cleveragents-domain", "tokio", json!("dev"));
    green("cleveragents-runtime", "tokio", Value::Null);
    green("cleveragents-domain", "serde", Value::Null);
}

#[test]
fn every_fault_is_told_at_once() {
    let metadata = json!({"packages": [{"name": "cleveragents-diff", "dependencies": [
        {"name": "tokio", "kind": null}, {"name": "cleveragents-domain", "kind": null},
    ]}]});
    assert_eq!(check(&metadata).expect_err("must be red").lines().count(), 2);
}
