//! `agents plan cancel`: give a plan up.

use cleveragents_application::domain::PlanId;

use super::recover;
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn cancel(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let recovered = recover(project, id).await?;
    project.lifecycle.cancel(id).await?;
    cleveragents_workspace::remove_sandbox(&project.state.sandbox_dir(id.as_str()))?;
    let view = project.lifecycle.view(id).await?;
    let text = format!("Plan {id} is {}. The project is as it was.\n", view.state);
    let mut report = Report::new(text, render::plan_data(&view));
    if let Some(words) = recovered {
        report.info(words);
    }
    Ok(report)
}
