//! The commands, one file each.

mod apply;
mod cancel;
mod check;
mod completions;
mod diff;
mod execute;
mod explain;
mod list;
mod log;
mod new;
mod profile;
mod rollback;
mod run;
mod status;
mod strategize;
mod tool;
mod tree;

use std::io::Read as _;

use cleveragents_application::domain::{Gate, PlanId};
use cleveragents_application::{MAX_PLAN_FILE, PlanFile, Recovery};

use crate::args::{AllowGate, Cli, Command, PlanCommand, ProfileCommand, ToolCommand};
use crate::fault::{Fault, USAGE};
use crate::project::Project;
use crate::report::Report;

pub(crate) async fn dispatch(cli: Cli) -> Result<Report, Fault> {
    let place = cli.global.project;
    match cli.command {
        Command::Check(args) => check::check(&args),
        Command::Tool(ToolCommand::List) => tool::list(),
        Command::Tool(ToolCommand::Show(arg)) => tool::show(&arg.name),
        Command::Tool(ToolCommand::Call(args)) => tool::call(place, &args).await,
        Command::Profile(ProfileCommand::List) => profile::list(),
        Command::Profile(ProfileCommand::Show(arg)) => profile::show(&arg.name),
        Command::Completions(args) => Ok(completions::completions(args.shell)),
        Command::Plan(PlanCommand::New(args)) => new::new(place, &args).await,
        Command::Run(args) => run::run(place, &args).await,
        Command::Plan(command) => {
            // The id is checked before anything is opened or created.
            let id = match &command {
                PlanCommand::List | PlanCommand::New(_) => None,
                PlanCommand::Explain(args) => Some(PlanId::parse(&args.id)?),
                PlanCommand::Diff(args) => Some(PlanId::parse(&args.id)?),
                PlanCommand::Execute(args) => Some(PlanId::parse(&args.id)?),
                PlanCommand::Log(args) => Some(PlanId::parse(&args.id)?),
                PlanCommand::Status(arg)
                | PlanCommand::Strategize(arg)
                | PlanCommand::Tree(arg)
                | PlanCommand::Apply(arg)
                | PlanCommand::Rollback(arg)
                | PlanCommand::Cancel(arg) => Some(PlanId::parse(&arg.id)?),
            };
            let project = Project::open(place.as_deref())?;
            let mut report = match (command, id) {
                (PlanCommand::Execute(args), Some(id)) => {
                    execute::execute(&project, &id, args.repeat_interrupted).await
                }
                (PlanCommand::Strategize(_), Some(id)) => strategize::strategize(&project, &id).await,
                (PlanCommand::Tree(_), Some(id)) => tree::tree(&project, &id).await,
                (PlanCommand::Explain(args), Some(id)) => {
                    explain::explain(&project, &id, args.decision.as_deref()).await
                }
                (PlanCommand::Status(_), Some(id)) => status::status(&project, &id).await,
                (PlanCommand::Diff(args), Some(id)) => diff::diff(&project, &id, &args).await,
                (PlanCommand::Apply(_), Some(id)) => apply::apply(&project, &id).await,
                (PlanCommand::Rollback(_), Some(id)) => rollback::rollback(&project, &id).await,
                (PlanCommand::Cancel(_), Some(id)) => cancel::cancel(&project, &id).await,
                (PlanCommand::Log(args), Some(id)) => log::log(&project, &id, args.from).await,
                (_, _) => list::list(&project).await,
            }?;
            project.note_replaced(&mut report);
            Ok(report)
        }
    }
}

/// Reads and checks a plan file.
fn read_plan(path: &std::path::Path, allow: &[AllowGate]) -> Result<PlanFile, Fault> {
    // A little more than is accepted, so that an endless file ends too.
    let most = u64::try_from(MAX_PLAN_FILE).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(most).read_to_end(&mut bytes))
        .map_err(|e| Fault::io("read", path, &e))?;
    if bytes.len() > MAX_PLAN_FILE {
        let message = format!("is larger than {MAX_PLAN_FILE} bytes");
        return Err(Fault::new(USAGE, "plan_file", message).in_file(path));
    }
    let text = String::from_utf8(bytes)
        .map_err(|e| Fault::new(USAGE, "plan_file", format!("is not UTF-8 text: {e}")).in_file(path))?;
    let file = PlanFile::parse(&text).map_err(|e| Fault::from(e).in_file(path))?;
    Ok(file.allow(gates(allow))?)
}

fn gates(allow: &[AllowGate]) -> impl Iterator<Item = Gate> {
    allow.iter().map(|gate| match gate {
        AllowGate::Shell => Gate::Shell,
        AllowGate::Network => Gate::Network,
        AllowGate::Unsafe => Gate::Unsafe,
    })
}

/// Settles what a dead process left of a plan; `None` when that was nothing. The caller holds the plan's lock, and the
/// project's when the plan may be half-written.
async fn recover(project: &Project, id: &PlanId) -> Result<Option<Recovery>, Fault> {
    match project.lifecycle.recover(id, &project.target()?).await {
        Ok(Recovery::Nothing) => Ok(None),
        Ok(recovery) => Ok(Some(recovery)),
        Err(error) => Err(run::after_failure(project, id, error.into()).await),
    }
}

/// What a recovery did, in words.
fn said(recovery: Recovery) -> String {
    match recovery {
        Recovery::Nothing => "nothing was left unfinished",
        Recovery::Interrupted => {
            "an earlier process ended before it was done; its phase was marked interrupted"
        }
        Recovery::ApplyFinished => "an earlier process ended while it applied; the apply was finished",
        Recovery::RollbackFinished => {
            "an earlier process ended while it rolled back; the rollback was finished"
        }
    }
    .to_owned()
}
