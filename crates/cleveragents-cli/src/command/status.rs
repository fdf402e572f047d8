//! `agents plan status`: where a plan stands.

use cleveragents_application::domain::PlanId;

use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn status(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let text = format!("{}{}", render::heading(&view), render::body(&view));
    Ok(Report::new(text, render::plan_data(&view)))
}
