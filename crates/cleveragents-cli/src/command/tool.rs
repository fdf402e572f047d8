//! `agents tool list`: the tools that a plan can call.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::fault::Fault;
use crate::project::runner;
use crate::report::Report;

pub(crate) fn list() -> Result<Report, Fault> {
    let runner = runner()?;
    let mut text = String::new();
    let mut data = Vec::new();
    for spec in runner.registry().specs() {
        let can = spec.capabilities;
        let words = [
            (can.read_only, "reads"),
            (can.writes, "writes"),
            (can.runs_commands, "runs commands"),
            (can.network, "network"),
            (can.unsafe_, "unsafe"),
        ];
        let words: Vec<&str> = words.iter().filter(|(yes, _)| *yes).map(|(_, word)| *word).collect();
        let first = spec.description.split(". ").next().unwrap_or_default().trim_end_matches('.');
        let _ = writeln!(text, "{:<12} {:<22} {first}", spec.name, words.join(", "));
        data.push(serde_json::to_value(spec).unwrap_or(Value::Null));
    }
    Ok(Report::new(text, json!({ "tools": data })))
}
