//! A whole plan through the public crates, as an embedder would run it.

use std::path::Path;
use std::sync::Arc;

use cleveragents_application::domain::Gate;
use cleveragents_application::{PlanExecutor, PlanFile, PlanLifecycleService, ScriptedWorker, Settings};
use cleveragents_runtime::ToolRunner;
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_tools::builtin_tools;
use cleveragents_workspace::CopyWorkspace;

/// A plan of `decisions` decisions that each write one 200-byte file.
pub fn writing_plan(decisions: u32) -> String {
    let content = "x".repeat(200);
    let decisions: Vec<String> = (0..decisions)
        .map(|n| {
            format!(
                r#"{{"title": "write {n}", "calls": [{{"tool": "write_file", "with": {{"path": "f{n:05}", "content": "{content}"}}}}]}}"#
            )
        })
        .collect();
    format!(r#"{{"name": "write", "definition_of_done": "written", "decisions": [{}]}}"#, decisions.join(","))
}

/// Opens everything on `place` and runs the plan up to the sealed changeset.
pub async fn run(place: &Path, text: &str) -> Result<(), Box<dyn std::error::Error>> {
    let (project, state) = (place.join("project"), place.join("state"));
    std::fs::create_dir_all(&project)?;
    std::fs::create_dir_all(&state)?;
    let lifecycle = PlanLifecycleService::new(Arc::new(SqliteStore::open(&state)?), Settings::system());
    let file = PlanFile::parse(text)?;
    let plan = lifecycle.create(&file).await?;
    let workspace = CopyWorkspace::open(&project, &state.join("sandbox"))?;
    let context = lifecycle.context(&plan).bind("project", workspace).build()?;
    let executor = PlanExecutor::builder()
        .lifecycle_service(lifecycle.clone())
        .tool_runner(ToolRunner::new(builtin_tools()?))
        .execution_context(context)
        .strategist(file.strategist())
        .tool_calling_runtime(ScriptedWorker)
        .consent(Gate::Execute)
        .build()?;
    executor.run_strategize(plan.as_str()).await?;
    executor.run_execute(plan.as_str()).await?;
    Ok(())
}
