//! `agents plan explain`: each decision with its reasons, its calls and what they changed.

use std::fmt::Write as _;

use serde_json::{Value, json};

use cleveragents_application::domain::{
    Attribution, ChangeEntry, DecisionId, PlanId, PlanView, SpecChangeSet, StrategyDecision,
};

use super::diff::find_decision;
use crate::fault::Fault;
use crate::project::Project;
use crate::render::{self, shown};
use crate::report::Report;

pub(crate) async fn explain(project: &Project, id: &PlanId, wanted: Option<&str>) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let chosen = match wanted {
        None => view.decisions.decisions().to_vec(),
        Some(text) => vec![find_decision(&view, text)?],
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

fn describe(view: &PlanView, decision: &StrategyDecision, text: &mut String) {
    let _ =
        writeln!(text, "{}. {}  ({})", decision.sequence, shown(&decision.chosen), decision.kind.as_str());
    let mut row = |name: &str, words: &str| {
        if !words.is_empty() {
            let _ = writeln!(text, "   {name:<13} {}", shown(words));
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
