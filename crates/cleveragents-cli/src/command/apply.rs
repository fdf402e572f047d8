//! `agents plan apply`: change the project, all paths or none.

use cleveragents_application::domain::PlanId;

use super::recover;
use super::run::after_failure;
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn apply(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let recovered = recover(project, id).await?;
    let result = apply_locked(project, id).await;
    match (result, recovered) {
        (Ok(mut report), words) => {
            if let Some(words) = words {
                report.info(words);
            }
            Ok(report)
        }
        (Err(fault), Some(words)) => Err(after_failure(project, id, fault.hint(words)).await),
        (Err(fault), None) => Err(after_failure(project, id, fault).await),
    }
}

/// The same for a caller that holds the plan's lock.
pub(crate) async fn apply_locked(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _project = project.lock_project()?;
    let target = project.target()?;
    let applied = project.lifecycle.apply(id, &target).await?;
    let view = project.lifecycle.view(id).await?;
    let text = if applied.changes.is_empty() {
        format!("Plan {id} is {}: its changeset is empty, nothing was to be written.\n", view.state)
    } else {
        format!(
            "Applied {} path(s), read back from the project. Plan {id} is {}.\nTake it back with: agents plan rollback {id}{}\n",
            applied.changes.len(),
            view.state,
            project.flag
        )
    };
    let mut report = Report::new(text, render::plan_data(&view));
    // What is applied lives in the project and in the journal; the private copy has done its work.
    if let Err(error) = cleveragents_workspace::remove_sandbox(&project.state.sandbox_dir(id.as_str())) {
        report.warn(format!("the sandbox could not be removed: {error}"));
    }
    Ok(report)
}
