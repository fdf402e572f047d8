//! Unified diffs beside `git diff --no-index` and `diff -ru`, in one run on the same files.
//!
//! `cargo bench -p cleveragents-benches --bench diff`
//!
//! The peers are processes that read both sides from disk (from the page cache, that is) and write to nowhere; ours
//! reads the same files in this process and writes to memory. Each round runs all of them in turn; the printed times
//! are medians, the ratio is the median of the rounds' ratios. Starting a process is part of a peer's time: `git
//! --version` is measured as well, to tell how much of it that is.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use cleveragents_benches::place;
use cleveragents_diff::{FileChange, Side, UnifiedDiff};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let (files, lines, rounds): (u32, u64, usize) = if quick { (20, 2_000, 1) } else { (1_000, 100_000, 9) };
    let here = place::fresh().unwrap();
    println!("file system {}, {rounds} rounds", place::file_system(here.path()));
    println!("starting git alone takes {:.1} ms", 1e3 * time(Command::new("git").arg("--version")));

    let tree = here.path().join("tree");
    for file in 0..files {
        let before: Vec<u64> = (0..u64::from(file) * 7 % 2_000 + 50).collect();
        let mut after = before.clone();
        for edit in 0..=u64::from(file % 9) {
            let place = mixed(u64::from(file) * 9 + edit) % after.len() as u64;
            after[usize::try_from(place).unwrap()] = 1_000_000 + edit;
        }
        write(&tree, &format!("{:02}/{file}.rs", file % 50), &before, &after);
    }
    compare(&format!("{files} changed files"), &tree, rounds);

    let plain: Vec<u64> = (0..lines).collect();
    let few = plain
        .iter()
        .map(|&line| if line % (lines / 10 + 7) == lines / 20 { line + lines } else { line })
        .collect();
    let half = plain.iter().map(|&line| if line % 2 == 0 { line } else { line + lines }).collect();
    let mut shuffled = plain.clone();
    for last in (1..shuffled.len()).rev() {
        shuffled.swap(last, usize::try_from(mixed(last as u64) % (last as u64 + 1)).unwrap());
    }
    let cases: [(&str, Vec<u64>); 3] =
        [("few edits", few), ("half changed", half), ("all shuffled", shuffled)];
    for (name, after) in cases {
        let tree = here.path().join(name);
        write(&tree, "file", &plain, &after);
        compare(&format!("{lines} lines, {name}"), &tree, if quick { 1 } else { 5 });
    }
}

/// A number that looks random.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_add(1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn write(tree: &Path, name: &str, before: &[u64], after: &[u64]) {
    for (side, lines) in [("before", before), ("after", after)] {
        let mut text = String::new();
        for line in lines {
            let indent = ["", "    ", "        ", "            "][usize::try_from(line % 4).unwrap()];
            let _ = writeln!(text, "{indent}let line_{line} = {line};");
        }
        let path = tree.join(side).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Measures the three in turn and prints their times and ratios.
fn compare(name: &str, tree: &Path, rounds: usize) {
    let mut paths = Vec::new();
    collect(&tree.join("before"), &tree.join("before"), &mut paths);
    paths.sort();
    let mut rows: Vec<[f64; 3]> = Vec::new();
    for _ in 0..rounds {
        let begun = Instant::now();
        let patch = ours(tree, &paths);
        let mine = begun.elapsed().as_secs_f64();
        assert!(!patch.is_empty());
        let git =
            time(Command::new("git").args(["diff", "--no-index", "-p", "before", "after"]).current_dir(tree));
        let diff = time(Command::new("diff").args(["-ru", "before", "after"]).current_dir(tree));
        rows.push([mine, git, diff]);
    }
    let median = |value: &dyn Fn(&[f64; 3]) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!(
        "{name}: ours {:.1} ms, git {:.1} ms (ratio {:.3}), diff {:.1} ms (ratio {:.3})",
        1e3 * median(&|row| row[0]),
        1e3 * median(&|row| row[1]),
        median(&|row| row[0] / row[1]),
        1e3 * median(&|row| row[2]),
        median(&|row| row[0] / row[2]),
    );
}

fn collect(root: &Path, dir: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, paths);
        } else {
            paths.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}

fn ours(tree: &Path, paths: &[String]) -> Vec<u8> {
    let mut patch = Vec::new();
    for path in paths {
        let before = fs::read(tree.join("before").join(path)).unwrap();
        let after = fs::read(tree.join("after").join(path)).unwrap();
        let change = FileChange {
            path: path.as_bytes(),
            before: Some(Side::file(0o644, &before)),
            after: Some(Side::file(0o644, &after)),
        };
        UnifiedDiff::new().append(&change, &mut patch);
    }
    patch
}

/// Seconds until the command has ended; its output goes nowhere.
fn time(command: &mut Command) -> f64 {
    let begun = Instant::now();
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    begun.elapsed().as_secs_f64()
}
