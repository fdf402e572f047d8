//! A workspace over a temporary directory, by the plainest means: for tests of tools and of the runner.

mod files;
mod log;
mod scene;
mod tree;

pub use log::{Logged, RecordingLog};
pub use scene::Scene;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cleveragents_domain::{Blobs, NodeState, RelPath};
use cleveragents_runtime::{
    Attempt, ChangeSetCapture, CommandRoot, Effect, Files, Workspace, WorkspaceError, WorkspaceInfo,
};
use tempfile::TempDir;
use tokio::sync::OwnedMutexGuard;

use files::DirFiles;
use tree::Tree;

/// Keeps the whole tree in memory and compares it: slow, and easy to trust. It cannot be restored.
pub struct FakeWorkspace {
    dir: TempDir,
    turn: Arc<tokio::sync::Mutex<()>>,
    distrusted: Arc<AtomicBool>,
}

impl Default for FakeWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

impl FakeWorkspace {
    /// An empty sandbox, and an empty project beside it.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["sandbox", "project"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        Self { dir, turn: Arc::default(), distrusted: Arc::default() }
    }

    /// The private copy.
    pub fn sandbox(&self) -> PathBuf {
        self.dir.path().join("sandbox")
    }

    /// The real project.
    pub fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// Whether a tool said that processes may have stayed behind.
    pub fn was_distrusted(&self) -> bool {
        self.distrusted.load(Ordering::SeqCst)
    }

    /// Puts a file into the sandbox, with the directories above it.
    pub fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.sandbox().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// A file's bytes; `None` when there is none.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.sandbox().join(path)).ok()
    }
}

#[async_trait]
impl Workspace for FakeWorkspace {
    fn info(&self) -> WorkspaceInfo {
        WorkspaceInfo { strategy: "copy", location: self.sandbox(), fallback: None }
    }

    async fn begin(&self) -> Result<Box<dyn Attempt>, WorkspaceError> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let ended = Arc::new(AtomicBool::new(false));
        let files = Arc::new(DirFiles::new(&self.sandbox(), Arc::clone(&ended)));
        Ok(Box::new(FakeAttempt {
            before: Tree::read(&self.sandbox()),
            root: CommandRoot { sandbox: self.sandbox(), project: self.project(), alive: None },
            files,
            ended,
            distrusted: Arc::clone(&self.distrusted),
            turn: Mutex::new(Some(turn)),
        }))
    }

    async fn sweep(&self) -> Result<Vec<Effect>, WorkspaceError> {
        Ok(Vec::new())
    }

    async fn restore(
        &self,
        _: &[(RelPath, Option<NodeState>)],
        _: Arc<dyn Blobs>,
    ) -> Result<Vec<RelPath>, WorkspaceError> {
        Err(WorkspaceError::Refused("a fake workspace cannot be restored".to_owned()))
    }

    async fn close(&self) -> Result<(), WorkspaceError> {
        Ok(())
    }
}

struct FakeAttempt {
    before: Tree,
    root: CommandRoot,
    files: Arc<DirFiles>,
    ended: Arc<AtomicBool>,
    distrusted: Arc<AtomicBool>,
    turn: Mutex<Option<OwnedMutexGuard<()>>>,
}

impl FakeAttempt {
    fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
        self.turn.lock().unwrap().take();
    }

    fn sandbox(&self) -> &Path {
        &self.root.sandbox
    }
}

#[async_trait]
impl Attempt for FakeAttempt {
    fn files(&self) -> Arc<dyn Files> {
        Arc::clone(&self.files) as Arc<dyn Files>
    }

    fn command_root(&self) -> Result<CommandRoot, WorkspaceError> {
        Ok(self.root.clone())
    }

    fn distrust(&self) {
        self.distrusted.store(true, Ordering::SeqCst);
    }

    async fn capture(&self) -> Result<ChangeSetCapture, WorkspaceError> {
        let effects = self.before.effects(&Tree::read(self.sandbox()));
        Ok(ChangeSetCapture { effects, outside: Vec::new() })
    }

    async fn keep(&self) -> Result<(), WorkspaceError> {
        self.end();
        Ok(())
    }

    async fn discard(&self) -> Result<(), WorkspaceError> {
        self.before.write(self.sandbox());
        self.end();
        Ok(())
    }
}
