//! `agents run`: the whole job up to the reviewable diff.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cleveragents_application::domain::{Answer, Gate, PlanId, PlanQuery, PlanRow, PlanSpec};
use cleveragents_application::runtime::{CancellationToken, ToolRunner, Workspace};
use cleveragents_application::{PlanExecutor, PlanExecutorBuilder, PlanFile, check_plan};

use cleveragents_workspace::CopyWorkspace;

use super::{apply, read_plan};
use crate::args::{AllowGate, RunArgs};
use crate::fault::{Fault, USAGE};
use crate::project::{Project, runner};
use crate::render;
use crate::report::Report;

pub(crate) async fn run(place: Option<PathBuf>, args: &RunArgs) -> Result<Report, Fault> {
    let runner = runner()?;
    let file = checked_plan(&args.file, &args.allow, args.stub, &runner)?;
    run_file(place, file, runner, args.apply).await
}

/// Runs a plan that was checked, up to the reviewable diff, and applies it where that was asked for.
pub(crate) async fn run_file(
    place: Option<PathBuf>,
    file: PlanFile,
    runner: Arc<ToolRunner>,
    apply_too: bool,
) -> Result<Report, Fault> {
    let project = Project::open(place.as_deref())?;
    let (id, spec) = create(&project, file).await?;
    let _lock = project.lock(&id)?;
    let opens = spec.policy.answer(Gate::Apply) == Answer::Auto;
    let typed = [Gate::Strategize, Gate::Execute];
    let done = execute(&project, &id, &spec, runner, Sandbox::New, &typed, false).await;
    let settled = match done {
        Ok(settled) => settled,
        Err(fault) => return Err(after_failure(&project, &id, fault).await),
    };
    let mut report = render::finished(&project, &id).await?;
    for words in settled {
        report.info(words);
    }
    if apply_too || opens {
        let applied = match apply::apply_locked(&project, &id).await {
            Ok(applied) => applied,
            Err(fault) => return Err(after_failure(&project, &id, fault).await),
        };
        report.text.extend_from_slice(&applied.text);
        report.notes.extend(applied.notes);
        report.data = applied.data;
    } else {
        report.text.extend_from_slice(render::next_steps(&id, &project.flag).as_bytes());
    }
    project.note_replaced(&mut report);
    Ok(report)
}

/// A plan file that can run: its shape, its tools and their inputs are checked before anything is created.
pub(crate) fn checked_plan(
    path: &Path,
    allow: &[AllowGate],
    stub: bool,
    runner: &ToolRunner,
) -> Result<PlanFile, Fault> {
    let mut file = read_plan(path, allow)?;
    if stub {
        file = file.as_stub();
    }
    let in_file = |fault: Fault| fault.in_file(path);
    refuse_problems(&file, runner).map_err(in_file)?;
    if !file.has_decisions() {
        file.spec().map_err(|e| in_file(e.into()))?;
    }
    Ok(file)
}

/// Creates the plan of a file that was checked.
pub(crate) async fn create(project: &Project, file: PlanFile) -> Result<(PlanId, PlanSpec), Fault> {
    let spec = file.located_at(project.root.display().to_string()).spec()?;
    let id = project.lifecycle.create_from(spec.clone()).await?;
    Ok((id, spec))
}

/// Unknown tools and inputs that do not fit are found before anything is created.
pub(super) fn refuse_problems(file: &PlanFile, runner: &ToolRunner) -> Result<(), Fault> {
    let problems = check_plan(file, runner.registry()).problems;
    match cleveragents_application::domain::ValidationError::from_issues(problems) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Which private copy to act in.
pub(crate) enum Sandbox {
    New,
    Existing,
}

/// Strategize when that is still to be done, then execute, stopping cleanly at Ctrl-C. Returns what was
/// settled of other plans on the way. `typed` are the phases that the
/// person's command asked for by itself.
pub(crate) async fn execute(
    project: &Project,
    id: &PlanId,
    spec: &PlanSpec,
    runner: Arc<ToolRunner>,
    sandbox: Sandbox,
    typed: &[Gate],
    repeat_interrupted: bool,
) -> Result<Vec<String>, Fault> {
    let cancel = CancellationToken::new();
    let mut builder: PlanExecutorBuilder =
        PlanExecutor::builder().lifecycle_service(project.lifecycle.clone()).cancel(cancel.clone());
    for gate in typed {
        builder = builder.consent(*gate);
    }
    if repeat_interrupted {
        builder = builder.repeat_interrupted();
    }
    let mut settled = Vec::new();
    if !spec.stub {
        let workspace = match sandbox {
            Sandbox::New => new_sandbox(project, id, &mut settled).await?,
            Sandbox::Existing => project.reopened_sandbox(id).await?,
        };
        let workspace: Arc<dyn Workspace> = Arc::new(workspace);
        let context = project.lifecycle.context(id).bind_shared("project", workspace).build()?;
        builder = builder.tool_runner(runner).execution_context(context);
        builder = builder.strategist(PlanFile::from_source(&spec.source)?.strategist());
    }
    let executor = builder.build()?;
    let watch = tokio::spawn(stop_on_signal(cancel));
    let result = phases(project, id, &executor).await;
    watch.abort();
    result.map(|()| settled)
}

/// A private copy of a project that nobody is writing, and that nobody left half-written.
async fn new_sandbox(
    project: &Project,
    id: &PlanId,
    settled: &mut Vec<String>,
) -> Result<CopyWorkspace, Fault> {
    let half_written = |rows: Vec<PlanRow>| rows.iter().any(|row| row.writing);
    loop {
        let shared = project.share_project().await?;
        if !half_written(project.lifecycle.plans(&PlanQuery::default()).await?) {
            return project.sandbox(id).await;
        }
        drop(shared);
        let _whole = project.lock_project().await?;
        settled.extend(project.settle_others(None).await?);
    }
}

async fn phases(project: &Project, id: &PlanId, executor: &PlanExecutor) -> Result<(), Fault> {
    use cleveragents_application::domain::Phase;
    if project.lifecycle.view(id).await?.state.phase == Phase::Strategize {
        executor.run_strategize(id.as_str()).await?;
    }
    executor.run_execute(id.as_str()).await?;
    Ok(())
}

/// Ctrl-C and SIGTERM stop the plan cleanly: the running call ends, what it did is taken back, the plan can go on.
async fn stop_on_signal(cancel: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    cancel.cancel();
}

/// What a failed phase left: the error, and where the plan stands now.
pub(crate) async fn after_failure(project: &Project, id: &PlanId, fault: Fault) -> Fault {
    let state = project.lifecycle.view(id).await.map(|view| render::plan_data(&view));
    let fault = fault.with_data(state.unwrap_or_else(|_| serde_json::json!({ "plan_id": id })));
    let word = if fault.exit == USAGE { "see" } else { "look at it with" };
    fault.hint(format!("{word} `agents plan status {id}{}`", project.flag))
}
