//! `CopyWorkspace`: the port over a sandbox.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use cleveragents_runtime::domain::{Blobs, NodeState, RelPath};
use cleveragents_runtime::{Attempt, Effect, Workspace, WorkspaceError, WorkspaceInfo};

use super::attempt::CopyAttempt;
use super::index::{Entry, Index};
use super::sandbox::{self, Parts};
use super::tree::{Condition, Tree, rel_path};
use crate::beneath::{Root, is_protected};
use crate::error::During;

/// What a workspace and its attempts share.
#[derive(Debug)]
pub(crate) struct Core {
    /// The project's canonical path.
    pub(crate) project: PathBuf,
    dir: PathBuf,
    tree: Mutex<Tree>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Core {
    /// The tree, for one at a time.
    pub(crate) fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A private copy of a project in a directory of its own.
///
/// Every file of the project is copied, hashed and packed when it is opened; from then on the project is not looked
/// at any more. A capture after file operations looks at the touched paths only; after a command it compares the
/// metadata of the whole tree. The mode of the root directory itself is not watched.
#[derive(Debug, Clone)]
pub struct CopyWorkspace {
    core: Arc<Core>,
}

impl CopyWorkspace {
    /// Makes a sandbox of `project` at `sandbox_dir`, which must not exist while its parent must. Blocking.
    ///
    /// A project that changes meanwhile is copied file by file as it was when each was read; a file that does not
    /// stop changing is an error. After an error nothing is left at `sandbox_dir`.
    pub fn open(project: &Path, sandbox_dir: &Path) -> Result<Self, WorkspaceError> {
        let project = canonical(project)?;
        let parent = canonical(sandbox_dir.parent().unwrap_or(Path::new(".")))?;
        if parent.starts_with(&project) {
            return Err(WorkspaceError::Refused(format!(
                "{} is inside the project: a sandbox must be elsewhere",
                sandbox_dir.display()
            )));
        }
        let root = Root::hands_off(&project).during(|| format!("opening {}", project.display()))?;
        let tree = sandbox::make(&root, sandbox_dir)?;
        Ok(Self::over(project, sandbox_dir, tree))
    }

    /// Takes up the sandbox that an earlier process made. Call [`Workspace::restore`] before anything else. Blocking.
    pub fn reopen(project: &Path, sandbox_dir: &Path) -> Result<Self, WorkspaceError> {
        let tree = sandbox::take_up(sandbox_dir)?;
        Ok(Self::over(canonical(project)?, sandbox_dir, tree))
    }

    fn over(project: PathBuf, dir: &Path, tree: Tree) -> Self {
        let core = Core { project, dir: dir.to_owned(), tree: Mutex::new(tree), turn: Arc::default() };
        Self { core: Arc::new(core) }
    }
}

fn canonical(path: &Path) -> Result<PathBuf, WorkspaceError> {
    path.canonicalize().during(|| format!("finding {}", path.display()))
}

/// Does blocking work away from the caller's async thread. The work is finished even when the caller is dropped.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, WorkspaceError> + Send + 'static,
) -> Result<T, WorkspaceError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(WorkspaceError::Damaged("work on it was cut short".to_owned())))
}

fn closed() -> WorkspaceError {
    WorkspaceError::Damaged("it was closed".to_owned())
}

impl Tree {
    /// Whether an attempt or a sweep may start.
    pub(super) fn usable(&self) -> Result<(), WorkspaceError> {
        match self.condition {
            Condition::Settled => Ok(()),
            Condition::Unsettled => Err(WorkspaceError::Unsettled),
            Condition::Closed => Err(closed()),
        }
    }

    /// Looks at everything and takes every difference as nobody's doing.
    fn sweep_outside(&mut self) -> Result<(), WorkspaceError> {
        let changes = self.scan()?;
        self.accept_outside(changes);
        Ok(())
    }
}

#[async_trait]
impl Workspace for CopyWorkspace {
    fn info(&self) -> WorkspaceInfo {
        WorkspaceInfo { strategy: "copy", location: self.core.dir.join("tree"), fallback: None }
    }

    async fn begin(&self) -> Result<Box<dyn Attempt>, WorkspaceError> {
        let turn = Arc::clone(&self.core.turn).lock_owned().await;
        let distrusted = {
            let tree = self.core.tree();
            tree.usable()?;
            tree.distrusted
        };
        if distrusted {
            let core = Arc::clone(&self.core);
            blocking(move || core.tree().sweep_outside()).await?;
        }
        Ok(Box::new(CopyAttempt::start(Arc::clone(&self.core), turn)?))
    }

    async fn sweep(&self) -> Result<Vec<Effect>, WorkspaceError> {
        let _turn = self.core.turn.lock().await;
        let core = Arc::clone(&self.core);
        blocking(move || {
            let mut tree = core.tree();
            tree.usable()?;
            tree.sweep_outside()?;
            let effects = tree.effects(&tree.outside)?;
            tree.outside.clear();
            Ok(effects)
        })
        .await
    }

    async fn restore(
        &self,
        states: &[(RelPath, Option<NodeState>)],
        blobs: Arc<dyn Blobs>,
    ) -> Result<Vec<RelPath>, WorkspaceError> {
        let _turn = self.core.turn.lock().await;
        let core = Arc::clone(&self.core);
        let states = states.to_vec();
        blocking(move || {
            let mut tree = core.tree();
            if tree.condition == Condition::Closed {
                return Err(closed());
            }
            tree.condition = Condition::Unsettled;
            tree.forget_attempt();
            let _still = sandbox::still(&tree.parts.folder)?;
            tree.in_place()?;
            let index = wanted(&tree.parts, &states, &tree.index)?;
            tree.index = index;
            let changes = tree.scan()?;
            tree.settle(&changes, Some(&*blobs))?;
            tree.condition = Condition::Settled;
            changes.iter().map(|change| rel_path(&change.path)).collect()
        })
        .await
    }

    async fn close(&self) -> Result<(), WorkspaceError> {
        let _turn = self.core.turn.lock().await;
        let core = Arc::clone(&self.core);
        blocking(move || {
            core.tree().condition = Condition::Closed;
            sandbox::remove(&core.dir).map(|_| ())
        })
        .await
    }
}

/// The base with `states` over it. What is known of a node stays known as long as its state is the wanted one.
fn wanted(
    parts: &Parts,
    states: &[(RelPath, Option<NodeState>)],
    known: &Index,
) -> Result<Index, WorkspaceError> {
    let manifest = sandbox::load(parts)?;
    let mut nodes: BTreeMap<Vec<u8>, Entry> =
        manifest.nodes.iter().map(|node| (node.path.clone(), Entry::of_base(node))).collect();
    for (path, state) in states.iter().filter(|(path, _)| !is_protected(path.as_bytes())) {
        match state {
            Some(state) => {
                nodes
                    .entry(path.as_bytes().to_vec())
                    .and_modify(|e| e.replace(state))
                    .or_insert_with(|| Entry::unseen(state.clone()));
            }
            None => {
                nodes.remove(path.as_bytes());
            }
        }
    }
    let mut index = Index::default();
    for (path, mut entry) in nodes {
        if let Some(known) = known.get(&path).filter(|known| known.state == entry.state) {
            entry = known.clone();
        }
        index.set(path, Some(entry));
    }
    Ok(index)
}
