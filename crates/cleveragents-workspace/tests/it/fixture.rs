//! Projects, sandboxes and commands in temporary folders.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cleveragents_runtime::domain::{Blobs, InMemoryJournal};
use cleveragents_testkit::workspace::Fixture;
use cleveragents_workspace::CopyWorkspace;
use tempfile::TempDir;

/// A folder with a project in it.
pub(crate) struct Desk {
    dir: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("project")).unwrap();
        Self { dir }
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub(crate) fn sandbox(&self) -> PathBuf {
        self.dir.path().join("sandbox")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.dir.path().join("lock")
    }

    pub(crate) fn open(&self) -> CopyWorkspace {
        CopyWorkspace::open(&self.project(), &self.sandbox()).unwrap()
    }
}

/// Runs a command that must succeed.
pub(crate) fn sh(dir: &Path, command: &str) {
    let done = Command::new("sh").arg("-c").arg(command).current_dir(dir).output().unwrap();
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Contents in memory.
pub(crate) fn blobs() -> Arc<dyn Blobs> {
    Arc::new(InMemoryJournal::new())
}

/// Does async work on this thread.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
}

/// A copy over a project that `fill` makes, for the contract suite.
pub(crate) fn copy_of(fill: &dyn Fn(&Path)) -> Fixture {
    let desk = Desk::new();
    fill(&desk.project());
    Fixture { workspace: Box::new(desk.open()), project: desk.project(), guard: Box::new(desk) }
}
