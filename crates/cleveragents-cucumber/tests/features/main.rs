//! The features of the workspace: World, steps, doubles and the runner.
// Steps fail by panicking: that is how cucumber hears of it. A step's arguments are owned, its World is unique.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::needless_pass_by_value, clippy::unused_async)]
#![allow(clippy::print_stdout, clippy::print_stderr)] // the runner of this target is its terminal interface

mod confinement;
mod double;
mod steps;
mod tree;
mod world;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cleveragents_cucumber::Request;
use cucumber::cli::Parser as _;
use cucumber::writer::Stats as _;
use cucumber::{World as _, cli, parser, runner, writer};

use world::World;

type Options = cli::Opts<parser::basic::Cli, runner::basic::Cli, writer::basic::Cli>;

/// Scenarios that run at once, unless the command line says otherwise: each has its own folder and its own store, and
/// some wait for a disk.
const AT_ONCE: usize = 8;

#[tokio::main]
async fn main() -> ExitCode {
    match Request::parse(std::env::args().skip(1)) {
        Request::List(names) => {
            for name in names {
                println!("{name}");
            }
            ExitCode::SUCCESS
        }
        Request::Nothing { reason } => {
            println!("features: nothing to run here: {reason}");
            ExitCode::SUCCESS
        }
        Request::Run { input, options } => run(input, options).await,
    }
}

async fn run(input: Option<String>, mut options: Vec<String>) -> ExitCode {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Relative inputs count from the root, wherever cargo starts this.
    if let Err(error) = std::env::set_current_dir(&root) {
        eprintln!("features: the workspace cannot be entered: {error}");
        return ExitCode::FAILURE;
    }
    let place = match input {
        None => root.join("features"),
        Some(input) if Path::new(&input).exists() => PathBuf::from(input),
        // Cucumber takes globs, but finds nothing by the absolute name of one file.
        Some(glob) => {
            options.push(format!("--input={glob}"));
            root
        }
    };
    let named = ["features".to_owned()].into_iter().chain(options);
    let options = match Options::try_parse_from(named) {
        Ok(options) => options,
        Err(error) => {
            let wrong = error.use_stderr();
            let _ = error.print();
            return if wrong { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };

    let started = Arc::new(AtomicUsize::new(0));
    let left_out = Arc::new(AtomicUsize::new(0));
    let (counter, omitted) = (started.clone(), left_out.clone());
    let runs_confined = confinement::runs_confined();
    let result = World::cucumber()
        .with_cli(options)
        .max_concurrent_scenarios(AT_ONCE)
        .before(move |_, _, scenario, _| {
            counter.fetch_add(1, Ordering::Relaxed);
            assert!(!scenario.steps.is_empty(), "a scenario without steps says nothing");
            Box::pin(std::future::ready(()))
        })
        .fail_on_skipped_with(|_, _, _| true)
        .filter_run(place, move |feature, _, scenario| {
            let confined = feature.tags.iter().chain(&scenario.tags).any(|tag| tag == "confined");
            let runs = runs_confined || !confined;
            omitted.fetch_add(usize::from(!runs), Ordering::Relaxed);
            runs
        })
        .await;

    let left_out = left_out.load(Ordering::Relaxed);
    if left_out > 0 {
        println!(
            "features: {left_out} @confined scenario(s) left out: commands cannot be confined here (set {} to make that red)",
            confinement::REQUIRED
        );
    }
    if started.load(Ordering::Relaxed) == 0 {
        eprintln!("features: no scenario was selected");
        return ExitCode::FAILURE;
    }
    if result.execution_has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
