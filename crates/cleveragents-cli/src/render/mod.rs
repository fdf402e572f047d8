//! Plans in words and in JSON.

mod data;
mod shown;
mod text;

pub(crate) use data::{changes_data, plan_data};
pub(crate) use shown::{for_terminal, shown, shown_lines};
pub(crate) use text::{body, heading, next_steps, time, tree};

use std::io::IsTerminal as _;

use cleveragents_application::domain::{NodeKind, NodeState, PlanId, SpecChangeSet};
use cleveragents_application::{DiffStyle, show_diff};

use crate::fault::Fault;
use crate::project::Project;
use crate::report::Report;

/// A plan that was executed: tree, summary and diff.
pub(crate) async fn finished(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let changes = view.changeset().map(SpecChangeSet::net).unwrap_or_default();
    let patch = show_diff(changes.clone(), project.lifecycle.store().clone(), DiffStyle::Patch).await?;
    let mut text = format!("{}{}", heading(&view), body(&view)).into_bytes();
    if !patch.is_empty() {
        text.push(b'\n');
        text.extend(for_terminal(patch, std::io::stdout().is_terminal()));
    }
    let mut report = Report::new(text, plan_data(&view));
    for change in &changes {
        let is_special = |s: &Option<NodeState>| s.as_ref().is_some_and(|s| s.kind == NodeKind::Special);
        if is_special(&change.before) || is_special(&change.after) {
            let path = change.path.to_text();
            report.warn(format!("{path} is a device, socket or pipe: this plan cannot be applied"));
        }
    }
    Ok(report)
}
