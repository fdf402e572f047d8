//! What a command of a dead process may still be doing.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use cleveragents_runtime::Workspace;
use cleveragents_testkit::workspace::walk;
use cleveragents_workspace::{CopyWorkspace, remove_sandbox};
use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};

use crate::fixture::{Desk, blobs, sh, wait};

/// Starts a command as the shell tool does: it inherits a shared lock.
fn start(alive: &Path, command: &str) -> Child {
    let file = File::open(alive).unwrap();
    file.try_lock_shared().unwrap();
    let handle = fcntl_dupfd_cloexec(&file, 100).unwrap();
    fcntl_setfd(&handle, FdFlags::empty()).unwrap();
    Command::new("sh").arg("-c").arg(command).spawn().unwrap()
}

#[test]
fn restore_and_removal_wait_for_what_still_runs() {
    let desk = Desk::new();
    sh(&desk.project(), "printf 1 > a");
    let base = walk(&desk.project());
    let workspace = desk.open();
    let root = wait(async { workspace.begin().await.unwrap().command_root().unwrap() });
    drop(workspace);
    let alive = root.alive.unwrap();
    let late = format!("sleep 0.7; echo late > '{}/late'", root.sandbox.display());

    let mut child = start(&alive, &late);
    let workspace = CopyWorkspace::reopen(&desk.project(), &desk.sandbox()).unwrap();
    let begun = Instant::now();
    let waited =
        |begun: Instant| assert!(begun.elapsed() > Duration::from_millis(500), "{:?}", begun.elapsed());
    wait(workspace.restore(&[], blobs())).unwrap();
    waited(begun);
    child.wait().unwrap();
    assert_eq!(walk(&root.sandbox), base);

    let mut child = start(&alive, &late);
    let begun = Instant::now();
    assert!(remove_sandbox(&desk.sandbox()).unwrap());
    waited(begun);
    child.wait().unwrap();
    assert!(!desk.sandbox().exists());
}
