//! Verdict and bytes beside `git merge-file -p`: 8,000 small cases, half of them with `--diff3`, and 160 with so many
//! changes that git gives up looking for the shortest way.
//!
//! Differences: none here. One is known: beyond some 65,000 lines git has one more rule for giving up, which is left
//! out, so such files may be cut into other regions where thousands of their lines differ.

use std::fs;
use std::process::{Command, Stdio};

use cleveragents_diff::{MergeLabels, MergeStyle, merge, render};

use crate::random::{Random, edited, joined, lines};

const LABELS: MergeLabels<'static> = MergeLabels { ours: b"ours", base: b"base", theirs: b"theirs" };

/// A base and two contents that came from it; the second now and then shares changes with the first.
fn case(random: &mut Random) -> [Vec<u8>; 3] {
    let most = [6, 20, 60, 300][random.below(4)];
    let base = lines(random, most);
    let ours = edited(random, &base, 5);
    let theirs = match random.below(6) {
        0 => edited(random, &ours, 2),
        1 => lines(random, 20),
        _ => edited(random, &base, 5),
    };
    [joined(random, &base), joined(random, &ours), joined(random, &theirs)]
}

/// A base of 2,000 lines and two contents with hundreds of changes each.
fn large(random: &mut Random) -> [Vec<u8>; 3] {
    let stock = [20, 300, 100_000][random.below(3)];
    let edits = [20, 200, 900, 3000][random.below(4)];
    let line = |random: &mut Random| format!("{}\n", random.below(stock)).into_bytes();
    let base: Vec<Vec<u8>> = (0..2000).map(|_| line(random)).collect();
    let mut side = || {
        let mut lines = base.clone();
        for _ in 0..edits {
            let start = random.below(lines.len());
            let stop = (start + random.below(3)).min(lines.len());
            let added: Vec<Vec<u8>> = (0..random.below(3)).map(|_| line(random)).collect();
            lines.splice(start..stop, added);
        }
        lines.concat()
    };
    let (ours, theirs) = (side(), side());
    [base.concat(), ours, theirs]
}

/// Runs `count` cases; git's processes are started ahead of their being waited for.
fn compare(seed: u64, count: usize, style: MergeStyle, case: fn(&mut Random) -> [Vec<u8>; 3]) {
    let mut random = Random::new(seed);
    let root = tempfile::tempdir().unwrap();
    let mut conflicts = 0;
    for batch in 0..count.div_ceil(40) {
        let cases: Vec<[Vec<u8>; 3]> = (0..40).map(|_| case(&mut random)).collect();
        let running: Vec<_> = cases
            .iter()
            .enumerate()
            .map(|(index, [base, ours, theirs])| {
                let file = |name: &str, content: &Vec<u8>| {
                    let name = format!("{batch}-{index}-{name}");
                    fs::write(root.path().join(&name), content).unwrap();
                    name
                };
                let names = [file("ours", ours), file("base", base), file("theirs", theirs)];
                let mut git = Command::new("git");
                git.args(["merge-file", "-p", "-q", "-L", "ours", "-L", "base", "-L", "theirs"]);
                if style == MergeStyle::Diff3 {
                    git.arg("--diff3");
                }
                git.args(names)
                    .current_dir(root.path())
                    .env("GIT_CONFIG_NOSYSTEM", "1")
                    .env("GIT_CONFIG_GLOBAL", "/dev/null")
                    .env("GIT_CEILING_DIRECTORIES", root.path().parent().unwrap())
                    .stdout(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for ([base, ours, theirs], git) in cases.iter().zip(running) {
            let output = git.wait_with_output().unwrap();
            let merged = merge(base, ours, theirs);
            let shown = || format!("{:?}\n{:?}\n{:?}", text(base), text(ours), text(theirs));
            let found = merged.conflicts(style);
            assert_eq!(output.status.code(), i32::try_from(found.min(127)).ok(), "{}", shown());
            assert_eq!(text(&render(&merged, &LABELS, style)), text(&output.stdout), "{}", shown());
            conflicts += usize::from(found > 0);
        }
    }
    assert!(conflicts > count / 4 && conflicts <= count, "{conflicts} conflicts of {count}");
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn like_git() {
    compare(1, 2000, MergeStyle::Merge, case);
}

#[test]
fn like_git_again() {
    compare(2, 2000, MergeStyle::Merge, case);
}

#[test]
fn like_git_with_the_base() {
    compare(3, 2000, MergeStyle::Diff3, case);
}

#[test]
fn like_git_with_the_base_again() {
    compare(4, 2000, MergeStyle::Diff3, case);
}

#[test]
fn like_git_where_it_gives_up() {
    compare(5, 80, MergeStyle::Merge, large);
    compare(6, 80, MergeStyle::Diff3, large);
}
