//! `agents plan explain`: each decision with its reasons, its calls and what they changed.

use std::fmt::Write as _;

use serde_json::{Value, json};

use cleveragents_application::domain::{
    Attribution, ChangeEntry, DecisionId, PlanId, PlanView, SpecChangeSet, StrategyDecision,
};

use crate::fault::{Fault, USAGE};
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn explain(project: &Project, id: &PlanId, wanted: Option<&str>) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let chosen = match wanted {
        None => view.decisions.decisions().to_vec(),
        Some(text) => vec![find(&view, text)?],
    };
    let mut text = String::new();
    let mut data = Vec::new();
    for decision in &chosen {
        describe(&view, decision, &mut text);
        data.push(json!({
            "decision_id": decision.id, "changes": entries(&view, decision.id).map(change).collect::<Vec<_>>(),
        }));
    }
    let mut whole = render::plan_data(&view);
    whole["explained"] = Value::Array(data);
    Ok(Report::new(text, whole))
}

/// By id, or by number in the order of execution.
fn find(view: &PlanView, text: &str) -> Result<StrategyDecision, Fault> {
    let decisions = view.decisions.decisions();
    let found = match text.parse::<u32>() {
        Ok(number) => decisions.iter().find(|d| d.sequence == number),
        Err(_) => {
            let id = DecisionId::parse(text)?;
            decisions.iter().find(|d| d.id == id)
        }
    };
    found.cloned().ok_or_else(|| {
        let last = decisions.len().saturating_sub(1);
        Fault::new(
            USAGE,
            "decision",
            format!("the plan has no decision {text}; its decisions are 0 to {last}"),
        )
    })
}

fn describe(view: &PlanView, decision: &StrategyDecision, text: &mut String) {
    let _ = writeln!(text, "{}. {}  ({})", decision.sequence, decision.chosen, decision.kind.as_str());
    let mut row = |name: &str, words: &str| {
        if !words.is_empty() {
            let _ = writeln!(text, "   {name:<13} {words}");
        }
    };
    row("id", decision.id.as_str());
    if decision.question != decision.chosen {
        row("question", &decision.question);
    }
    row("why", &decision.rationale);
    row("instead of", &decision.alternatives.join("; "));
    let calls = view.changeset().into_iter().flat_map(SpecChangeSet::invocations);
    for call in calls.filter(|call| call.decision_id == decision.id) {
        let how = call.confinement.as_deref().map(|how| format!(", {how}")).unwrap_or_default();
        row(&format!("call {}", call.index), &format!("{} {}{how}", call.tool, call.outcome.as_str()));
        for entry in entries(view, decision.id).filter(|e| e.attribution == Attribution::ToolCall(call.id)) {
            let operation = entry.operation().map_or("", cleveragents_application::domain::Operation::as_str);
            row("", &format!("{operation} {}", entry.path));
        }
    }
    text.push('\n');
}

fn entries(view: &PlanView, decision: DecisionId) -> impl Iterator<Item = &ChangeEntry> {
    let all = view.changeset().into_iter().flat_map(SpecChangeSet::entries);
    all.filter(move |e| e.decision_id == decision && e.attribution != Attribution::Outside)
}

fn change(entry: &ChangeEntry) -> Value {
    json!({ "path": entry.path, "operation": entry.operation(), "attribution": entry.attribution, "lines": entry.lines })
}
