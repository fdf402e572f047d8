//! `agents plan strategize`: make a plan's decisions. Read-only: no workspace is opened.

use cleveragents_application::domain::{Gate, PlanId};
use cleveragents_application::{PlanExecutor, PlanFile};

use super::run::after_failure;
use super::{recover, said};
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn strategize(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let recovered = recover(project, id).await?;
    let spec = project.lifecycle.view(id).await?.spec;
    let mut builder =
        PlanExecutor::builder().lifecycle_service(project.lifecycle.clone()).consent(Gate::Strategize);
    if !spec.stub {
        builder = builder.strategist(PlanFile::from_source(&spec.source)?.strategist());
    }
    if let Err(error) = builder.build()?.run_strategize(id.as_str()).await {
        return Err(after_failure(project, id, error.into()).await);
    }
    let view = project.lifecycle.view(id).await?;
    let next = format!("\nNext: agents plan execute {id}{}\n", project.flag);
    let text = format!("{}{}{next}", render::heading(&view), render::tree(&view));
    let mut report = Report::new(text, render::plan_data(&view));
    if let Some(recovered) = recovered {
        report.info(said(recovered));
    }
    Ok(report)
}
