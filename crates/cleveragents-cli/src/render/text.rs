//! A plan in words.

use std::fmt::Write as _;

use cleveragents_application::domain::{
    ApplyStage, CallOutcome, Digest, Gate, OpenCall, PlanId, PlanView, SpecChangeSet, StrategyDecision,
    Timestamp,
};

use super::shown;

/// A time for people and machines: RFC 3339 in UTC, to the second.
pub(crate) fn time(at: Timestamp) -> String {
    let micros = i64::try_from(at.0).unwrap_or(i64::MAX);
    jiff::Timestamp::from_microsecond(micros).map_or_else(|_| at.0.to_string(), |t| format!("{t:.0}"))
}

/// Name, id, state and rules.
pub(crate) fn heading(view: &PlanView) -> String {
    let stub = if view.spec.stub { "  STUB: nothing was decided and no tool ran" } else { "" };
    let mut text = format!("Plan {}  {}\n", view.plan_id, shown(&view.spec.name));
    let _ = writeln!(text, "State {}  profile {}{stub}", view.state, view.spec.policy.profile.name);
    if !view.spec.policy.opened.is_empty() {
        let opened: Vec<&str> = view.spec.policy.opened.iter().map(|g| g.as_str()).collect();
        let _ = writeln!(text, "Opened by hand: {}", opened.join(", "));
    }
    text
}

/// Decisions, summary, failure, conflicts.
pub(crate) fn body(view: &PlanView) -> String {
    let mut text = tree(view);
    for OpenCall { call, granted } in &view.open_calls {
        let how = if granted.contains(&Gate::Unsafe) { ", UNCONFINED" } else { "" };
        let _ = writeln!(text, "\nBegun, and no outcome yet: call {} ({}{how})", call.index, call.tool);
    }
    if let Some(set) = view.changeset() {
        summary(set, &mut text);
    }
    if let Some(failure) = &view.failure {
        let _ = writeln!(text, "\nFailed ({}): {}", failure.kind.as_str(), shown(&failure.error_message));
    }
    for conflict in &view.conflicts {
        let (path, reason) = (conflict.path.to_text(), &conflict.reason);
        let _ = writeln!(text, "  conflict  {}  {}", shown(&path), shown(reason));
    }
    let written = match view.apply {
        ApplyStage::None => None,
        ApplyStage::ApplyCommitted => Some("an apply is committed and not finished"),
        ApplyStage::Applied => Some("the changes stand in the project"),
        ApplyStage::RollbackCommitted => Some("a rollback is committed and not finished"),
        ApplyStage::RolledBack => Some("the project holds the state before this plan"),
    };
    if let Some(written) = written {
        let _ = writeln!(text, "\nProject: {written}");
    }
    text
}

/// The decisions; nothing when there are none yet.
pub(crate) fn tree(view: &PlanView) -> String {
    let Some(root) = view.decisions.root() else { return String::new() };
    let mut text = format!("\nDecisions\n  {}\n", shown(&root.chosen));
    branch(view, root, "  ", &mut text);
    text
}

fn branch(view: &PlanView, parent: &StrategyDecision, indent: &str, text: &mut String) {
    let decisions = view.decisions.decisions();
    let mut children = decisions.iter().filter(|d| d.parent == Some(parent.id)).peekable();
    while let Some(decision) = children.next() {
        let (elbow, below) =
            if children.peek().is_some() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        let _ = writeln!(text, "{indent}{elbow}{}{}", title(decision), calls(view, decision));
        branch(view, decision, &format!("{indent}{below}"), text);
    }
}

/// What was chosen; with the question when that says something else.
fn title(decision: &StrategyDecision) -> String {
    let StrategyDecision { question, chosen, .. } = decision;
    shown(&if question == chosen { chosen.clone() } else { format!("{question} → {chosen}") })
}

/// `  2 of 3 calls, failed: shell`.
fn calls(view: &PlanView, decision: &StrategyDecision) -> String {
    let done: Vec<_> = view
        .changeset()
        .into_iter()
        .flat_map(SpecChangeSet::invocations)
        .filter(|call| call.decision_id == decision.id)
        .collect();
    let succeeded = done.iter().filter(|call| call.outcome == CallOutcome::Succeeded).count();
    let failed = done.last().filter(|call| call.outcome != CallOutcome::Succeeded);
    let trouble = failed.map(|call| format!(", {} {}", call.tool, call.outcome.as_str())).unwrap_or_default();
    let planned = decision.calls.len();
    format!("  [{succeeded} of {planned} call{}{trouble}]", if planned == 1 { "" } else { "s" })
}

fn summary(set: &SpecChangeSet, text: &mut String) {
    let summary = set.summary();
    let net = set.net();
    let mut operations = std::collections::BTreeMap::<&str, u64>::new();
    for operation in net.iter().filter_map(cleveragents_application::domain::NetChange::operation) {
        *operations.entry(operation.as_str()).or_default() += 1;
    }
    let operations: Vec<String> = operations.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let operations =
        if operations.is_empty() { String::new() } else { format!(" ({})", operations.join(", ")) };
    let _ = writeln!(
        text,
        "\nSummary\n  {} path(s) change{operations}, +{} -{} lines, {} tool call(s)",
        net.len(),
        summary.lines_added,
        summary.lines_removed,
        summary.invocation_count()
    );
    if net.is_empty() {
        text.push_str("  the changeset is empty\n");
    }
    for (tool, outcomes) in &summary.invocations {
        let outcomes: Vec<String> = outcomes.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let _ = writeln!(text, "  {tool}: {}", outcomes.join(", "));
    }
    let unconfined =
        set.invocations().iter().filter(|c| c.confinement.as_deref() == Some("unconfined")).count();
    if unconfined > 0 {
        let _ = writeln!(
            text,
            "  UNCONFINED: {unconfined} command(s) ran without confinement and could act outside the sandbox"
        );
    }
    if summary.outside > 0 {
        let _ = writeln!(
            text,
            "  {} change(s) in the sandbox were made by nobody's call and are left out",
            summary.outside
        );
    }
    if let Some(seal) = set.seal() {
        let _ = writeln!(text, "  sealed {}", short(&seal));
    }
}

fn short(digest: &Digest) -> String {
    digest.to_string().chars().take(19).collect()
}

/// What to do with a reviewed plan.
pub(crate) fn next_steps(id: &PlanId, flag: &str) -> String {
    format!("\nNext: agents plan apply {id}{flag}\n  or: agents plan cancel {id}{flag}\n")
}
