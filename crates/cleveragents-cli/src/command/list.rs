//! `agents plan list`: the plans of this project.

use std::fmt::Write as _;

use serde_json::{Value, json};

use cleveragents_application::domain::PlanQuery;

use crate::fault::Fault;
use crate::project::Project;
use crate::render::{shown, time};
use crate::report::Report;

pub(crate) async fn list(project: &Project) -> Result<Report, Fault> {
    let rows = project.lifecycle.plans(&PlanQuery::default()).await?;
    let mut text = String::new();
    for row in &rows {
        let stub = if row.stub { " (stub)" } else { "" };
        let _ = writeln!(
            text,
            "{}  {:<20}  {}  {}{stub}",
            row.plan_id,
            row.state.to_string(),
            time(row.updated_at),
            shown(&row.name)
        );
    }
    let data: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "plan_id": row.plan_id, "name": row.name, "state": row.state.to_string(), "stub": row.stub,
                "created_at": time(row.created_at), "updated_at": time(row.updated_at),
            })
        })
        .collect();
    let mut report = Report::new(text, json!({ "plans": data }));
    if rows.is_empty() {
        report.info("no plans yet in this project");
    }
    Ok(report)
}
