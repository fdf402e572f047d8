//! Where a project, a sandbox and the state may be.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::CountingClock;
use cleveragents_workspace::{CopyWorkspace, StateHome, check_root, remove_sandbox};

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
    assert!(!first.replaced() && first.project_path().unwrap() == odd);
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
