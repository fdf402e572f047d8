//! A plan in JSON: the same for every command.

use serde_json::{Value, json};

use cleveragents_application::domain::{NetChange, OpenCall, PlanView, SpecChangeSet, StrategyDecision};

use super::time;

/// Everything about a plan that scripts ask for.
pub(crate) fn plan_data(view: &PlanView) -> Value {
    let set = view.changeset();
    json!({
        "plan_id": view.plan_id,
        "name": view.spec.name,
        "state": view.state.to_string(),
        "phase": view.state.phase,
        "processing_state": view.state.state,
        "stub": view.spec.stub,
        "profile": view.spec.policy.profile.name,
        "allowed": view.spec.policy.opened,
        "created_at": time(view.created_at),
        "updated_at": time(view.updated_at),
        "decisions": view.decisions.decisions().iter().map(|d| decision(d, set)).collect::<Vec<_>>(),
        "open_calls": view.open_calls.iter().map(open_call).collect::<Vec<_>>(),
        "changeset_id": set.map(SpecChangeSet::id),
        "seal": set.and_then(SpecChangeSet::seal),
        "summary": set.map(SpecChangeSet::summary),
        "changes": changes_data(&set.map(SpecChangeSet::net).unwrap_or_default()),
        "outside": set.map(|s| s.outside().map(|e| e.path.to_text()).collect::<Vec<_>>()),
        "confinement": confinement(set),
        "failure": view.failure,
        "conflicts": view.conflicts,
        "apply": view.apply,
        "retries": view.retries,
        "reversions": view.reversions,
    })
}

/// The net changes, with the derived operation.
pub(crate) fn changes_data(changes: &[NetChange]) -> Vec<Value> {
    let one = |change: &NetChange| {
        let mut value = serde_json::to_value(change).unwrap_or_default();
        value["operation"] = json!(change.operation());
        value
    };
    changes.iter().map(one).collect()
}

fn decision(decision: &StrategyDecision, set: Option<&SpecChangeSet>) -> Value {
    let calls: Vec<Value> = set
        .into_iter()
        .flat_map(SpecChangeSet::invocations)
        .filter(|call| call.decision_id == decision.id)
        .map(|call| {
            json!({
                "call_id": call.id, "index": call.index, "tool": call.tool, "outcome": call.outcome,
                "error": call.error, "confinement": call.confinement, "duration_us": call.duration_us,
            })
        })
        .collect();
    json!({
        "decision_id": decision.id, "parent": decision.parent, "kind": decision.kind, "question": decision.question,
        "chosen": decision.chosen, "alternatives": decision.alternatives, "rationale": decision.rationale,
        "planned_calls": decision.calls.len(), "calls": calls,
    })
}

/// A call that was begun and has no outcome: it runs, or its process died.
fn open_call(open: &OpenCall) -> Value {
    json!({
        "call_id": open.call.id, "decision_id": open.call.decision_id, "index": open.call.index,
        "tool": open.call.tool, "granted": open.granted,
    })
}

/// How many commands ran confined, and how many did not.
fn confinement(set: Option<&SpecChangeSet>) -> Value {
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    for call in set.into_iter().flat_map(SpecChangeSet::invocations) {
        if let Some(level) = &call.confinement {
            *counts.entry(level).or_default() += 1;
        }
    }
    json!(counts)
}
