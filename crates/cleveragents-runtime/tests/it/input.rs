use std::sync::Arc;

use cleveragents_runtime::domain::CallOutcome;
use cleveragents_runtime::{Capabilities, RegistryError, ToolRegistry};
use serde_json::json;

use crate::toy::{Act, Toy};

#[tokio::test]
async fn an_unknown_tool_is_an_error_that_lists_the_known_ones() {
    let scene = Toy::new(Capabilities::WRITE, Act::Write).scene();
    let report = scene.call("tOy", json!({})).await;
    assert_eq!(report.invocation.error.as_deref(), Some("unknown tool \"tOy\"; known tools: toy"));
    assert_eq!(report.invocation.outcome, CallOutcome::Failed);
    assert_eq!(scene.log.words(), ["refused"]);
}

#[tokio::test]
async fn input_that_does_not_fit_never_reaches_the_tool() {
    let scene = Toy::new(Capabilities::WRITE, Act::Write).scene();
    for (input, place) in [
        (json!({ "times": "hunter2" }), "/times: "),
        (json!({ "tmes": 1 }), "tmes"),
        (json!([]), "object"),
        (json!(null), "object"),
    ] {
        let error = scene.error("toy", input).await;
        assert!(error.starts_with("the input does not fit toy: ") && error.contains(place), "{error}");
        assert!(!error.contains("hunter2"), "a value may be a secret: {error}");
    }
    assert_eq!(scene.workspace().get("made"), None);
    assert!(scene.log.words().iter().all(|word| *word == "refused"));
}

#[test]
fn a_registry_takes_each_name_once() {
    let toy = || Arc::new(Toy::new(Capabilities::READ, Act::Write));
    let mut tools = ToolRegistry::new();
    tools.register(toy()).unwrap();
    assert!(matches!(tools.register(toy()), Err(RegistryError::Duplicate(name)) if name == "toy"));
    assert_eq!(tools.len(), 1);
}
