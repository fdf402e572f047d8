//! What every `Workspace` promises, beside law L1.

use std::any::Any;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cleveragents_domain::{InMemoryJournal, NodeKind, Operation, RelPath};
use cleveragents_runtime::{Attempt, Effect, FileError, Workspace, WorkspaceError, WriteMode};

use super::oracle::walk;

/// A workspace over a project, with whatever must live as long.
pub struct Fixture {
    /// The workspace.
    pub workspace: Box<dyn Workspace>,
    /// Its project.
    pub project: PathBuf,
    /// Temporary folders and the like.
    pub guard: Box<dyn Any>,
}

/// Opens a workspace over a project that the given function has filled.
pub type Factory<'a> = &'a dyn Fn(&dyn Fn(&Path)) -> Fixture;

fn path(text: &str) -> RelPath {
    RelPath::from_text(text).unwrap()
}

fn fill(project: &Path) {
    std::fs::write(project.join("a.txt"), "one\n").unwrap();
    std::fs::write(project.join("run.sh"), "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(project.join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir_all(project.join("dir/sub")).unwrap();
    std::fs::write(project.join("dir/sub/b"), "b").unwrap();
    symlink("dir", project.join("inside")).unwrap();
    symlink("/etc", project.join("absolute")).unwrap();
    symlink("../..", project.join("dir/out")).unwrap();
    std::fs::create_dir(project.join(".git")).unwrap();
    std::fs::write(project.join(".git/config"), "[core]\n\thooksPath = evil\n").unwrap();
}

fn write(attempt: &dyn Attempt, text: &str, content: &str) {
    attempt.files().write(&path(text), content.as_bytes(), None, WriteMode::CreateOrReplace).unwrap();
}

fn summary(effects: &[Effect]) -> Vec<(String, Operation)> {
    effects.iter().map(|e| (e.path.to_text(), e.operation().unwrap())).collect()
}

/// Checks all of it.
pub async fn contract(factory: Factory<'_>) {
    effects_are_what_happened(factory).await;
    links_lead_nowhere_else(factory).await;
    refusals_change_nothing(factory).await;
    git_is_protected(factory).await;
    one_attempt_at_a_time(factory).await;
    a_dropped_attempt_must_be_settled(factory).await;
    outside_edits_are_told_apart(factory).await;
    the_project_is_not_looked_at_again(factory).await;
}

async fn effects_are_what_happened(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let attempt = fixture.workspace.begin().await.unwrap();
    let files = attempt.files();
    write(&*attempt, "new/deep/file", "x");
    write(&*attempt, "run.sh", "#!/bin/bash\n");
    write(&*attempt, "a.txt", "one\n");
    files.write(&path("empty"), b"", None, WriteMode::CreateNew).unwrap();
    files.rename(&path("dir/sub"), &path("moved"), false).unwrap();
    assert_eq!(files.info(&path("run.sh")).unwrap().unwrap().mode, 0o755, "the mode stays");
    let capture = attempt.capture().await.unwrap();
    let expected = [
        ("dir/sub", Operation::Delete),
        ("dir/sub/b", Operation::Delete),
        ("empty", Operation::Create),
        ("moved", Operation::Create),
        ("moved/b", Operation::Create),
        ("new", Operation::Create),
        ("new/deep", Operation::Create),
        ("new/deep/file", Operation::Create),
        ("run.sh", Operation::Modify),
    ];
    assert_eq!(summary(&capture.effects), expected.map(|(p, o)| (p.to_owned(), o)));
    assert!(
        matches!(files.info(&path("a.txt")), Err(FileError::Ended)),
        "what is captured cannot change any more"
    );
    attempt.keep().await.unwrap();
    assert!(matches!(files.info(&path("a.txt")), Err(FileError::Ended)));
    let again = fixture.workspace.begin().await.unwrap();
    assert!(again.capture().await.unwrap().effects.is_empty(), "what was kept is not found again");
    again.keep().await.unwrap();
    fixture.workspace.close().await.unwrap();
    assert!(!fixture.workspace.info().location.exists());
}

async fn links_lead_nowhere_else(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let attempt = fixture.workspace.begin().await.unwrap();
    let files = attempt.files();
    for bad in ["absolute/passwd", "dir/out/x", "absolute"] {
        let read = files.read(&path(bad), 0, 10);
        assert!(matches!(read, Err(FileError::Escapes { .. })), "{bad}: {read:?}");
        let write = files.write(&path(bad), b"x", None, WriteMode::CreateOrReplace);
        assert!(matches!(write, Err(FileError::Escapes { .. })), "{bad}: {write:?}");
    }
    for bad in ["absolute/x", "dir/out/x"] {
        assert!(matches!(files.remove(&path(bad), true), Err(FileError::Escapes { .. })), "{bad}");
        assert!(matches!(files.create_dir(&path(bad)), Err(FileError::Escapes { .. })), "{bad}");
        assert!(matches!(files.create_symlink(&path(bad), b"y"), Err(FileError::Escapes { .. })), "{bad}");
        let renamed = files.rename(&path("a.txt"), &path(bad), true);
        assert!(matches!(renamed, Err(FileError::Escapes { .. })), "{bad}");
    }
    assert_eq!(files.read_link(&path("absolute")).unwrap(), b"/etc");
    assert_eq!(files.read(&path("inside/sub/b"), 0, 10).unwrap(), b"b", "a link inside is followed");
    write(&*attempt, "inside/sub/b", "c");
    files.remove(&path("inside"), false).unwrap();
    let capture = attempt.capture().await.unwrap();
    let expected = [("dir/sub/b", Operation::Modify), ("inside", Operation::Delete)];
    assert_eq!(
        summary(&capture.effects),
        expected.map(|(p, o)| (p.to_owned(), o)),
        "the resolved path is the one"
    );
    attempt.discard().await.unwrap();
}

async fn refusals_change_nothing(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let attempt = fixture.workspace.begin().await.unwrap();
    let files = attempt.files();
    let exists = files.write(&path("a.txt"), b"x", None, WriteMode::CreateNew);
    assert!(matches!(exists, Err(FileError::Exists(_))));
    assert!(matches!(files.remove(&path("dir"), false), Err(FileError::NotEmpty(_))));
    assert!(matches!(files.remove(&path("nothing"), true), Err(FileError::NotFound(_))));
    assert!(matches!(files.rename(&path("a.txt"), &path("run.sh"), false), Err(FileError::Exists(_))));
    assert!(matches!(files.rename(&path("a.txt"), &path("dir"), true), Err(FileError::WrongKind { .. })));
    assert!(files.rename(&path("dir"), &path("dir/sub/dir"), false).is_err(), "a directory into itself");
    assert!(matches!(files.create_symlink(&path("a.txt"), b"y"), Err(FileError::Exists(_))));
    assert!(matches!(files.create_dir(&path("a.txt")), Err(FileError::WrongKind { .. })));
    assert!(matches!(files.read(&path("dir"), 0, 1), Err(FileError::WrongKind { .. })));
    files.rename(&path("a.txt"), &path("./a.txt"), true).unwrap();
    let capture = attempt.capture().await.unwrap();
    assert_eq!(summary(&capture.effects), []);
    attempt.keep().await.unwrap();
}

async fn git_is_protected(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let config = std::fs::read_to_string(fixture.workspace.info().location.join(".git/config")).unwrap();
    assert!(!config.contains("evil"), "{config}");
    let attempt = fixture.workspace.begin().await.unwrap();
    let files = attempt.files();
    for bad in [".git/hooks/pre-commit", ".GIT/config", "dir/.Git/x", ".git"] {
        let write = files.write(&path(bad), b"x", None, WriteMode::CreateOrReplace);
        assert!(matches!(write, Err(FileError::Protected(_))), "{bad}: {write:?}");
        assert!(matches!(files.remove(&path(bad), true), Err(FileError::Protected(_))), "{bad}");
        assert!(
            matches!(files.rename(&path("a.txt"), &path(bad), true), Err(FileError::Protected(_))),
            "{bad}"
        );
        assert!(matches!(files.create_symlink(&path(bad), b"x"), Err(FileError::Protected(_))), "{bad}");
    }
    let root = attempt.command_root().unwrap().sandbox;
    std::fs::write(root.join(".git/HEAD"), "changed").unwrap();
    std::fs::create_dir_all(root.join("nested/.git")).unwrap();
    let capture = attempt.capture().await.unwrap();
    assert_eq!(summary(&capture.effects), [("nested".to_owned(), Operation::Create)]);
    attempt.keep().await.unwrap();
}

async fn one_attempt_at_a_time(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let first = fixture.workspace.begin().await.unwrap();
    let waiting = tokio::time::timeout(Duration::from_millis(50), fixture.workspace.begin()).await;
    assert!(waiting.is_err(), "a second attempt waits");
    write(&*first, "a.txt", "two\n");
    first.keep().await.unwrap();
    assert!(first.capture().await.is_err(), "an attempt ends once");
    let second = fixture.workspace.begin().await.unwrap();
    assert_eq!(second.files().read(&path("a.txt"), 0, 9).unwrap(), b"two\n");
    second.discard().await.unwrap();
}

async fn a_dropped_attempt_must_be_settled(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let base = walk(&fixture.project);
    let kept = fixture.workspace.begin().await.unwrap();
    write(&*kept, "kept", "k");
    let capture = kept.capture().await.unwrap();
    kept.keep().await.unwrap();
    let place = fixture.workspace.info().location;
    let wanted = walk(&place);
    let dropped = fixture.workspace.begin().await.unwrap();
    let files = dropped.files();
    files.remove(&path("dir"), true).unwrap();
    drop(dropped);
    assert!(matches!(files.list(None), Err(FileError::Ended)));
    assert!(matches!(fixture.workspace.begin().await, Err(WorkspaceError::Unsettled)));
    assert!(matches!(fixture.workspace.sweep().await, Err(WorkspaceError::Unsettled)));
    let states: Vec<_> = capture.effects.iter().map(|e| (e.path.clone(), e.after.clone())).collect();
    let blobs = Arc::new(InMemoryJournal::new());
    let changed = fixture.workspace.restore(&states, blobs.clone()).await.unwrap();
    assert!(changed.contains(&path("dir/sub/b")), "{changed:?}");
    assert_eq!(walk(&place), wanted);
    assert_eq!(fixture.workspace.restore(&states, blobs.clone()).await.unwrap(), [], "nothing is left to do");
    fixture.workspace.restore(&[], blobs).await.unwrap();
    assert_eq!(walk(&place), base);
    fixture.workspace.begin().await.unwrap().keep().await.unwrap();
}

async fn outside_edits_are_told_apart(factory: Factory<'_>) {
    let fixture = factory(&fill);
    let place = fixture.workspace.info().location;
    // Found when a path is first touched.
    std::fs::write(place.join("a.txt"), "straggler\n").unwrap();
    let attempt = fixture.workspace.begin().await.unwrap();
    write(&*attempt, "a.txt", "ours\n");
    let capture = attempt.capture().await.unwrap();
    assert_eq!(summary(&capture.outside), [("a.txt".to_owned(), Operation::Modify)]);
    assert_eq!(capture.effects[0].before, capture.outside[0].after);
    attempt.discard().await.unwrap();
    assert_eq!(
        std::fs::read(place.join("a.txt")).unwrap(),
        b"straggler\n",
        "what is outside is not taken back"
    );
    // Found by a sweep.
    std::fs::write(place.join("late"), "x").unwrap();
    assert_eq!(summary(&fixture.workspace.sweep().await.unwrap()), [("late".to_owned(), Operation::Create)]);
    assert_eq!(summary(&fixture.workspace.sweep().await.unwrap()), []);
    // Found before every later attempt once a command is distrusted.
    let attempt = fixture.workspace.begin().await.unwrap();
    attempt.command_root().unwrap();
    attempt.distrust();
    attempt.keep().await.unwrap();
    std::fs::remove_file(place.join("late")).unwrap();
    let attempt = fixture.workspace.begin().await.unwrap();
    attempt.command_root().unwrap();
    let capture = attempt.capture().await.unwrap();
    assert_eq!(summary(&capture.outside), [("late".to_owned(), Operation::Delete)]);
    assert_eq!(summary(&capture.effects), []);
    attempt.keep().await.unwrap();
}

async fn the_project_is_not_looked_at_again(factory: Factory<'_>) {
    let fixture = factory(&fill);
    std::fs::write(fixture.project.join("a.txt"), "the user's\n").unwrap();
    let attempt = fixture.workspace.begin().await.unwrap();
    write(&*attempt, "a.txt", "ours\n");
    let capture = attempt.capture().await.unwrap();
    let before = capture.effects[0].before.clone().unwrap();
    assert_eq!(before, cleveragents_domain::NodeState::file(b"one\n", before.mode), "the pinned state");
    assert_eq!(before.kind, NodeKind::File);
    attempt.discard().await.unwrap();
    assert_eq!(std::fs::read(fixture.workspace.info().location.join("a.txt")).unwrap(), b"one\n");
}
