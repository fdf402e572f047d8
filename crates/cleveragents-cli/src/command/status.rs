//! `agents plan status`: where a plan stands.

use cleveragents_application::domain::{ApplyStage, PlanId};

use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn status(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let text = format!("{}{}", render::heading(&view), render::body(&view));
    let mut report = Report::new(text, render::plan_data(&view));
    let (writing, flag) = ("is being written, or was left half-written", &project.flag);
    match view.apply {
        ApplyStage::ApplyCommitted if view.failure.is_none() => {
            report.warn(format!("the project {writing}: `agents plan apply {id}{flag}` finishes it"));
        }
        ApplyStage::RollbackCommitted => {
            report.warn(format!("the project {writing}: `agents plan rollback {id}{flag}` finishes it"));
        }
        _ => {}
    }
    Ok(report)
}
