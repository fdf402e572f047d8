//! Start-up of the binary: `agents --version`.
//!
//! `cargo build --release -p cleveragents-cli && cargo bench -p cleveragents-benches --bench startup`
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() {
    let Some(binary) = binary() else {
        println!("startup: no agents binary; build it with cargo build --release -p cleveragents-cli");
        std::process::exit(1);
    };
    let runs = if std::env::args().any(|a| a == "--test") { 3 } else { 101 };
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            let status = Command::new(&binary).arg("--version").stdout(Stdio::null()).status().unwrap();
            assert!(status.success());
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "agents --version: median {:.2} ms of {runs} runs, spawn and wait included ({})",
        times[runs / 2],
        binary.display()
    );
}

/// The release binary when there is one, else the one of the dev build: beside this bench's own folder.
fn binary() -> Option<PathBuf> {
    let me = std::env::current_exe().ok()?;
    let target = me.ancestors().find(|p| p.join("CACHEDIR.TAG").is_file())?;
    ["release", "debug"].iter().map(|profile| target.join(profile).join("agents")).find(|path| path.is_file())
}
