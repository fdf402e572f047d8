//! `agents plan log`: what happened, event by event.

use std::fmt::Write as _;

use serde_json::{Value, json};

use cleveragents_application::Event;
use cleveragents_application::domain::PlanId;

use crate::fault::Fault;
use crate::project::Project;
use crate::render::{shown as safe, time};
use crate::report::Report;

pub(crate) async fn log(project: &Project, id: &PlanId, from: u64) -> Result<Report, Fault> {
    let events = project.lifecycle.events(id, from).await?;
    let mut text = String::new();
    let mut data = Vec::with_capacity(events.len());
    for event in &events {
        let value = event_data(event);
        let _ = writeln!(text, "{}", line(event, &value));
        data.push(value);
    }
    Ok(Report::new(text, json!({ "plan_id": id, "events": data })))
}

fn event_data(event: &Event) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    value["at"] = json!(time(event.at));
    value
}

/// `12.0  18:03:05  tool_call_finished  tool=shell outcome=succeeded`.
fn line(event: &Event, value: &Value) -> String {
    let (seq, index) = event.position.unwrap_or_default();
    let name = value["event"].as_str().unwrap_or_default();
    let mut line = format!("{:>8}  {}  {name}", format!("{seq}.{index}"), time(event.at));
    for (key, field) in value.as_object().into_iter().flatten() {
        if matches!(key.as_str(), "event" | "at" | "position" | "plan_id") || field.is_null() {
            continue;
        }
        let shown = field.as_str().map_or_else(|| field.to_string(), str::to_owned);
        let _ = write!(line, "  {key}={}", safe(&shown));
    }
    line
}
