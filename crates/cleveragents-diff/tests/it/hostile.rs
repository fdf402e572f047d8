//! Patches that were damaged, and patches made to be slow or large: an error or a result, never a panic.

use std::time::{Duration, Instant};

use cleveragents_diff::{Patch, apply_file};

use crate::damage::{damage, valid};
use crate::random::{Random, pair};

#[test]
fn damaged_patches_never_panic() {
    let mut random = Random::new(21);
    let (mut parsed, mut applied) = (0, 0);
    for _ in 0..60_000 {
        let (before, after) = pair(&mut random, 12);
        let mut patch = valid(&mut random, &before, &after);
        for _ in 0..=random.below(4) {
            damage(&mut random, &mut patch);
        }
        let Ok(read) = Patch::parse(&patch) else { continue };
        parsed += 1;
        for file in &read.files {
            let Ok(result) = apply_file(&before, file) else { continue };
            assert!(result.len() <= before.len() + 2 * patch.len() + 4);
            applied += 1;
        }
    }
    assert!(parsed > 10_000 && applied > 4_000, "{parsed} parsed, {applied} applied");
}

fn quick(name: &str, patch: &[u8], base: &[u8]) {
    let start = Instant::now();
    if let Ok(patch) = Patch::parse(patch) {
        patch.files.iter().take(3).for_each(|file| drop(apply_file(base, file)));
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
}

#[test]
fn what_is_made_to_be_slow_or_large() {
    let head = "--- a/x\n+++ b/x\n";
    let base = "a\n".repeat(200_000);
    let cases = [
        ("hunks of one line", format!("{head}{}", "@@ -9 +9 @@\n-b\n+c\n".repeat(300_000))),
        ("hunks that fit everywhere", format!("{head}{}", "@@ -900000,2 +9 @@\n a\n-a\n".repeat(100_000))),
        (
            "a count that never comes",
            format!("{head}{}", "@@ -1,4294967295 +1,4294967295 @@\n a\n".repeat(200_000)),
        ),
        (
            "headers in a hunk",
            format!("{head}@@ -1,9999999 +1,9999999 @@\n{}", "--- a\n+++ b\n".repeat(300_000)),
        ),
        ("empty lines", format!("{head}@@ -1,9999999 +1,9999999 @@\n{}", "\n".repeat(2_000_000))),
        ("files", "diff --git a/x b/x\nnew file mode 100644\n".repeat(250_000)),
        ("marks", format!("*** Begin Patch\n*** Update File: x\n{}", "@@ a\n".repeat(500_000))),
        (
            "anchors",
            format!(
                "*** Begin Patch\n*** Update File: x\n{}*** End Patch\n",
                "@@ a\n@@ b\n-a\n".repeat(100_000)
            ),
        ),
        (
            "appends",
            format!("*** Begin Patch\n*** Update File: x\n{}*** End Patch\n", "@@\n+a\n".repeat(200_000)),
        ),
        ("binary", format!("diff --git a/x b/x\nGIT binary patch\n{}", "literal 1\nx\n\n".repeat(300_000))),
        ("one long line", format!("{head}@@ -1 +1 @@\n-{}\n", "x".repeat(20_000_000))),
        ("quotes", format!("diff --git \"a/{}\n", "\\303".repeat(2_000_000))),
    ];
    for (name, patch) in cases {
        quick(name, patch.as_bytes(), base.as_bytes());
    }
}
