//! A sandbox in a later process, and what happens when it is damaged.

use cleveragents_runtime::domain::{NodeState, RelPath};
use cleveragents_runtime::{Workspace, WorkspaceError, WriteMode};
use cleveragents_testkit::workspace::walk;
use cleveragents_workspace::CopyWorkspace;

use crate::fixture::{Desk, blobs, sh, wait};

#[test]
fn a_later_process_goes_on_from_the_recorded_states() {
    let desk = Desk::new();
    sh(
        &desk.project(),
        "printf 1 > a && printf 2 > b && mkdir d && printf 3 > d/c && ln -s a l && mkfifo pipe && : > z",
    );
    let base = walk(&desk.project());
    drop(desk.open());
    sh(&desk.project(), "printf changed > a && rm -r d");
    sh(
        &desk.sandbox().join("tree"),
        "rm -rf d l && printf junk > a && mkdir -p junk/x && chmod 600 b && printf x > z",
    );
    let workspace = CopyWorkspace::reopen(&desk.project(), &desk.sandbox()).unwrap();
    let path = |text: &str| RelPath::from_text(text).unwrap();
    wait(async {
        assert!(
            matches!(workspace.begin().await, Err(WorkspaceError::Unsettled)),
            "not before it is restored"
        );
        let blobs = blobs();
        let missing = [(path("new"), Some(NodeState::file(b"unknown", 0o644)))];
        assert!(matches!(workspace.restore(&missing, blobs.clone()).await, Err(WorkspaceError::Blob(_))));
        blobs.put(&mut &b"#!x"[..]).unwrap();
        let states = [(path("new"), Some(NodeState::file(b"#!x", 0o755))), (path("b"), None)];
        workspace.restore(&states, blobs.clone()).await.unwrap();
        let mut wanted = base.clone();
        wanted.remove(&b"pipe"[..]);
        wanted.remove(&b"b"[..]);
        wanted.insert(b"new".to_vec(), ('f', 0o755, b"#!x".to_vec()));
        assert_eq!(walk(&workspace.info().location), wanted);
        let attempt = workspace.begin().await.unwrap();
        attempt.command_root().unwrap();
        let capture = attempt.capture().await.unwrap();
        assert!(
            capture.effects.is_empty() && capture.outside.is_empty(),
            "the pipe is remembered: {capture:?}"
        );
        attempt.discard().await.unwrap();
        let attempt = workspace.begin().await.unwrap();
        attempt.files().write(&path("pipe"), b"x", None, WriteMode::CreateNew).unwrap();
        let capture = attempt.capture().await.unwrap();
        assert_eq!(
            capture.effects[0].before.as_ref().unwrap().kind,
            cleveragents_runtime::domain::NodeKind::Special
        );
        attempt.discard().await.unwrap();
        assert_eq!(walk(&workspace.info().location), wanted);
    });
}

#[test]
fn damage_is_told_in_words() {
    for (damage, words) in [
        ("rm MARKER", "not a sandbox"),
        ("rm base/manifest", "No such file"),
        ("truncate -s -1 base/manifest", "manifest is torn"),
        ("printf x | dd of=base/manifest bs=1 seek=60 conv=notrunc 2>/dev/null", "manifest is torn"),
        ("for p in base/pack-*; do : > $p; done", "of the base is torn"),
    ] {
        let desk = Desk::new();
        sh(&desk.project(), "printf content > a");
        drop(desk.open());
        sh(&desk.sandbox(), damage);
        match CopyWorkspace::reopen(&desk.project(), &desk.sandbox()) {
            Err(WorkspaceError::Damaged(text)) => assert!(text.contains(words), "{damage}: {text}"),
            other => panic!("{damage}: {other:?}"),
        }
    }
}

#[test]
fn a_changed_pack_never_becomes_content() {
    let desk = Desk::new();
    sh(&desk.project(), "printf content > a");
    drop(desk.open());
    sh(&desk.sandbox(), "for p in base/pack-*; do test -s $p && printf CONTENT > $p; done; rm tree/a");
    let workspace = CopyWorkspace::reopen(&desk.project(), &desk.sandbox()).unwrap();
    let result = wait(workspace.restore(&[], blobs()));
    assert!(matches!(result, Err(WorkspaceError::Damaged(_))), "{result:?}");
}
