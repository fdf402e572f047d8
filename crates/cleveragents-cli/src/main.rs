//! The binary `agents`: the one composition root.
//!
//! It parses the command line, puts the embedded adapters together (the copy workspace, the SQLite journal, the
//! built-in tools), runs one command and prints its result. What a command means is decided in the crates below.

mod args;
mod command;
mod fault;
mod project;
mod render;
mod report;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, Format};
use crate::fault::Fault;
use crate::report::{Report, Timing, print};

fn main() -> ExitCode {
    let timing = Timing::start();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(usage(&arguments, &timing, &error)),
    };
    let json = cli.global.format == Format::Json;
    let name = cli.command.name();
    let result = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(command::dispatch(cli)),
        Err(error) => Err(Fault::new(fault::FAILED, "runtime", format!("cannot start: {error}"))),
    };
    ExitCode::from(print(name, json, &timing, result))
}

/// A command line that cannot be parsed, or `--help` and `--version`.
fn usage(arguments: &[OsString], timing: &Timing, error: &clap::Error) -> u8 {
    let words: Vec<String> = arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let json = words.iter().any(|w| w == "--format=json")
        || words.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    if json {
        return print("agents", true, timing, usage_in_json(error));
    }
    let _ = error.print();
    if error.use_stderr() { fault::USAGE } else { 0 }
}

fn usage_in_json(error: &clap::Error) -> Result<Report, Fault> {
    let text = error.render().to_string();
    if !error.use_stderr() {
        let data = serde_json::json!({ "text": text });
        return Ok(Report::new(text, data));
    }
    let head = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            "a command is missing"
        }
        _ => text.trim_start_matches("error: ").split("\n\n").next().unwrap_or("usage"),
    };
    let message = head.split_whitespace().collect::<Vec<_>>().join(" ");
    Err(Fault::usage(message).hint("agents --help"))
}
