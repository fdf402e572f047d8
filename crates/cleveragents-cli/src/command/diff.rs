//! `agents plan diff`: the changes of a plan.

use base64::Engine as _;
use serde_json::json;

use cleveragents_application::domain::PlanId;
use cleveragents_application::unified_diff;

use crate::fault::Fault;
use crate::project::Project;
use crate::render;
use crate::report::Report;

pub(crate) async fn diff(project: &Project, id: &PlanId) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let changes =
        view.changeset().map(cleveragents_application::domain::SpecChangeSet::net).unwrap_or_default();
    let patch = unified_diff(changes.clone(), project.lifecycle.store().clone()).await?;
    let mut data =
        json!({ "plan_id": id, "state": view.state.to_string(), "changes": render::changes_data(&changes) });
    match std::str::from_utf8(&patch) {
        Ok(text) => data["patch"] = json!(text),
        Err(_) => data["patch_base64"] = json!(base64::engine::general_purpose::STANDARD.encode(&patch)),
    }
    let mut report = Report::new(patch, data);
    if changes.is_empty() {
        report.info(format!("plan {id} changes nothing"));
    }
    let outside = view.changeset().map_or(0, |set| set.outside().count());
    if outside > 0 {
        report.warn(format!(
            "{outside} change(s) in the sandbox were made by nobody's call; they are not part of the diff"
        ));
    }
    Ok(report)
}
