//! Plan files made to exhaust the machine: they are refused in bounded time and memory.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::{Case, Ran};

/// How much address space a run may take, in KiB: a debug binary, its threads, and the largest file several times over.
const MEMORY: u32 = 1_500_000;

/// Runs a plan file in bounded memory, and expects a refusal soon.
#[track_caller]
fn refused(case: &Case, file: &Path, words: &[&str]) {
    let script = format!("ulimit -v {MEMORY} && exec \"$@\"");
    for format in ["plain", "json"] {
        let binary = assert_cmd::cargo::cargo_bin!("agents").to_str().unwrap();
        let mut command = case.program("sh");
        command.args(["-c", &script, "sh", binary, "run", file.to_str().unwrap(), "--format", format]);
        let ran = Ran::within(command, Duration::from_secs(20));
        if format == "plain" {
            let ran = ran.exits(2).complains(words);
            assert!(ran.err.len() < 20_000, "{} bytes of error", ran.err.len());
        } else {
            assert_eq!(ran.envelope(2)["error"]["code"], "plan_file");
        }
    }
    assert!(!case.state.exists());
}

fn written(case: &Case, text: impl AsRef<[u8]>) -> std::path::PathBuf {
    let path = case.beside("hostile.yaml");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn aliases_that_multiply() {
    let case = Case::new();
    let mut text = "name: x\ndefinition_of_done: y\ndecisions:\n - title: t\n   calls:\n    - tool: read_file\n      with:\n".to_owned();
    let _ = writeln!(text, "        k0: &k0 [{}]", ["x"; 10].join(","));
    for level in 1..=12 {
        let above = format!("*k{}", level - 1);
        let _ = writeln!(text, "        k{level}: &k{level} [{}]", [above.as_str(); 10].join(","));
    }
    refused(&case, &written(&case, text), &["line 13 column", "budget"]);
}

#[test]
fn a_long_text_named_often() {
    let case = Case::new();
    let mut text = format!("name: x\ndefinition_of_done: y\ninvariants:\n - &long {}\n", "a".repeat(200_000));
    text += &" - *long\n".repeat(50_000);
    refused(&case, &written(&case, text), &["line 339 column", "budget"]);
}

#[test]
fn nesting_without_end() {
    let case = Case::new();
    refused(&case, &written(&case, "[".repeat(1_000_000)), &["line 1 column", "recursion"]);
    let braces = format!("name: x\ndefinition_of_done: y\ndecisions: {}", "{a: ".repeat(100_000));
    refused(&case, &written(&case, braces), &["line 3 column"]);
}

#[test]
fn files_that_are_too_large() {
    let case = Case::new();
    let head = "name: x\ndefinition_of_done: y\ndecisions: [{ title: t }]\n#";
    let twenty = format!("{head}{}", " ".repeat(20_000_000));
    refused(&case, &written(&case, twenty), &["hostile.yaml: is larger than 16777216 bytes"]);
    refused(&case, Path::new("/dev/zero"), &["/dev/zero: is larger than 16777216 bytes"]);
}

#[test]
fn a_large_file_that_fits_is_read() {
    let case = Case::new();
    let content = "0123456789abcde\n".repeat(500_000);
    let data =
        case.run(0, &crate::support::plan(&[crate::support::write("large.txt", &content)]), &["--apply"]);
    assert_eq!(data["state"], "apply/applied");
    assert_eq!(fs::read(case.project.join("large.txt")).unwrap(), content.as_bytes());
}
