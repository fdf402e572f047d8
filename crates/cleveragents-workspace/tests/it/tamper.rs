//! What an unconfined command may do to the sandbox itself, and that nothing outside is changed for it.

use std::os::unix::fs::PermissionsExt;

use cleveragents_runtime::domain::{NodeState, RelPath};
use cleveragents_runtime::{Workspace, WorkspaceError, WriteMode};
use cleveragents_testkit::workspace::walk;
use cleveragents_workspace::CopyWorkspace;

use crate::fixture::{Desk, blobs, sh, wait};

#[test]
fn a_link_in_the_place_of_a_part_leads_a_later_process_nowhere() {
    for part in ["tree", "trash", "base", "kept", "alive"] {
        let desk = Desk::new();
        sh(&desk.project(), "printf mine > a; printf mine > manifest");
        let theirs = walk(&desk.project());
        drop(desk.open());
        let to = if matches!(part, "kept" | "alive") { "../project/a" } else { "../project" };
        sh(&desk.sandbox(), &format!("rm -r {part}; ln -s {to} {part}"));
        let states = [(RelPath::from_text("a").unwrap(), Some(NodeState::file(b"ours", 0o600)))];
        let blobs = blobs();
        blobs.put(&mut &b"ours"[..]).unwrap();
        match CopyWorkspace::reopen(&desk.project(), &desk.sandbox()) {
            Err(error) => assert!(matches!(error, WorkspaceError::Damaged(_)), "{part}: {error}"),
            // What holds nothing of worth is made anew.
            Ok(workspace) => {
                assert!(matches!(part, "kept" | "alive"), "{part}");
                wait(workspace.restore(&states, blobs)).unwrap();
            }
        }
        assert_eq!(walk(&desk.project()), theirs, "{part}");
    }
}

#[test]
fn what_is_kept_is_not_written_through_another_name() {
    let desk = Desk::new();
    sh(&desk.project(), "printf 1 > a");
    drop(desk.open());
    sh(&desk.sandbox(), "printf mine > ../mine && ln -f ../mine kept");
    drop(CopyWorkspace::reopen(&desk.project(), &desk.sandbox()).unwrap());
    sh(&desk.sandbox(), "test $(cat ../mine) = mine");
}

#[test]
fn a_tree_that_was_moved_away_is_noticed_at_once() {
    let desk = Desk::new();
    sh(&desk.project(), "printf 1 > a");
    let theirs = walk(&desk.project());
    let workspace = desk.open();
    let damaged = |result: Result<(), WorkspaceError>| {
        assert!(matches!(result, Err(WorkspaceError::Damaged(_))), "{result:?}");
    };
    wait(async {
        let attempt = workspace.begin().await.unwrap();
        attempt.command_root().unwrap();
        sh(&desk.sandbox(), "mv tree away && ln -s ../project tree");
        damaged(attempt.command_root().map(drop));
        damaged(attempt.capture().await.map(drop));
        drop(attempt);
        damaged(workspace.restore(&[], blobs()).await.map(drop));
        sh(&desk.sandbox(), "rm tree && mv away tree");
        workspace.restore(&[], blobs()).await.unwrap();
        sh(&desk.sandbox(), "mv tree away && mkdir tree");
        damaged(workspace.begin().await.map(drop));
    });
    assert_eq!(walk(&desk.project()), theirs);
}

#[test]
fn a_file_with_other_names_is_left_to_them() {
    let path = |text: &str| RelPath::from_text(text).unwrap();
    let desk = Desk::new();
    sh(&desk.project(), "printf 1 > a");
    let victim = desk.project().parent().unwrap().join("victim");
    let untouched = || {
        assert_eq!(std::fs::read(&victim).unwrap(), b"victim");
        assert_eq!(std::fs::metadata(&victim).unwrap().permissions().mode() & 0o7777, 0o640);
    };
    std::fs::write(&victim, "victim").unwrap();
    std::fs::set_permissions(&victim, std::fs::Permissions::from_mode(0o640)).unwrap();
    let workspace = desk.open();
    wait(async {
        let attempt = workspace.begin().await.unwrap();
        let root = attempt.command_root().unwrap().sandbox;
        sh(&root, "ln ../../victim w && ln w m && ln w s && ln w rest && mkdir d && ln w d/w");
        attempt.capture().await.unwrap();
        attempt.keep().await.unwrap();

        let attempt = workspace.begin().await.unwrap();
        let files = attempt.files();
        files.write(&path("w"), b"ours", None, WriteMode::CreateOrReplace).unwrap();
        files.write(&path("d/w"), b"", Some(0o755), WriteMode::CreateOrReplace).unwrap();
        files.set_mode(&path("m"), 0o600).unwrap();
        untouched();
        let capture = attempt.capture().await.unwrap();
        let state = |name: &str| {
            capture.effects.iter().find(|e| e.path == path(name)).unwrap().after.clone().unwrap()
        };
        assert_eq!((capture.effects.len(), capture.outside.len()), (3, 0), "{capture:?}");
        assert_eq!(state("w"), NodeState::file(b"ours", 0o640), "its mode stays");
        assert_eq!(state("d/w"), NodeState::file(b"", 0o755));
        assert_eq!(state("m"), NodeState::file(b"victim", 0o600));
        attempt.keep().await.unwrap();

        // The other names are as they were: a look at the whole tree finds nothing.
        assert!(workspace.sweep().await.unwrap().is_empty());

        // A mode that is put back, under a name whose file others share.
        let attempt = workspace.begin().await.unwrap();
        let root = attempt.command_root().unwrap().sandbox;
        std::fs::set_permissions(root.join("s"), std::fs::Permissions::from_mode(0o644)).unwrap();
        let capture = attempt.capture().await.unwrap();
        assert_eq!(capture.effects.len(), 2, "s and rest: {capture:?}");
        std::fs::set_permissions(&victim, std::fs::Permissions::from_mode(0o604)).unwrap();
        attempt.discard().await.unwrap();
        assert_eq!(std::fs::metadata(&victim).unwrap().permissions().mode() & 0o7777, 0o604);
        let mode = std::fs::metadata(root.join("s")).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode, std::fs::read(root.join("s")).unwrap()), (0o640, b"victim".to_vec()));
    });
}
