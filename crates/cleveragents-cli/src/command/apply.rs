//! `agents plan apply`: change the project, all paths or none.

use cleveragents_application::Recovery;
use cleveragents_application::domain::{PlanId, PlanView};

use super::run::after_failure;
use super::{recover, said};
use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn apply(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let _project = project.lock_project().await?;
    let others = project.settle_others(Some(id)).await?;
    let recovered = recover(project, id).await?;
    let done = match recovered {
        // What was asked for is what was finished.
        Some(Recovery::ApplyFinished) => finished(project, id).await,
        _ => write(project, id).await,
    };
    let words = others.into_iter().chain(recovered.map(said));
    match done {
        Ok(mut report) => {
            for words in words {
                report.info(words);
            }
            Ok(report)
        }
        Err(fault) => Err(after_failure(project, id, words.fold(fault, Fault::hint)).await),
    }
}

async fn finished(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let paths = view.changeset().map_or(0, |set| set.net().len());
    Ok(report(project, &view, paths))
}

/// The same for a caller that holds the plan's lock and has just made the plan.
pub(crate) async fn apply_locked(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let _project = project.lock_project().await?;
    let others = project.settle_others(Some(id)).await?;
    let mut report = write(project, id).await?;
    for words in others {
        report.info(words);
    }
    Ok(report)
}

async fn write(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let applied = project.lifecycle.apply(id, &project.target()?).await?;
    let view = project.lifecycle.view(id).await?;
    Ok(report(project, &view, applied.changes.len()))
}

fn report(project: &Project, view: &PlanView, paths: usize) -> Report {
    let (id, state) = (view.plan_id, view.state);
    let text = if paths == 0 {
        format!("Plan {id} is {state}: its changeset is empty, nothing was to be written.\n")
    } else {
        let back = format!("Take it back with: agents plan rollback {id}{}", project.flag);
        format!("Applied {paths} path(s), read back from the project. Plan {id} is {state}.\n{back}\n")
    };
    let mut report = Report::new(text, render::plan_data(view));
    // What is applied lives in the project and in the journal; the private copy has done its work.
    if let Err(error) = cleveragents_workspace::remove_sandbox(&project.state.sandbox_dir(id.as_str())) {
        report.warn(format!("the sandbox could not be removed: {error}"));
    }
    report
}
