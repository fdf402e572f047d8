//! `agents plan tree`: the decisions of a plan.

use cleveragents_application::domain::PlanId;

use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn tree(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let mut report = Report::new(render::tree(&view), render::plan_data(&view));
    if view.decisions.root().is_none() {
        report.info("the plan has no decisions yet");
    }
    Ok(report)
}
