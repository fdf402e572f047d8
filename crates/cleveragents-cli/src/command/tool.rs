//! `agents tool`: the tools that a plan can call.

use std::fmt::Write as _;

use serde_json::{Value, json};

use cleveragents_application::runtime::ToolSpec;

use crate::fault::{Fault, USAGE};
use crate::project::runner;
use crate::report::Report;

pub(crate) fn list() -> Result<Report, Fault> {
    let runner = runner()?;
    let mut text = String::new();
    let mut data = Vec::new();
    for spec in runner.registry().specs() {
        let first = spec.description.split(". ").next().unwrap_or_default().trim_end_matches('.');
        let _ = writeln!(text, "{:<14} {:<22} {first}", spec.name, abilities(spec));
        data.push(serde_json::to_value(spec).unwrap_or(Value::Null));
    }
    Ok(Report::new(text, json!({ "tools": data })))
}

pub(crate) fn show(name: &str) -> Result<Report, Fault> {
    let runner = runner()?;
    let registry = runner.registry();
    let Some(spec) = registry.spec(name) else {
        let known: Vec<&str> = registry.specs().map(|s| s.name.as_str()).collect();
        let message = format!("unknown tool {name:?}; known tools: {}", known.join(", "));
        return Err(Fault::new(USAGE, "tool", message));
    };
    let schema = serde_json::to_string_pretty(&spec.input_schema).unwrap_or_default();
    let text = format!("{}  ({})\n{}\n\nInput\n{schema}\n", spec.name, abilities(spec), spec.description);
    Ok(Report::new(text, serde_json::to_value(spec).unwrap_or(Value::Null)))
}

fn abilities(spec: &ToolSpec) -> String {
    let can = spec.capabilities;
    let words = [
        (can.read_only, "reads"),
        (can.writes, "writes"),
        (can.runs_commands, "runs commands"),
        (can.network, "network"),
        (can.unsafe_, "unsafe"),
    ];
    words.iter().filter(|(yes, _)| *yes).map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}
