//! `agents plan execute`: go on with a plan that failed or was interrupted.

use cleveragents_application::PlanError;
use cleveragents_application::domain::{Gate, Phase, PlanId, PlanState, ProcessingState};

use super::run::{Sandbox, after_failure, execute as run_phases};
use super::{recover, said};
use crate::fault::{FAILED, Fault};
use crate::project::{Project, runner};
use crate::render;
use crate::report::Report;

pub(crate) async fn execute(
    project: &Project,
    id: &PlanId,
    repeat_interrupted: bool,
) -> Result<Report, Fault> {
    let _lock = project.lock(id)?;
    let recovered = recover(project, id).await?;
    let view = project.lifecycle.view(id).await?;
    if let Some(advice) = over(view.state) {
        let error = PlanError::State { state: view.state, advice: advice.to_owned() };
        return Err(after_failure(project, id, error.into()).await);
    }
    let worked =
        view.changesets.iter().any(|set| !set.invocations().is_empty()) || !view.open_calls.is_empty();
    let sandbox = if project.has_sandbox(id) { Sandbox::Existing } else { Sandbox::New };
    if worked && !view.spec.stub && matches!(sandbox, Sandbox::New) {
        return Err(Fault::new(FAILED, "workspace", "the plan's sandbox is gone; it cannot go on")
            .hint(format!("cancel it with `agents plan cancel {id}` and run the plan file again")));
    }
    let sandbox = if worked { sandbox } else { fresh(project, id)? };
    let typed = [Gate::Execute];
    let done = run_phases(project, id, &view.spec, runner()?, sandbox, &typed, repeat_interrupted).await;
    let settled = match done {
        Ok(settled) => settled,
        Err(fault) => return Err(after_failure(project, id, fault).await),
    };
    let mut report = render::finished(project, id).await?;
    for words in settled {
        report.info(words);
    }
    report.text.extend_from_slice(render::next_steps(id, &project.flag).as_bytes());
    if let Some(recovered) = recovered {
        report.info(said(recovered));
    }
    Ok(report)
}

/// Why a plan has nothing left to execute; found out before a private copy is made or opened for it.
fn over(state: PlanState) -> Option<&'static str> {
    match (state.phase, state.state) {
        (_, ProcessingState::Cancelled) => Some("it was cancelled"),
        (Phase::Apply, _) => Some("it is executed already; executing again would destroy finished work"),
        _ => None,
    }
}

/// A private copy in which nothing ran yet may be half made, and the project may have moved on: it is made anew.
fn fresh(project: &Project, id: &PlanId) -> Result<Sandbox, Fault> {
    cleveragents_workspace::remove_sandbox(&project.state.sandbox_dir(id.as_str()))?;
    Ok(Sandbox::New)
}
