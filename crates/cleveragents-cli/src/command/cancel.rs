//! `agents plan cancel`: give a plan up.

use cleveragents_application::domain::{ApplyStage, PlanId, ProcessingState};

use super::run::after_failure;
use super::{recover, said};
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn cancel(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let view = project.lifecycle.view(id).await?;
    let sandbox = project.state.sandbox_dir(id.as_str());
    // A half-written project is never finished by a command that says it leaves the project alone.
    let half_way = matches!(view.apply, ApplyStage::ApplyCommitted | ApplyStage::RollbackCommitted);
    let recovered = if half_way { None } else { recover(project, id).await? };
    let again = view.state.state == ProcessingState::Cancelled && project.has_sandbox(id);
    if !again && let Err(error) = project.lifecycle.cancel(id).await {
        return Err(after_failure(project, id, error.into()).await);
    }
    cleveragents_workspace::remove_sandbox(&sandbox)?;
    let view = project.lifecycle.view(id).await?;
    let text = format!("Plan {id} is {}. It has written nothing to the project.\n", view.state);
    let mut report = Report::new(text, render::plan_data(&view));
    if let Some(recovered) = recovered {
        report.info(said(recovered));
    }
    Ok(report)
}
