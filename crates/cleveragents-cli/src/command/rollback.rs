//! `agents plan rollback`: the exact state before the plan.

use cleveragents_application::Recovery;
use cleveragents_application::domain::PlanId;

use super::run::after_failure;
use super::{recover, said};
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn rollback(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let _project = project.lock_project().await?;
    let others = project.settle_others(Some(id)).await?;
    let recovered = recover(project, id).await?;
    let words = others.into_iter().chain(recovered.map(said));
    // What was asked for may be what was just finished.
    if recovered != Some(Recovery::RollbackFinished)
        && let Err(error) = project.lifecycle.rollback(id, &project.target()?).await
    {
        return Err(after_failure(project, id, words.fold(error.into(), Fault::hint)).await);
    }
    let view = project.lifecycle.view(id).await?;
    let paths = view.changeset().map_or(0, |set| set.net().len());
    let text = format!("Rolled back {paths} path(s): each holds its state before plan {id} again.\n");
    let mut report = Report::new(text, render::plan_data(&view));
    for words in words {
        report.info(words);
    }
    Ok(report)
}
