//! What we write, `patch` must be able to apply as well. Skipped with a word where it is not installed.

use std::fs;
use std::process::Command;

use cleveragents_diff::{FileChange, Side, UnifiedDiff};

use crate::git::feed;
use crate::random::{Random, pair};

#[test]
#[expect(clippy::print_stderr, reason = "a test that tests nothing says so")]
fn gets_the_same_bytes_back() {
    if Command::new("patch").arg("--version").output().is_err() {
        eprintln!("skipped: `patch` is not installed");
        return;
    }
    let mut random = Random::new(31);
    let root = tempfile::tempdir().unwrap();
    let mut patch = Vec::new();
    let mut expected = Vec::new();
    for index in 0..2000 {
        let (before, after) = pair(&mut random, 24);
        // It deletes a file that becomes empty, and does not know one that was.
        if before == after || before.is_empty() || after.is_empty() {
            continue;
        }
        let path = format!("file {index}");
        fs::write(root.path().join(&path), &before).unwrap();
        let side = |content| Some(Side::file(0o644, content));
        let change = FileChange { path: path.as_bytes(), before: side(&before), after: side(&after) };
        UnifiedDiff::new().append(&change, &mut patch);
        expected.push((path, after));
    }
    let mut command = Command::new("patch");
    command.args(["-p1", "--binary", "--silent", "--no-backup-if-mismatch"]).current_dir(root.path());
    feed(command, &patch).unwrap_or_else(|error| panic!("{error}"));
    assert!(expected.len() > 1500);
    for (path, after) in expected {
        assert_eq!(fs::read(root.path().join(&path)).unwrap(), after, "{path}");
    }
}
