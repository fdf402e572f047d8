//! What binds an ordinary user, whom permissions keep out.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use cleveragents_runtime::domain::{NetChange, NodeState, RelPath, RootId};
use cleveragents_runtime::{Check, Target, TargetError};
use cleveragents_testkit::workspace::walk;
use cleveragents_workspace::DirectoryTarget;

use crate::fixture::{Desk, as_ordinary_user, blobs, sh, wait};
use crate::transition::Way;

const TOKEN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// Everything that a changed permission, even for a moment, leaves behind.
fn times(root: &Path) -> Vec<(String, u32, i64, i64)> {
    let list = std::process::Command::new("find").arg(root).output().unwrap();
    let paths = String::from_utf8(list.stdout).unwrap();
    let one = |path: &str| {
        let m = std::fs::symlink_metadata(path).unwrap();
        (path.to_owned(), m.mode(), m.ctime(), m.ctime_nsec())
    };
    paths.lines().map(one).collect()
}

#[test]
fn looking_changes_nothing_and_says_what_it_cannot_see() {
    if !as_ordinary_user("user::looking_changes_nothing_and_says_what_it_cannot_see") {
        return;
    }
    for (close, words) in [
        ("chmod 000 d/f", "cannot be read"),
        ("chmod 000 d", "cannot be read"),
        ("chmod 300 d", "cannot be read"),
        ("chmod 500 d", "the directory d is not writable"),
        ("chmod 500 .", "the project's directory is not writable"),
        ("chmod 300 gone", "cannot be read"),
        ("chmod 000 gone", "cannot be read"),
    ] {
        let way = Way::new(
            "mkdir d gone; printf 1 > d/f; printf 1 > gone/x; printf 1 > t",
            "printf 2 > d/f; printf 2 > t; rm -r gone",
        );
        let project = way.desk.project();
        // Beside the changes: the mode of what they are about is part of the comparison anyway.
        let changes: Vec<NetChange> = way
            .net
            .iter()
            .filter(|c| !(close.contains("d/f") && c.path.to_text() != "d/f"))
            .cloned()
            .collect();
        sh(&project, close);
        let before = times(&project);
        let target = DirectoryTarget::open(&project, &way.desk.lock()).unwrap();
        wait(async {
            for check in [Check::Before, Check::BeforeOrAfter] {
                let conflicts = target.check(&changes, check).await.unwrap();
                let said = conflicts.iter().any(|c| c.reason.contains(words));
                let moded = conflicts.iter().any(|c| c.reason.contains("mode was changed"));
                assert!(said || (close.contains("gone") && moded), "{close}: {conflicts:?}");
            }
            if words.contains("read") && !close.contains("300") {
                let differing = target.read_back(&changes).await.unwrap();
                assert!(differing.iter().any(|c| c.reason.contains(words)), "{close}: {differing:?}");
            }
            assert_eq!(times(&project), before, "{close}");
            let error = target.write(&changes, Check::Before, way.blobs.clone(), TOKEN).await.unwrap_err();
            assert!(!matches!(error, TargetError::Write { undone: false, .. }), "{close}: {error}");
            assert_eq!(times(&project), before, "{close}");
        });
        sh(&project, "chmod 700 . d gone");
    }
}

#[test]
fn a_state_that_could_not_be_read_back_is_a_conflict() {
    if !as_ordinary_user("user::a_state_that_could_not_be_read_back_is_a_conflict") {
        return;
    }
    let desk = Desk::new();
    let blobs = blobs();
    blobs.put(&mut &b"x"[..]).unwrap();
    let new = |path: &str, state: NodeState| NetChange {
        root: RootId::project(),
        path: RelPath::from_text(path).unwrap(),
        before: None,
        after: Some(state),
    };
    let target = DirectoryTarget::open(&desk.project(), &desk.lock()).unwrap();
    for changes in [
        vec![new("f", NodeState::file(b"x", 0o200))],
        vec![new("d", NodeState::directory(0o600)), new("d/f", NodeState::file(b"x", 0o644))],
    ] {
        let conflicts = wait(target.check(&changes, Check::Before)).unwrap();
        assert!(conflicts[0].reason.contains("could not be read back"), "{conflicts:?}");
        let error = wait(target.write(&changes, Check::Before, blobs.clone(), TOKEN)).unwrap_err();
        assert!(matches!(error, TargetError::Write { undone: true, .. }), "{error}");
        assert!(walk(&desk.project()).is_empty());
    }
}

#[test]
fn a_closed_directory_that_is_part_of_the_changes_is_written() {
    if !as_ordinary_user("user::a_closed_directory_that_is_part_of_the_changes_is_written") {
        return;
    }
    let way = Way::new(
        "mkdir -p a/deep b c; printf 1 > a/deep/f; printf 1 > b/f; chmod 555 a/deep a b",
        "chmod -R u+w a b; rm -r a; printf 2 > b/f; chmod 550 b; printf 3 > c/n; chmod 500 c",
    );
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    wait(async {
        for (changes, wanted) in [(&way.net, &way.tree), (&way.reversed(), &way.base)] {
            assert_eq!(target.check(changes, Check::Before).await.unwrap(), []);
            target.write(changes, Check::Before, way.blobs.clone(), TOKEN).await.unwrap();
            assert_eq!(&walk(&way.desk.project()), wanted);
            assert_eq!(target.read_back(changes).await.unwrap(), []);
        }
    });
    sh(&way.desk.project(), "chmod -R u+rwx .");
}
