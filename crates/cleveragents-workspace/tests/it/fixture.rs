//! Projects, sandboxes and commands in temporary folders.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
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

/// Runs one test of this program once more, alone, in a process that is started as told; true in that process itself.
fn again(test: &str, prepare: impl FnOnce(&mut Command)) -> bool {
    const INNER: &str = "CLEVERAGENTS_TEST_INNER";
    if std::env::var_os(INNER).is_some() {
        return true;
    }
    // The program may lie where another user cannot reach it.
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let program = dir.path().join("tests");
    // Not copied by this process: another one that it starts meanwhile would hold the program open for writing.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n $1; shift; exec \"$@\"", "sh", "256"]).arg(program);
    command.args(["--exact", test, "--nocapture"]).env(INNER, "1").env("TMPDIR", dir.path());
    prepare(command.current_dir(dir.path()));
    let done = command.output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && text.contains("1 passed"), "{text}");
    false
}

/// True where the caller is to go on: in a process that may open few files.
pub(crate) fn with_few_files(test: &str) -> bool {
    again(test, |_| {})
}

/// True where the caller is to go on: in a process of an ordinary user. Permissions bind nobody else.
pub(crate) fn as_ordinary_user(test: &str) -> bool {
    if !rustix::process::geteuid().is_root() {
        return true;
    }
    again(test, |command| {
        command.uid(65534).gid(65534);
    })
}
