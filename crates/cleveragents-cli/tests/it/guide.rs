//! The guide's own commands, run as they stand there.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{Case, Ran};

/// The fenced blocks of a page, each with its language.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((language.to_owned(), String::new())),
            (None, Some((_, text))) => text.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn the_first_plan_goes_as_the_guide_says() {
    let case = Case::new();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/first-plan.md");
    let page = fs::read_to_string(page).unwrap();
    let bin = case.beside("bin");
    fs::create_dir(&bin).unwrap();
    symlink(assert_cmd::cargo::cargo_bin!("agents"), bin.join("agents")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let run = |script: &str| {
        let mut shell = case.program("sh");
        shell.args(["-euc", script]).env("PATH", &path);
        Ran::of(shell)
    };
    let (mut commands, mut seen) = (0, Vec::new());
    for (language, text) in blocks(&page) {
        if language == "yaml" {
            fs::write(case.project.join("fix.yaml"), text).unwrap();
            continue;
        }
        assert_eq!(language, "sh");
        for command in text.lines() {
            let id = run("agents plan list --project hello | head -n 1 | cut -c1-26").out;
            let ran = run(&command.replace("PLAN_ID", id.trim()));
            // After the rollback the guide tells of other plans: there a command need only be one.
            let told = ["plan execute", "plan cancel"].iter().any(|other| command.contains(other));
            assert!(ran.code == Some(0) || told && ran.code == Some(1), "{command}: {}{}", ran.out, ran.err);
            commands += 1;
            seen.push(fs::read_to_string(case.project.join("hello/greeting.txt")).unwrap());
        }
    }
    assert!(commands >= 8, "only {commands} commands were found in the guide");
    seen.dedup();
    assert_eq!(seen, ["Hello, wrold!\n", "Hello, world!\n", "Hello, wrold!\n"]);
}
