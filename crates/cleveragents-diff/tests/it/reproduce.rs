//! Our diff, read by our parser and applied, gives the same bytes: 100,000 random pairs, the same every time.
//!
//! `cargo run --release -p cleveragents-diff --example soak` goes on with as many more as you like.

use cleveragents_diff::{FileChange, Operation, Patch, Side, UnifiedDiff, apply_file, line_counts};

use crate::random::{Random, pair};

fn check(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let mut patch = Vec::new();
    for _ in 0..count {
        let (before, after) = pair(&mut random, 24);
        if before == after {
            continue;
        }
        patch.clear();
        let context = 1 + random.below(3);
        let change = FileChange {
            path: b"x",
            before: Some(Side::file(0o644, &before)),
            after: Some(Side::file(0o644, &after)),
        };
        UnifiedDiff::new().with_context(context).append(&change, &mut patch);
        let shown = || patch.escape_ascii().to_string().replace("\\n", "\n");
        let parsed = Patch::parse(&patch).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
        let [file] = &parsed.files[..] else { panic!("not one file\n{}", shown()) };
        assert_eq!((file.operation, file.path()), (Operation::Modify, &b"x"[..]));
        assert_eq!(file.counts(), line_counts(&before, &after));
        assert!(file.hunks.iter().all(|hunk| hunk.miscount().is_none()), "{}", shown());
        let result = apply_file(&before, file).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
        assert_eq!(result.escape_ascii().to_string(), after.escape_ascii().to_string(), "{}", shown());
    }
}

#[test]
fn the_first_half() {
    check(11, 50_000);
}

#[test]
fn the_second_half() {
    check(12, 50_000);
}
