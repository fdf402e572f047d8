//! `agents tool`: the tools that a plan can call.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use cleveragents_application::PlanFile;
use cleveragents_application::domain::PlanId;
use cleveragents_application::runtime::ToolSpec;

use super::gates;
use super::run::{refuse_problems, run_file};
use crate::args::CallArgs;
use crate::project::Project;
use crate::render::shown_lines;

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

/// One call as a plan of its own: recorded, reviewed, applied and taken back like any other.
pub(crate) async fn call(place: Option<PathBuf>, args: &CallArgs) -> Result<Report, Fault> {
    let input: Value = serde_json::from_str(&args.input)
        .map_err(|e| Fault::new(USAGE, "input", format!("the input of {} is not JSON: {e}", args.name)))?;
    let plan = json!({
        "name": format!("call {}", args.name),
        "definition_of_done": "the call succeeds",
        "decisions": [{
            "title": format!("call {}", args.name),
            "rationale": "asked for on the command line",
            "calls": [{ "tool": args.name, "with": input }],
        }],
    });
    let file = PlanFile::parse(&plan.to_string())?.allow(gates(&args.allow))?;
    let runner = runner()?;
    refuse_problems(&file, &runner)?;
    let mut report = run_file(place.clone(), file, runner, args.apply).await?;
    let id = PlanId::parse(report.data["plan_id"].as_str().unwrap_or_default())?;
    let view = Project::open(place.as_deref())?.lifecycle.view(&id).await?;
    let last = view.changeset().and_then(|set| set.invocations().last());
    let output = last.map_or(Value::Null, |call| call.output.clone());
    let words = serde_json::to_string_pretty(&output).unwrap_or_default();
    report.text.splice(0..0, format!("{}\n\n", shown_lines(&words)).into_bytes());
    report.data["output"] = output;
    Ok(report)
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
