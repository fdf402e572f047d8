//! The command line. A command stands here only when it works.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Hand a bounded change to a worker without trusting it: it acts in a private copy, every change is recorded with the
/// call that made it, you review an honest diff, and one step changes the real project.
#[derive(Debug, Parser)]
#[command(name = "agents", version, arg_required_else_help = true, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The project: by default the nearest folder above with a cleveragents.toml, else the current folder
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// How to print: with json, stdout carries one JSON document and nothing else, on errors too
    #[arg(long, global = true, value_enum, default_value_t = Format::Plain)]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Plain,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a plan file up to the reviewable diff; with --apply, change the project too
    Run(RunArgs),
    /// Dry run: check a plan file's shape, tools, inputs and policy; nothing is created
    Check(CheckArgs),
    /// Work with a plan: execute, look, apply, take back
    #[command(subcommand)]
    Plan(PlanCommand),
    /// The tools that a plan can call
    #[command(subcommand)]
    Tool(ToolCommand),
    /// The profiles that a plan can name
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// Completions for a shell, on standard output
    Completions(CompletionsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The plan file, YAML or JSON
    #[arg(value_name = "PLAN")]
    pub(crate) file: PathBuf,
    /// Apply the changes at once when every decision was carried out
    #[arg(long)]
    pub(crate) apply: bool,
    /// Open a gate for this plan; recorded with it
    #[arg(long, value_enum, value_name = "GATE")]
    pub(crate) allow: Vec<AllowGate>,
    /// Run the stub: one decision per criterion, no calls
    #[arg(long)]
    pub(crate) stub: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The plan file, YAML or JSON
    #[arg(value_name = "PLAN")]
    pub(crate) file: PathBuf,
    /// Check as if this gate were opened
    #[arg(long, value_enum, value_name = "GATE")]
    pub(crate) allow: Vec<AllowGate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AllowGate {
    /// Run commands, confined
    Shell,
    /// Reach the network
    Network,
    /// Run commands unconfined
    Unsafe,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Create a plan from a plan file and run nothing yet
    New(NewArgs),
    /// Make a plan's decisions; read-only
    Strategize(PlanArg),
    /// Carry a plan's decisions out, or go on at the call that failed
    Execute(ExecuteArgs),
    /// Where a plan stands: state, decisions, calls, changes
    Status(PlanArg),
    /// The decisions of a plan as a tree
    Tree(PlanArg),
    /// Why: each decision with its reasons, its calls and what they changed
    Explain(ExplainArgs),
    /// The changes of a plan, whole or in part, as a unified diff or in numbers
    Diff(DiffArgs),
    /// Change the project: all paths, or none
    Apply(PlanArg),
    /// Take an applied plan back: the exact state before
    Rollback(PlanArg),
    /// Give a plan up; its sandbox is removed
    Cancel(PlanArg),
    /// What happened, event by event
    Log(LogArgs),
    /// The plans of this project, newest first
    List,
}

#[derive(Debug, Args)]
pub(crate) struct PlanArg {
    /// The plan's id
    #[arg(value_name = "PLAN_ID")]
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The plan file, YAML or JSON
    #[arg(value_name = "PLAN")]
    pub(crate) file: PathBuf,
    /// Open a gate for this plan; recorded with it
    #[arg(long, value_enum, value_name = "GATE")]
    pub(crate) allow: Vec<AllowGate>,
    /// Let it run the stub: one decision per criterion, no calls
    #[arg(long)]
    pub(crate) stub: bool,
}

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // one flag a style, of which clap lets through one
pub(crate) struct DiffArgs {
    /// The plan's id
    #[arg(value_name = "PLAN_ID")]
    pub(crate) id: String,
    /// Only these paths, and what is below them
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A line with a graph for each file instead of the diff
    #[arg(long, group = "style")]
    pub(crate) stat: bool,
    /// Added, removed and path between tabs instead of the diff
    #[arg(long, group = "style")]
    pub(crate) numstat: bool,
    /// Only the paths
    #[arg(long, group = "style")]
    pub(crate) name_only: bool,
    /// The diff itself: the default
    #[arg(long, group = "style")]
    pub(crate) patch: bool,
    /// Only what this call did; `plan log` shows the ids of calls
    #[arg(long, value_name = "CALL_ID")]
    pub(crate) call: Vec<String>,
    /// Only what this decision's calls did: its id, or its number in the order of execution
    #[arg(long, value_name = "DECISION")]
    pub(crate) decision: Vec<String>,
    /// Write it to this file, which must not exist, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The plan's id
    #[arg(value_name = "PLAN_ID")]
    pub(crate) id: String,
    /// Only this decision: its id, or its number in the order of execution
    #[arg(value_name = "DECISION")]
    pub(crate) decision: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExecuteArgs {
    /// The plan's id
    #[arg(value_name = "PLAN_ID")]
    pub(crate) id: String,
    /// Repeat a call that was cut short while it ran unconfined; look first at what it may have done
    #[arg(long)]
    pub(crate) repeat_interrupted: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// The plan's id
    #[arg(value_name = "PLAN_ID")]
    pub(crate) id: String,
    /// Begin at this record
    #[arg(long, value_name = "SEQ", default_value_t = 1)]
    pub(crate) from: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolCommand {
    /// Names, capabilities and descriptions
    List,
    /// One tool: description, capabilities and input schema
    Show(NameArg),
    /// Run one call as a plan of its own, up to the reviewable diff; with --apply, change the project too
    Call(CallArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// All profiles with their answers
    List,
    /// One profile
    Show(NameArg),
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The tool's name
    pub(crate) name: String,
    /// Its input as JSON; `agents tool show NAME` prints the schema
    #[arg(value_name = "JSON")]
    pub(crate) input: String,
    /// Apply the changes at once
    #[arg(long)]
    pub(crate) apply: bool,
    /// Open a gate for this call; recorded with it
    #[arg(long, value_enum, value_name = "GATE")]
    pub(crate) allow: Vec<AllowGate>,
}

#[derive(Debug, Args)]
pub(crate) struct NameArg {
    /// The name
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

impl Command {
    /// The name that the JSON envelope carries.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Check(_) => "check",
            Self::Plan(plan) => match plan {
                PlanCommand::New(_) => "plan new",
                PlanCommand::Strategize(_) => "plan strategize",
                PlanCommand::Tree(_) => "plan tree",
                PlanCommand::Explain(_) => "plan explain",
                PlanCommand::Execute(_) => "plan execute",
                PlanCommand::Status(_) => "plan status",
                PlanCommand::Diff(_) => "plan diff",
                PlanCommand::Apply(_) => "plan apply",
                PlanCommand::Rollback(_) => "plan rollback",
                PlanCommand::Cancel(_) => "plan cancel",
                PlanCommand::Log(_) => "plan log",
                PlanCommand::List => "plan list",
            },
            Self::Tool(ToolCommand::List) => "tool list",
            Self::Tool(ToolCommand::Show(_)) => "tool show",
            Self::Tool(ToolCommand::Call(_)) => "tool call",
            Self::Profile(ProfileCommand::List) => "profile list",
            Self::Profile(ProfileCommand::Show(_)) => "profile show",
            Self::Completions(_) => "completions",
        }
    }
}
