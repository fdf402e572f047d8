//! Where a project, a sandbox and the state may be.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::CountingClock;
use cleveragents_workspace::{CopyWorkspace, StateHome, check_root, remove_sandbox};

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat, symlinkat};

use crate::fixture::{Desk, sh};

#[test]
fn roots_that_would_swallow_too_much_are_refused() {
    let desk = Desk::new();
    let project = desk.project().canonicalize().unwrap();
    let state = project.parent().unwrap().join("state/not/yet");
    assert_eq!(check_root(&project, None, &state).unwrap(), project);
    let refused = |root: &Path, home: Option<&Path>, state: &Path| {
        let result = check_root(root, home, state);
        assert!(matches!(result, Err(WorkspaceError::Refused(_))), "{result:?}");
    };
    refused(Path::new("/"), None, &state);
    refused(&project, Some(&project.join("../project")), &state);
    refused(&project, None, &project.join("state"));
    refused(&project.join(".."), None, &state);
    refused(&project, None, project.parent().unwrap());
    refused(&project.join("missing"), None, &state);
    std::fs::write(project.join("file"), "").unwrap();
    refused(&project.join("file"), None, &state);
    assert!(matches!(CopyWorkspace::open(&project, &project.join("box")), Err(WorkspaceError::Refused(_))));
    assert!(!project.join("box").exists());
}

#[test]
fn only_marked_directories_are_removed_and_never_through_links() {
    let desk = Desk::new();
    let near = desk.project().parent().unwrap().to_owned();
    sh(
        &near,
        "mkdir precious && printf x > precious/x && ln -s ../precious project/link && ln -s precious plain",
    );
    drop(desk.open());
    sh(&near, "ln -s sandbox alias && ln -s ../../precious sandbox/tree/way && chmod 000 sandbox/tree");
    assert!(!remove_sandbox(&near.join("alias")).unwrap());
    assert!(!remove_sandbox(&near.join("plain")).unwrap());
    assert!(!remove_sandbox(&desk.project()).unwrap());
    assert!(remove_sandbox(&desk.sandbox()).unwrap());
    assert!(!desk.sandbox().exists() && near.join("precious/x").exists());
}

#[test]
fn a_failed_opening_leaves_nothing() {
    let desk = Desk::new();
    std::fs::create_dir(desk.sandbox()).unwrap();
    assert!(CopyWorkspace::open(&desk.project(), &desk.sandbox()).is_err());
    assert!(desk.sandbox().exists(), "what was there is not ours");
    std::fs::remove_dir(desk.sandbox()).unwrap();
    assert!(CopyWorkspace::open(&desk.project().join("missing"), &desk.sandbox()).is_err());
    assert!(!desk.sandbox().exists());
}

#[test]
fn a_project_keeps_its_folder() {
    let desk = Desk::new();
    let near = desk.project().parent().unwrap().to_owned();
    let odd = near.join(std::ffi::OsStr::from_bytes(b"caf\xe9\n"));
    std::fs::create_dir(&odd).unwrap();
    let home = StateHome::new(near.join("state"));
    let clock = CountingClock::default();
    let first = home.project(&odd, &clock).unwrap();
    assert!(!first.replaced());
    assert_eq!(home.project(&odd, &clock).unwrap(), first);
    assert_ne!(home.project(&desk.project(), &clock).unwrap().root(), first.root());
    std::fs::rename(&odd, near.join("away")).unwrap();
    std::fs::create_dir(&odd).unwrap();
    let again = home.project(&odd, &clock).unwrap();
    assert!(again.replaced() && again.root() == first.root());
    assert!(again.sandbox_dir("P").parent().unwrap().is_dir());
    sh(
        &near,
        "test $(stat -c %a state) = 700 && test $(stat -c %a state/projects/*/sandboxes | sort -u) = 700",
    );
    let at = |own: Option<&str>, xdg: Option<&str>| {
        let home = StateHome::locate(own.map(Into::into), xdg.map(Into::into), Some("/h".into()));
        home.unwrap().path().to_str().unwrap().to_owned()
    };
    assert_eq!(at(Some("/own"), Some("/x")), "/own");
    assert_eq!(at(Some("relative"), Some("/x")), "/x/cleveragents");
    assert_eq!(at(None, None), "/h/.local/state/cleveragents");
}

#[test]
fn a_death_while_a_sandbox_is_made_or_removed_does_not_bar_its_name() {
    for (left, ours) in [
        ("mkdir sandbox.new", true),
        ("mkdir sandbox.new && : > sandbox.new/MARKER", true),
        ("mkdir sandbox.new && printf 'cleveragents sandb' > sandbox.new/MARKER", true),
        ("mkdir sandbox.new && printf 'cleveragents sandbox 0\\n' > sandbox.new/MARKER", true),
        ("mkdir sandbox.new && printf mine > sandbox.new/MARKER", false),
        ("mkdir sandbox.new && printf mine > sandbox.new/mine", false),
        ("mkdir elsewhere && ln -s elsewhere sandbox.new", false),
    ] {
        let desk = Desk::new();
        let near = desk.project().parent().unwrap().to_owned();
        sh(&near, left);
        assert!(!remove_sandbox(&desk.sandbox()).unwrap());
        assert_eq!(std::fs::symlink_metadata(near.join("sandbox.new")).is_err(), ours, "{left}");
        if !ours {
            assert!(CopyWorkspace::open(&desk.project(), &desk.sandbox()).is_err(), "{left}");
            continue;
        }
        sh(&near, left);
        drop(desk.open());
        assert!(!near.join("sandbox.new").exists(), "{left}");
        // Half made: it bears its name, so it has its marker, so it can go.
        sh(&near, "rm -r sandbox/tree sandbox/base sandbox/alive");
        assert!(CopyWorkspace::reopen(&desk.project(), &desk.sandbox()).is_err());
        assert!(remove_sandbox(&desk.sandbox()).unwrap());
        sh(&near, "test \"$(ls)\" = project");
    }
}

#[test]
fn a_damaged_record_of_a_project_is_named_and_no_second_state_is_made() {
    let desk = Desk::new();
    let near = desk.project().parent().unwrap().to_owned();
    let (project, home) = (desk.project().canonicalize().unwrap(), StateHome::new(near.join("state")));
    let clock = CountingClock::default();
    let other = near.join("other");
    std::fs::create_dir(&other).unwrap();
    let (own, second) = (home.project(&project, &clock).unwrap(), home.project(&other, &clock).unwrap());
    for damage in ["{\"path\": \"/x", "", "[]", "{\"path\": 3}"] {
        let record = own.root().join("project.json");
        std::fs::write(&record, damage).unwrap();
        let error = home.project(&project, &clock).unwrap_err();
        let text = format!("{error}");
        assert!(text.contains(record.to_str().unwrap()) && text.contains("damaged"), "{damage}: {text}");
        assert_eq!(home.project(&other, &clock).unwrap(), second, "what is found is not held up");
    }
    sh(&near, "test $(ls state/projects | wc -l) = 2");
}

#[test]
fn a_deep_tree_is_removed_with_few_handles() {
    if !crate::fixture::with_few_files("place::a_deep_tree_is_removed_with_few_handles") {
        return;
    }
    let desk = Desk::new();
    drop(desk.open());
    let mut dir = openat(CWD, desk.sandbox().join("tree"), OFlags::DIRECTORY, Mode::empty()).unwrap();
    for level in 0..3000 {
        mkdirat(&dir, "d", Mode::RWXU).unwrap();
        // Now and then with names that a removal might think of itself.
        for name in ["1", "2", "3"].iter().filter(|_| level % 50 == 0) {
            mkdirat(&dir, *name, Mode::RWXU).unwrap();
        }
        symlinkat("..", &dir, "4").unwrap();
        dir = openat(&dir, "d", OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    let start = std::time::Instant::now();
    assert!(remove_sandbox(&desk.sandbox()).unwrap());
    assert!(!desk.sandbox().exists());
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}
