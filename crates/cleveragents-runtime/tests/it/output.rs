use cleveragents_runtime::Capabilities;
use serde_json::{Value, json};

use crate::toy::{Act, Toy};

async fn output(value: Value, limit: u64) -> Value {
    let mut scene = Toy::new(Capabilities::READ, Act::Return(value)).scene();
    scene.policy.limits.output_bytes = limit;
    scene.output("toy", json!({})).await
}

#[tokio::test]
async fn output_within_the_limit_is_kept_as_it_is() {
    for value in [json!({ "a": [1, "ü"] }), json!(null), json!(7), json!(""), json!("x".repeat(998))] {
        assert_eq!(output(value.clone(), 1000).await, value);
    }
}

#[tokio::test]
async fn output_above_the_limit_is_cut_and_says_so() {
    for value in [json!("ü".repeat(5000)), json!({ "lines": vec!["€"; 2000] })] {
        let whole = value.to_string();
        let cut = output(value, 1000).await;
        assert_eq!((&cut["truncated"], &cut["bytes"]), (&json!(true), &json!(whole.len())));
        let head = cut["head"].as_str().unwrap();
        assert!(whole.starts_with(head) && head.len() <= 1000 && head.len() > 990);
    }
}
