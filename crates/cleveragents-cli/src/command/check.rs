//! `agents check`: the dry run.

use std::fmt::Write as _;

use serde_json::json;

use cleveragents_application::check_plan;
use cleveragents_application::domain::{Answer, ValidationError};

use super::read_plan;
use crate::args::CheckArgs;
use crate::fault::{Fault, REFUSED};
use crate::project::runner;
use crate::render::shown;
use crate::report::Report;

pub(crate) fn check(args: &CheckArgs) -> Result<Report, Fault> {
    let file = read_plan(&args.file, &args.allow)?;
    let checked = check_plan(&file, runner()?.registry());
    if let Some(error) = ValidationError::from_issues(checked.problems.clone()) {
        return Err(Fault::from(error).in_file(&args.file));
    }
    let mut text = format!(
        "{}: {} call(s), profile {}\n",
        shown(file.name()),
        checked.calls.len(),
        file.policy().profile.name
    );
    let answer = |a: &Answer| match a {
        Answer::Auto => "yes",
        Answer::Ask => "asks",
        Answer::Deny => "denied",
    };
    for (gate, given) in &checked.phases {
        let _ = writeln!(text, "  phase {gate:<11} {}", answer(given));
    }
    for call in &checked.calls {
        let gates: Vec<String> =
            call.gates.iter().map(|(gate, given)| format!("{gate} {}", answer(given))).collect();
        let gates = if gates.is_empty() { "reads only".to_owned() } else { gates.join(", ") };
        let _ = writeln!(text, "  {}  {:<12} {gates}", call.place, call.tool);
    }
    let data = json!({
        "name": file.name(), "profile": file.policy().profile.name, "has_decisions": file.has_decisions(),
        "calls": checked.calls, "phases": checked.phases,
    });
    let denied: Vec<String> = checked
        .denied()
        .map(|(call, gate)| format!("{} ({}): {gate} is denied", call.place, call.tool))
        .collect();
    if !denied.is_empty() {
        let fault =
            Fault::new(REFUSED, "refused", format!("{} call(s) would be refused by policy", denied.len()));
        let fault =
            fault.hint("open a gate with --allow, or choose another automation_profile").with_data(data);
        return Err(Fault { detail: json!(denied), ..fault });
    }
    let mut report = Report::new(text, data);
    if !file.has_decisions() {
        report.warn("the file has no decisions: only --stub can run it");
    }
    for call in &checked.calls {
        for (gate, given) in &call.gates {
            if *given == Answer::Ask {
                report.warn(format!(
                    "{} ({}) asks before {gate}; without an answer it is refused",
                    call.place, call.tool
                ));
            }
        }
    }
    Ok(report)
}
