//! Raw results are checked before they are believed.

use cleveragents_application::{RuntimeExecuteResult, RuntimeExecuteResultParts};

fn parts() -> RuntimeExecuteResultParts {
    RuntimeExecuteResultParts {
        changeset_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV".into(),
        tool_call_count: 2,
        sandbox_refs: vec!["/tmp/sandbox".into()],
        decision_ids_processed: vec!["01ARZ3NDEKTSV4RRFFQ69G5FAW".into()],
        execution_duration_ms: 1.5,
    }
}

#[test]
fn good_parts_become_a_result() {
    let result = RuntimeExecuteResult::try_from(parts()).unwrap();
    assert_eq!((result.tool_call_count, result.execution_duration_ms), (2, 1.5));
}

#[test]
fn every_bad_part_is_named() {
    type Spoil = fn(&mut RuntimeExecuteResultParts);
    let cases: [(&str, Spoil); 7] = [
        ("changeset_id", |p| p.changeset_id = String::new()),
        ("changeset_id", |p| p.changeset_id = "x".into()),
        ("tool_call_count", |p| p.tool_call_count = -1),
        ("decision_id", |p| p.decision_ids_processed = vec!["?".into()]),
        ("execution_duration_ms", |p| p.execution_duration_ms = -0.1),
        ("execution_duration_ms", |p| p.execution_duration_ms = f64::NAN),
        ("execution_duration_ms", |p| p.execution_duration_ms = f64::INFINITY),
    ];
    for (field, spoil) in cases {
        let mut parts = parts();
        spoil(&mut parts);
        assert_eq!(RuntimeExecuteResult::try_from(parts).unwrap_err().field(), field);
    }
}
