//! What a capture costs.

use std::time::{Duration, Instant};

use cleveragents_runtime::domain::RelPath;
use cleveragents_runtime::{Content, Workspace, WriteMode};

use crate::fixture::{Desk, sh, wait};

/// The fastest of many edits in a project of so many files.
fn edit_in(files: usize) -> Duration {
    let desk = Desk::new();
    for n in 0..files {
        let dir = desk.project().join(format!("d{}", n % 40));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(format!("f{n}")), format!("{n}\n")).unwrap();
    }
    let workspace = desk.open();
    let path = RelPath::from_text("d1/f1").unwrap();
    wait(async {
        let mut best = Duration::MAX;
        for n in 0..60 {
            let start = Instant::now();
            let attempt = workspace.begin().await.unwrap();
            attempt
                .files()
                .write(&path, format!("edit {n}\n").as_bytes(), None, WriteMode::CreateOrReplace)
                .unwrap();
            assert_eq!(attempt.capture().await.unwrap().effects.len(), 1);
            attempt.keep().await.unwrap();
            best = best.min(start.elapsed());
        }
        best
    })
}

#[test]
fn an_edit_costs_the_same_in_a_large_project() {
    let (small, large) = (edit_in(500), edit_in(8_000));
    // A look at sixteen times as many files would take at least that much longer.
    assert!(large < small * 4, "{small:?} with 500 files, {large:?} with 8,000");
}

#[test]
fn large_contents_are_streamed() {
    let desk = Desk::new();
    sh(&desk.project(), "head -c 3000000 /dev/zero > big");
    let workspace = desk.open();
    wait(async {
        let attempt = workspace.begin().await.unwrap();
        let root = attempt.command_root().unwrap().sandbox;
        sh(&root, "printf x >> big; mv big huge");
        let capture = attempt.capture().await.unwrap();
        assert!(matches!(capture.effects[0].before_content, Content::Large(_)));
        assert!(matches!(capture.effects[1].after_content, Content::Large(_)));
        attempt.discard().await.unwrap();
        assert_eq!(std::fs::metadata(root.join("big")).unwrap().len(), 3_000_000);
    });
}
