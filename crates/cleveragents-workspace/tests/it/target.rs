//! No clobber, and what no target takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cleveragents_runtime::domain::{BlobError, Blobs, Digest, NetChange, NodeState, RelPath, RootId};
use cleveragents_runtime::{Check, Target, TargetError};
use cleveragents_testkit::workspace::walk;
use cleveragents_workspace::{DirectoryTarget, Fate, StepObserver};

use crate::fixture::{Desk, blobs, sh, wait};
use crate::transition::Way;

const TOKEN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

fn change(path: &str, before: Option<NodeState>, after: Option<NodeState>) -> NetChange {
    NetChange { root: RootId::project(), path: RelPath::from_text(path).unwrap(), before, after }
}

#[test]
fn what_a_person_did_since_is_a_conflict_and_nothing_is_written() {
    let make = "printf 1 > a; printf 2 > b; mkdir d; printf 3 > d/f; printf 4 > g";
    let edit = "printf 11 > a; rm b; rm -r d; mkdir n; printf x > n/x; chmod 600 g";
    for (by_hand, path, words) in [
        ("printf mine > a", "a", "changed since"),
        ("rm a", "a", "deleted since"),
        ("chmod 700 a", "a", "mode was changed"),
        ("rm a; mkdir a", "a", "another kind"),
        ("printf mine > b", "b", "changed since"),
        ("printf mine > d/own", "d", "holds own"),
        ("mkdir d/.git", "d", "holds .git"),
        ("mkdir -m 700 n", "n", "made here since"),
        ("printf mine > n", "n", "made here since"),
        ("mv d elsewhere; ln -s elsewhere d", "d", "another kind"),
        ("chmod 640 g", "g", "mode was changed"),
    ] {
        let way = Way::new(make, edit);
        sh(&way.desk.project(), by_hand);
        let there = walk(&way.desk.project());
        let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
        wait(async {
            let conflicts = target.check(&way.net, Check::Before).await.unwrap();
            let found = conflicts.iter().find(|c| c.path.to_text() == path);
            assert!(found.is_some_and(|c| c.reason.contains(words)), "{by_hand}: {conflicts:?}");
            let written = target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN).await;
            let refused = matches!(written, Err(TargetError::Write { undone: true, .. }));
            assert!(refused, "{by_hand}: {written:?}");
        });
        assert_eq!(walk(&way.desk.project()), there, "{by_hand}");
    }
}

/// Edits a file by hand at the first step after the staging.
struct LateEdit(std::path::PathBuf, AtomicBool);

impl StepObserver for LateEdit {
    fn step(&self, number: u64) -> Fate {
        if number == 2 && !self.1.swap(true, Ordering::Relaxed) {
            std::fs::write(&self.0, "late").unwrap();
        }
        Fate::Go
    }
}

#[test]
fn an_edit_during_the_write_is_not_lost() {
    let way = Way::new("printf 1 > a; printf 2 > b; printf 3 > c", "printf 11 > a; printf 22 > b; rm c");
    let late = Arc::new(LateEdit(way.desk.project().join("b"), AtomicBool::new(false)));
    let target = DirectoryTarget::observed(&way.desk.project(), &way.desk.lock(), late).unwrap();
    let error = wait(target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN)).unwrap_err();
    assert!(
        matches!(&error, TargetError::Write { undone: true, path: Some(p), .. } if p.to_text() == "b"),
        "{error}"
    );
    let mut wanted = way.base.clone();
    wanted.insert(b"b".to_vec(), ('f', 0o644, b"late".to_vec()));
    assert_eq!(walk(&way.desk.project()), wanted);
}

#[test]
fn hard_links_are_no_late_edits() {
    let way = Way::new("printf 1 > a; ln a b; ln a c", "rm a; printf x > d; rm b; printf 2 > b; chmod 600 c");
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    wait(target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN)).unwrap();
    assert_eq!(walk(&way.desk.project()), way.tree);
}

#[test]
fn nothing_is_written_through_a_link_above() {
    let desk = Desk::new();
    sh(&desk.project(), "mkdir ../outside && ln -s ../outside d");
    let target = DirectoryTarget::open(&desk.project(), &desk.lock()).unwrap();
    let blobs = blobs();
    blobs.put(&mut &b"x"[..]).unwrap();
    let changes = [change("d/new", None, Some(NodeState::file(b"x", 0o644)))];
    wait(async {
        let conflicts = target.check(&changes, Check::Before).await.unwrap();
        assert!(conflicts[0].reason.contains("not a directory"), "{conflicts:?}");
        assert!(target.write(&changes, Check::Before, blobs, TOKEN).await.is_err());
    });
    sh(&desk.project(), "test -z \"$(ls -A ../outside)\" && test \"$(ls -A)\" = d");
}

#[test]
fn git_and_devices_are_refused_and_missing_content_stops_everything() {
    let desk = Desk::new();
    let target = DirectoryTarget::open(&desk.project(), &desk.lock()).unwrap();
    let file = || Some(NodeState::file(b"x", 0o644));
    wait(async {
        for bad in [
            change(".git/hooks/pre-commit", None, file()),
            change("sub/.GIT", None, Some(NodeState::directory(0o755))),
            change("null", None, Some(NodeState::special(0o666))),
            change("pipe", Some(NodeState::special(0o666)), None),
        ] {
            let checked = target.check(std::slice::from_ref(&bad), Check::Before).await;
            assert!(matches!(checked, Err(TargetError::Refused { .. })), "{checked:?}");
            let written = target.write(&[bad], Check::Before, blobs(), TOKEN).await;
            assert!(matches!(written, Err(TargetError::Refused { .. })), "{written:?}");
        }
        let kept = blobs();
        kept.put(&mut &b"y"[..]).unwrap();
        let changes = [change("a", None, Some(NodeState::file(b"y", 0o644))), change("b", None, file())];
        assert!(matches!(
            target.write(&changes, Check::Before, kept, TOKEN).await,
            Err(TargetError::Blob(_))
        ));
    });
    assert!(walk(&desk.project()).is_empty());
}

#[test]
fn one_process_writes_at_a_time() {
    let way = Way::new("printf 1 > a", "printf 2 > a");
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    let lock = std::fs::File::create(way.desk.lock()).unwrap();
    lock.lock().unwrap();
    let busy = wait(target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN));
    assert!(matches!(busy, Err(TargetError::Busy)), "{busy:?}");
    lock.unlock().unwrap();
    wait(target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN)).unwrap();
    assert_eq!(walk(&way.desk.project()), way.tree);
}

#[test]
fn owners_of_replaced_files_stay() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let way = Way::new("printf 1 > a", "printf 2 > a");
    sh(&way.desk.project(), "chown 65534:65534 a");
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    wait(target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN)).unwrap();
    sh(&way.desk.project(), "test $(stat -c %u:%g a) = 65534:65534");
}

#[test]
fn a_path_that_somebody_else_brought_to_the_same_state_is_not_ours() {
    // Two plans with one edit in common: the second must not believe that it made it, or both would take it back.
    let way = Way::new("printf 1 > a; printf 1 > b", "printf 2 > a; printf 2 > b");
    sh(&way.desk.project(), "printf 2 > a");
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    let before = walk(&way.desk.project());
    let error = wait(target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN)).unwrap_err();
    assert!(matches!(&error, TargetError::Write { undone: true, .. }), "{error}");
    assert_eq!(walk(&way.desk.project()), before);
    wait(target.write(&way.net, Check::BeforeOrAfter, way.blobs.clone(), TOKEN)).unwrap();
    sh(&way.desk.project(), "test $(cat a b) = 22");
}

#[test]
fn only_the_same_plans_leftovers_are_removed() {
    let make = "mkdir d; printf 1 > a; printf 1 > d/f";
    let own = [".agents-01ARZ3NDEKTSV4RRFFQ69G5FAV-0", ".agents-01ARZ3NDEKTSV4RRFFQ69G5FAVR-12"];
    let foreign = [
        ".agents-01BX5ZZKBKACTAV9WEVGEMMVRZ-0",
        ".agents-01BX5ZZKBKACTAV9WEVGEMMVRZR-0",
        ".agents-01ARZ3NDEKTSV4RRFFQ69G5FAV-notes",
        ".agents-01ARZ3NDEKTSV4RRFFQ69G5FAVX-0",
        ".agents-01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ];
    for token in [TOKEN.to_owned(), format!("{TOKEN}R")] {
        let way = Way::new(make, "printf 2 > a; printf 2 > d/f");
        for name in own.iter().chain(&foreign) {
            sh(&way.desk.project(), &format!("printf x > {name}; printf x > d/{name}"));
        }
        let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
        wait(target.write(&way.net, Check::Before, way.blobs.clone(), &token)).unwrap();
        let tree = walk(&way.desk.project());
        for dir in ["", "d/"] {
            let stands = &|name: &&str| tree.contains_key(format!("{dir}{name}").as_bytes());
            assert!(foreign.iter().all(stands), "{:?}", tree.keys());
            assert!(!own.iter().any(stands), "{:?}", tree.keys());
        }
    }
}

#[test]
fn a_path_of_the_changes_is_no_leftover_whatever_its_name() {
    let name = format!(".agents-{TOKEN}-7");
    let way =
        Way::new(&format!("printf 1 > a; printf 1 > {name}"), &format!("printf 2 > a; printf 2 > {name}"));
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    wait(async {
        target.write(&way.net, Check::Before, way.blobs.clone(), TOKEN).await.unwrap();
        target.write(&way.net, Check::BeforeOrAfter, way.blobs.clone(), TOKEN).await.unwrap();
        assert_eq!(walk(&way.desk.project()), way.tree);
    });
}

#[test]
fn a_foreign_leftover_in_a_directory_that_must_go_is_named() {
    let way = Way::new("mkdir d; printf 1 > d/f; printf 1 > a", "rm -r d; printf 2 > a");
    let name = ".agents-01BX5ZZKBKACTAV9WEVGEMMVRZ-0";
    sh(&way.desk.project(), &format!("printf precious > d/{name}"));
    let there = walk(&way.desk.project());
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    wait(async {
        let conflicts = target.check(&way.net, Check::Before).await.unwrap();
        assert!(conflicts.iter().any(|c| c.reason.contains(name)), "{conflicts:?}");
        for accept in [Check::Before, Check::BeforeOrAfter] {
            let error = target.write(&way.net, accept, way.blobs.clone(), TOKEN).await.unwrap_err();
            assert!(matches!(error, TargetError::Write { undone: true, .. }), "{error:?}");
            assert!(error.to_string().contains(name), "{error}");
            assert_eq!(walk(&way.desk.project()), there);
        }
    });
}

/// A store without one content.
struct Without(Arc<dyn Blobs>, Digest);

impl Blobs for Without {
    fn put(&self, content: &mut dyn std::io::Read) -> Result<(Digest, u64), BlobError> {
        self.0.put(content)
    }
    fn open(&self, digest: &Digest) -> Result<Box<dyn std::io::Read + Send>, BlobError> {
        if *digest == self.1 { Err(BlobError::Missing(*digest)) } else { self.0.open(digest) }
    }
    fn contains(&self, digest: &Digest) -> Result<bool, BlobError> {
        Ok(*digest != self.1 && self.0.contains(digest)?)
    }
}

#[test]
fn no_error_of_a_write_that_goes_on_hides_that_it_had_begun() {
    // Half of it is done already. Then: a content is missing, forwards or both ways; a leftover cannot be removed; the
    // lock cannot be had.
    let half = || {
        let way = Way::new("printf 1 > a; printf 2 > b", "printf 11 > a; printf 22 > b");
        sh(&way.desk.project(), "printf 11 > a");
        way
    };
    let write = |way: &Way, lock: &std::path::Path, blobs: Arc<dyn Blobs>| {
        let target = DirectoryTarget::open(&way.desk.project(), lock).unwrap();
        wait(target.write(&way.net, Check::BeforeOrAfter, blobs, TOKEN)).unwrap_err()
    };
    let way = half();
    let error = write(&way, &way.desk.lock(), Arc::new(Without(way.blobs.clone(), Digest::of(b"22"))));
    assert!(matches!(error, TargetError::Write { undone: true, .. }), "{error}");
    assert_eq!(walk(&way.desk.project()), way.base, "taken back");

    let way = half();
    let there = walk(&way.desk.project());
    let error = write(&way, &way.desk.lock(), blobs());
    assert!(matches!(error, TargetError::Write { undone: false, .. }), "{error}");
    assert_eq!(walk(&way.desk.project()), there);

    let way = half();
    sh(&way.desk.project(), &format!("mkdir .agents-{TOKEN}-1 && : > .agents-{TOKEN}-1/mine"));
    let there = walk(&way.desk.project());
    let error = write(&way, &way.desk.lock(), way.blobs.clone());
    assert!(matches!(error, TargetError::Write { undone: false, .. }), "{error}");
    assert!(error.to_string().contains(".agents-"), "{error}");
    assert_eq!(walk(&way.desk.project()), there);

    let way = half();
    let error = write(&way, &way.desk.lock().join("nowhere"), way.blobs.clone());
    assert!(matches!(error, TargetError::Write { undone: false, .. }), "{error}");
}

#[test]
fn a_write_that_goes_on_but_never_began_says_that_all_is_as_before() {
    let way = Way::new("printf 1 > a", "printf 11 > a");
    let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
    let without = || Arc::new(Without(way.blobs.clone(), Digest::of(b"11")));
    let error = wait(target.write(&way.net, Check::BeforeOrAfter, without(), TOKEN)).unwrap_err();
    assert!(matches!(error, TargetError::Write { undone: true, .. }), "{error:?}");
    let error = wait(target.write(&way.net, Check::Before, without(), TOKEN)).unwrap_err();
    assert!(matches!(error, TargetError::Blob(_)), "{error:?}");
}
