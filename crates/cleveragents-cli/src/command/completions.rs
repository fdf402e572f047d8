//! `agents completions`: what a shell needs to complete the command line.

use clap::CommandFactory as _;
use serde_json::json;

use crate::args::Cli;
use crate::report::Report;

pub(crate) fn completions(shell: clap_complete::Shell) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "agents", &mut script);
    let data = json!({ "shell": shell.to_string(), "script": String::from_utf8_lossy(&script) });
    Report::new(script, data)
}
