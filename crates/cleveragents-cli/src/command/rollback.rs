//! `agents plan rollback`: the exact state before the plan.

use cleveragents_application::domain::PlanId;

use super::recover;
use super::run::after_failure;
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn rollback(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let recovered = recover(project, id).await?;
    let _project = project.lock_project()?;
    let target = project.target()?;
    let done = match project.lifecycle.rollback(id, &target).await {
        Ok(done) => done,
        Err(error) => return Err(after_failure(project, id, error.into()).await),
    };
    let view = project.lifecycle.view(id).await?;
    let text =
        format!("Rolled back {} path(s): each holds its state before plan {id} again.\n", done.changes.len());
    let mut report = Report::new(text, render::plan_data(&view));
    if let Some(words) = recovered {
        report.info(words);
    }
    Ok(report)
}
