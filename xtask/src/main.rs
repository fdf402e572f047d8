//! Checks of this workspace: `cargo xtask <command>`.
//!
//! One file a command, in `command/`. No crate of the product is a dependency, so that the checks run when the
//! product does not build.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program")]

mod command;
mod layer;
mod lockfile;
mod metadata;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

const USAGE: &str = "usage: cargo xtask <command>

  ci      everything below and format, lints and docs, in order; stops at the first that fails
  layers  who may depend on whom
  deps    no crate in two versions";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let workspace = Workspace::open();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => command::ci::run(&workspace),
        ["layers"] => command::layers::run(&workspace),
        ["deps"] => command::deps::run(&workspace),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
