//! Plans in words and in JSON.

mod data;
mod text;

pub(crate) use data::{changes_data, plan_data};
pub(crate) use text::{body, heading, next_steps, time, tree};

use cleveragents_application::domain::{PlanId, SpecChangeSet};
use cleveragents_application::unified_diff;

use crate::fault::Fault;
use crate::project::Project;
use crate::report::Report;

/// A plan that was executed: tree, summary and diff.
pub(crate) async fn finished(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let changes = view.changeset().map(SpecChangeSet::net).unwrap_or_default();
    let patch = unified_diff(changes.clone(), project.lifecycle.store().clone()).await?;
    let mut text = format!("{}{}", heading(&view), body(&view)).into_bytes();
    if !patch.is_empty() {
        text.push(b'\n');
        text.extend_from_slice(&patch);
    }
    Ok(Report::new(text, plan_data(&view)))
}
