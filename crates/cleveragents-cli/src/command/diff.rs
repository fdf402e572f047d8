//! `agents plan diff`: the changes of a plan, whole or in part.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

use base64::Engine as _;
use serde_json::json;

use cleveragents_application::domain::{
    DecisionId, PlanId, PlanView, RelPath, SpecChangeSet, StrategyDecision, ToolCallId, ValidationError,
};
use cleveragents_application::{DiffStyle, Selection, show_diff};

use crate::args::DiffArgs;
use crate::fault::{FAILED, Fault, USAGE};
use crate::project::Project;
use crate::render::{self, for_terminal};
use crate::report::Report;

/// How wide the graph of `--stat` is: git's own width for a pipe.
const STAT_WIDTH: usize = 80;

pub(crate) async fn diff(project: &Project, id: &PlanId, args: &DiffArgs) -> Result<Report, Fault> {
    let view = project.lifecycle.view(id).await?;
    let selection = selection(&view, args)?;
    let changes = view.changeset().map(|set| selection.of(set)).unwrap_or_default();
    let style = match args {
        DiffArgs { stat: true, .. } => DiffStyle::Stat { width: STAT_WIDTH },
        DiffArgs { numstat: true, .. } => DiffStyle::NumStat,
        DiffArgs { name_only: true, .. } => DiffStyle::NameOnly,
        _ => DiffStyle::Patch,
    };
    let shown = show_diff(changes.clone(), project.lifecycle.store().clone(), style).await?;
    let mut data = json!({ "plan_id": id, "state": view.state, "changes": render::changes_data(&changes) });
    let key = if style == DiffStyle::Patch { "patch" } else { "text" };
    match std::str::from_utf8(&shown) {
        Ok(text) => data[key] = json!(text),
        Err(_) => {
            data[format!("{key}_base64")] = json!(base64::engine::general_purpose::STANDARD.encode(&shown));
        }
    }
    let mut report = match &args.export {
        None => Report::new(for_terminal(shown, std::io::stdout().is_terminal()), data),
        Some(file) => {
            export(file, &shown)?;
            data["exported_to"] = json!(file.display().to_string());
            Report::new(format!("Wrote {} bytes to {}\n", shown.len(), file.display()), data)
        }
    };
    if changes.is_empty() {
        report.info(format!("plan {id} changes nothing here"));
    }
    let outside = view.changeset().map_or(0, |set| set.outside().count());
    if outside > 0 {
        report.warn(format!(
            "{outside} change(s) in the sandbox were made by nobody's call; they are not part of the diff"
        ));
    }
    Ok(report)
}

fn selection(view: &PlanView, args: &DiffArgs) -> Result<Selection, Fault> {
    let calls = args.call.iter().map(|id| ToolCallId::parse(id)).collect::<Result<Vec<_>, _>>()?;
    let known = |id: &ToolCallId| {
        view.changesets.iter().flat_map(SpecChangeSet::invocations).any(|call| call.id == *id)
    };
    if let Some(unknown) = calls.iter().find(|id| !known(id)) {
        return Err(Fault::new(USAGE, "call", format!("the plan has no call {unknown}")));
    }
    let decisions = args.decision.iter().map(|text| Ok(find_decision(view, text)?.id));
    let paths = args.paths.iter().map(|text| RelPath::from_text(text));
    Ok(Selection {
        calls,
        decisions: decisions.collect::<Result<Vec<DecisionId>, Fault>>()?,
        paths: paths.collect::<Result<Vec<_>, ValidationError>>()?,
    })
}

/// A decision by its id, or by its number in the order of execution.
pub(super) fn find_decision(view: &PlanView, text: &str) -> Result<StrategyDecision, Fault> {
    let decisions = view.decisions.decisions();
    let found = match text.parse::<u32>() {
        Ok(number) => decisions.iter().find(|d| d.sequence == number),
        Err(_) => {
            let id = DecisionId::parse(text)?;
            decisions.iter().find(|d| d.id == id)
        }
    };
    found.cloned().ok_or_else(|| {
        let last = decisions.len().saturating_sub(1);
        let message = format!("the plan has no decision {text}; its decisions are 0 to {last}");
        Fault::new(USAGE, "decision", message)
    })
}

/// Writes a new file; one that exists is not replaced.
fn export(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let mut file = std::fs::File::create_new(path).map_err(|e| Fault::io("create", path, &e))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|e| {
        Fault::new(FAILED, "io", format!("cannot write {}: {e}; it is not whole", path.display()))
    })
}
