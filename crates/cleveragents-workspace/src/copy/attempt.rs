//! One call's turn in a copy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use cleveragents_runtime::{Attempt, ChangeSetCapture, CommandRoot, Files, WorkspaceError};
use tokio::sync::OwnedMutexGuard;

use super::files::AttemptFiles;
use super::sandbox::ALIVE;
use super::tree::{Condition, Tree};
use super::{Core, blocking};

/// An attempt. Dropped without an end it leaves the workspace unsettled.
pub(super) struct CopyAttempt {
    core: Arc<Core>,
    over: Arc<AtomicBool>,
    turn: Mutex<Option<OwnedMutexGuard<()>>>,
}

impl CopyAttempt {
    /// Starts an attempt whose turn it is.
    pub(super) fn start(core: Arc<Core>, turn: OwnedMutexGuard<()>) -> Result<Self, WorkspaceError> {
        {
            let mut tree = core.tree();
            tree.usable()?;
            tree.in_place()?;
            tree.condition = Condition::Unsettled;
            tree.found = None;
        }
        Ok(Self { core, over: Arc::default(), turn: Mutex::new(Some(turn)) })
    }

    /// Does something with the tree, while this attempt is the one in turn.
    async fn with<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Tree) -> Result<T, WorkspaceError> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        if self.turn.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Err(ended());
        }
        let core = Arc::clone(&self.core);
        let over = Arc::clone(&self.over);
        let brief = core.tree().is_brief();
        let act = move || {
            let mut tree = core.tree();
            // From here on nothing of what is looked at may change by the files that were given out.
            over.store(true, Ordering::Release);
            act(&mut tree)
        };
        // Another thread costs more than looking at a few small files.
        if brief { act() } else { blocking(act).await }
    }

    fn end(&self) {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn ended() -> WorkspaceError {
    WorkspaceError::Refused("the attempt has ended".to_owned())
}

/// What the attempt changed: as captured, or as it is now.
fn found(tree: &mut Tree) -> Result<Vec<super::tree::Change>, WorkspaceError> {
    match tree.found.take() {
        Some(found) => Ok(found),
        None => tree.changes(),
    }
}

#[async_trait]
impl Attempt for CopyAttempt {
    fn files(&self) -> Arc<dyn Files> {
        Arc::new(AttemptFiles { core: Arc::clone(&self.core), over: Arc::clone(&self.over) })
    }

    fn command_root(&self) -> Result<CommandRoot, WorkspaceError> {
        let mut tree = self.core.tree();
        if self.over.load(Ordering::Acquire) {
            return Err(ended());
        }
        tree.in_place()?;
        tree.whole = true;
        Ok(CommandRoot {
            sandbox: tree.root().path().to_owned(),
            project: self.core.project.clone(),
            alive: Some(tree.parts.folder.path().join(ALIVE)),
        })
    }

    fn distrust(&self) {
        self.core.tree().distrusted = true;
    }

    async fn capture(&self) -> Result<ChangeSetCapture, WorkspaceError> {
        self.with(|tree| {
            if tree.whole {
                tree.in_place()?;
            }
            let changes = tree.changes()?;
            let capture =
                ChangeSetCapture { effects: tree.effects(&changes)?, outside: tree.effects(&tree.outside)? };
            tree.found = Some(changes);
            Ok(capture)
        })
        .await
    }

    async fn keep(&self) -> Result<(), WorkspaceError> {
        self.with(|tree| {
            for change in found(tree)? {
                tree.index.set(change.path, change.after);
            }
            tree.forget_attempt();
            tree.condition = Condition::Settled;
            Ok(())
        })
        .await?;
        self.end();
        Ok(())
    }

    async fn discard(&self) -> Result<(), WorkspaceError> {
        self.with(|tree| {
            // Looked at once more: what a process left behind did since the capture goes with the rest.
            let changes = tree.changes()?;
            tree.settle(&changes, None)?;
            tree.forget_attempt();
            tree.condition = Condition::Settled;
            Ok(())
        })
        .await?;
        self.end();
        Ok(())
    }
}

impl Drop for CopyAttempt {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
    }
}
