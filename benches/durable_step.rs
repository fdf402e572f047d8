//! A durable step against its floor, in one run on one disk: 1,000 decisions that each write a 200-byte file.
//!
//! `cargo bench -p cleveragents-benches --bench durable_step`
//!
//! Each round measures the floor and the plan, in turn; the printed ratio is the median of the rounds' ratios. The
//! count of fsync and fdatasync calls comes from `strace -f -c` over a run of each alone; without strace it is said to
//! be not counted.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::process::Command;
use std::time::Instant;

use cleveragents_benches::{floor, place, plan};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let alone = |name: &str| arguments.iter().any(|a| a == name);
    let quick = alone("--test");
    let steps = if quick { 20 } else { 1_000 };
    if alone("--floor-alone") {
        return floor::file_and_transaction(place::fresh().unwrap().path(), 1_000).unwrap();
    }
    if alone("--plan-alone") {
        run_plan(1_000);
        return;
    }
    let rounds = if quick { 1 } else { 5 };
    let mut rows: Vec<(f64, f64)> = (0..rounds).map(|_| (run_floor(steps), run_plan(steps))).collect();
    rows.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let (floor, ours) = rows[rows.len() / 2];
    let here = place::fresh().unwrap();
    println!(
        "durable step, {steps} steps, file system {}, WAL, synchronous=FULL",
        place::file_system(here.path())
    );
    println!(
        "  floor {floor:.1} us a step, fsyncs a step: {}",
        if quick { skipped() } else { fsyncs("--floor-alone") }
    );
    println!(
        "  plan  {ours:.1} us a step, fsyncs a step: {}",
        if quick { skipped() } else { fsyncs("--plan-alone") }
    );
    println!("  ratio {:.2} (median of {rounds} rounds)", ours / floor);
}

fn skipped() -> String {
    "not counted in a smoke run".to_owned()
}

/// Microseconds a step.
fn run_floor(steps: u32) -> f64 {
    let dir = place::fresh().unwrap();
    let begun = Instant::now();
    floor::file_and_transaction(dir.path(), steps).unwrap();
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(steps)
}

fn run_plan(steps: u32) -> f64 {
    let dir = place::fresh().unwrap();
    let text = plan::writing_plan(steps);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let begun = Instant::now();
    runtime.block_on(plan::run(dir.path(), &text)).unwrap();
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(steps)
}

/// fsync and fdatasync calls a step, counted by strace.
fn fsyncs(what: &str) -> String {
    let me = std::env::current_exe().unwrap();
    let traced =
        Command::new("strace").args(["-f", "-c", "-e", "trace=fsync,fdatasync"]).arg(me).arg(what).output();
    let Ok(traced) = traced else { return "not counted (no strace)".to_owned() };
    let text = String::from_utf8_lossy(&traced.stderr);
    let calls: f64 = text
        .lines()
        .filter(|line| line.ends_with("fsync") || line.ends_with("fdatasync"))
        .filter_map(|line| line.split_whitespace().nth(3)?.parse::<f64>().ok())
        .sum();
    format!("{:.2}", calls / 1_000.0)
}
