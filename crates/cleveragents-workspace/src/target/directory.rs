//! `DirectoryTarget`: the port over a directory.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use cleveragents_runtime::domain::{BlobError, Blobs, Conflict, NetChange};
use cleveragents_runtime::{Check, Target, TargetError};

use super::check;
use super::present::{Standing, present, standing};
use super::stage::{Fault, Todo, lacking_space, remove_leftovers, stage};
use super::step::{Halt, StepObserver, Steps};
use super::swap::swap;
use crate::beneath::Root;
use crate::lock::Lock;

/// A project's directory.
///
/// While changes are written, what is new stands staged beside its place as `.agents-<token>-<n>`; a token is a ULID.
/// A write is durable after two syncs of the file system, whatever the number of files. Owners of replaced files are
/// kept when the process is root. The mode of the root directory itself is not part of any change.
#[derive(Clone)]
pub struct DirectoryTarget {
    inner: Arc<Inner>,
}

struct Inner {
    root: Root,
    lock_file: PathBuf,
    observer: Option<Arc<dyn StepObserver>>,
    steps: AtomicU64,
}

impl std::fmt::Debug for DirectoryTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DirectoryTarget").field("root", &self.inner.root.path()).finish_non_exhaustive()
    }
}

impl DirectoryTarget {
    /// Opens a project. `lock_file` is held while changes are written; it must lie outside the project.
    pub fn open(project: &Path, lock_file: &Path) -> Result<Self, TargetError> {
        Self::new(project, lock_file, None)
    }

    /// Opens a project so that every step of its writes can be made to fail.
    pub fn observed(
        project: &Path,
        lock_file: &Path,
        observer: Arc<dyn StepObserver>,
    ) -> Result<Self, TargetError> {
        Self::new(project, lock_file, Some(observer))
    }

    fn new(
        project: &Path,
        lock_file: &Path,
        observer: Option<Arc<dyn StepObserver>>,
    ) -> Result<Self, TargetError> {
        let root = Root::open(&project.canonicalize()?)?;
        let lock_file = lock_file.to_owned();
        Ok(Self { inner: Arc::new(Inner { root, lock_file, observer, steps: AtomicU64::new(0) }) })
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, TargetError> + Send + 'static,
    ) -> Result<T, TargetError> {
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || work(&inner))
            .await
            .unwrap_or_else(|_| Err(TargetError::Io(io::Error::other("the work was cut short"))))
    }
}

#[async_trait]
impl Target for DirectoryTarget {
    async fn check(&self, changes: &[NetChange], check: Check) -> Result<Vec<Conflict>, TargetError> {
        let changes = changes.to_vec();
        self.blocking(move |inner| {
            check::refuse(&changes)?;
            Ok(check::check(&inner.root, &changes, check)?)
        })
        .await
    }

    async fn write(
        &self,
        changes: &[NetChange],
        accept: Check,
        blobs: Arc<dyn Blobs>,
        token: &str,
    ) -> Result<(), TargetError> {
        let (mut changes, token) = (changes.to_vec(), token.to_owned());
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        self.blocking(move |inner| inner.write(&changes, accept, &*blobs, &token)).await
    }

    async fn read_back(&self, changes: &[NetChange]) -> Result<Vec<Conflict>, TargetError> {
        let changes = changes.to_vec();
        self.blocking(move |inner| Ok(check::read_back(&inner.root, &changes)?)).await
    }
}

/// How one run over the changes ended badly.
enum Stop {
    /// Nothing was changed.
    Untouched(TargetError),
    /// The change at this position failed; those at the other positions were done already.
    Failed(usize, io::Error, BTreeSet<usize>),
    /// The observer killed it.
    Died,
}

impl Inner {
    fn write(
        &self,
        changes: &[NetChange],
        accept: Check,
        blobs: &dyn Blobs,
        token: &str,
    ) -> Result<(), TargetError> {
        check::refuse(changes)?;
        if token.is_empty() || !token.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(TargetError::Io(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a token is letters and digits",
            )));
        }
        let _lock = Lock::try_take(&self.lock_file)?.ok_or(TargetError::Busy)?;
        let died = || TargetError::Io(io::Error::other("the write was cut short"));
        let (number, source, done) = match self.run(changes, accept, blobs, token, &BTreeSet::new()) {
            Ok(()) => return Ok(()),
            Err(Stop::Untouched(error)) => return Err(error),
            Err(Stop::Died) => return Err(died()),
            Err(Stop::Failed(number, source, done)) => (number, source, done),
        };
        // Taken back by the same machine. A path that somebody else changed and that was not written is left alone.
        let reversed: Vec<NetChange> = changes.iter().map(NetChange::reversed).collect();
        let undone = match self
            .foreign(&reversed)
            .map(|left| (self.run(&reversed, Check::BeforeOrAfter, blobs, token, &left), left))
        {
            Ok((Ok(()), left)) => left.is_disjoint(&done),
            Ok((Err(Stop::Died), _)) => return Err(died()),
            Ok((Err(_), _)) | Err(_) => false,
        };
        Err(TargetError::Write { path: changes.get(number).map(|c| c.path.clone()), source, undone })
    }

    /// The positions of paths that hold neither state.
    fn foreign(&self, changes: &[NetChange]) -> io::Result<BTreeSet<usize>> {
        let mut positions = BTreeSet::new();
        for (position, change) in changes.iter().enumerate() {
            let now = present(&self.root, change.path.as_bytes())?.map(|p| p.state);
            if standing(change, now.as_ref()) == Standing::Foreign {
                positions.insert(position);
            }
        }
        Ok(positions)
    }

    /// Brings every path to its state after, those in `left_alone` apart.
    fn run(
        &self,
        changes: &[NetChange],
        accept: Check,
        blobs: &dyn Blobs,
        token: &str,
        left_alone: &BTreeSet<usize>,
    ) -> Result<(), Stop> {
        let root = &self.root;
        let untouched = |error: io::Error| Stop::Untouched(error.into());
        remove_leftovers(root, changes, token).map_err(untouched)?;
        let (mut todo, mut positions, mut begun) = (Vec::new(), Vec::new(), false);
        let mut late = None;
        for (position, change) in changes.iter().enumerate().filter(|(n, _)| !left_alone.contains(n)) {
            let now = present(root, change.path.as_bytes()).map_err(untouched)?;
            match standing(change, now.as_ref().map(|p| &p.state)) {
                Standing::After | Standing::Between if accept == Check::Before => {
                    late = late.or(Some(position));
                }
                Standing::After => begun = true,
                Standing::Foreign => late = late.or(Some(position)),
                at => {
                    begun |= at == Standing::Between;
                    todo.push(Todo { change, now, staged: None, done: false });
                    positions.push(position);
                }
            }
        }
        if let Some(position) = late {
            let source =
                io::Error::new(io::ErrorKind::ResourceBusy, "it is not in the state that was reviewed");
            if begun {
                // A write that was cut short cannot be finished: what it did is taken back.
                return Err(Stop::Failed(position, source, BTreeSet::new()));
            }
            let path = changes.get(position).map(|change| change.path.clone());
            return Err(Stop::Untouched(TargetError::Write { path, source, undone: true }));
        }
        missing_content(&todo, blobs).map_err(|e| Stop::Untouched(e.into()))?;
        lacking_space(root, &todo).map_err(Stop::Untouched)?;
        let steps = Steps { observer: self.observer.as_deref(), count: &self.steps };
        let position = |number: usize| positions.get(number).copied().unwrap_or(usize::MAX);
        if let Err((number, fault)) = stage(root, &mut todo, blobs, token, &steps) {
            let stop = match fault {
                Fault::Halt(Halt::Died) => return Err(Stop::Died),
                Fault::Blob(error) if !begun => Stop::Untouched(error.into()),
                Fault::Blob(error) => {
                    Stop::Failed(position(number), io::Error::other(error), BTreeSet::new())
                }
                Fault::Halt(Halt::Failed(source)) => Stop::Failed(position(number), source, BTreeSet::new()),
            };
            remove_leftovers(root, changes, token).map_err(untouched)?;
            return Err(stop);
        }
        match swap(root, &mut todo, &steps) {
            Ok(()) => Ok(()),
            Err((_, Halt::Died)) => Err(Stop::Died),
            Err((number, Halt::Failed(source))) => {
                // What cannot be removed now is found by the next write.
                let _ = remove_leftovers(root, changes, token);
                let done =
                    todo.iter().zip(&positions).filter(|(item, _)| item.done).map(|(_, at)| *at).collect();
                Err(Stop::Failed(position(number), source, done))
            }
        }
    }
}

/// Fails when a content that is to be written is not kept.
fn missing_content(todo: &[Todo<'_>], blobs: &dyn Blobs) -> Result<(), BlobError> {
    for item in todo.iter().filter(|item| !item.is_mode_only()) {
        if let Some(digest) = item.change.after.as_ref().and_then(|s| s.content)
            && !blobs.contains(&digest)?
        {
            return Err(BlobError::Missing(digest));
        }
    }
    Ok(())
}
