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
/// While changes are written, what is new stands staged beside its place as `.agents-<token>-<n>`. A token
/// is a plan's ULID, with an `R` for its rollback; a write removes what either of them left, and nothing else.
/// A write is durable after two syncs of the file system, whatever the number of files. Owners of replaced files are
/// kept when the process is root. The mode of the root directory itself is not part of any change.
#[derive(Clone)]
pub struct DirectoryTarget {
    inner: Arc<Inner>,
}

struct Inner {
    root: Root,
    /// The same directory, for looking: not even a permission is changed for a moment.
    look: Root,
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
        let (look, lock_file) = (root.look()?, lock_file.to_owned());
        Ok(Self { inner: Arc::new(Inner { root, look, lock_file, observer, steps: AtomicU64::new(0) }) })
    }

    async fn blocking<T: Send + 'static>(
        &self,
        lost: impl FnOnce(io::Error) -> TargetError,
        work: impl FnOnce(&Inner) -> Result<T, TargetError> + Send + 'static,
    ) -> Result<T, TargetError> {
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || work(&inner))
            .await
            .unwrap_or_else(|_| Err(lost(io::Error::other("the work was cut short"))))
    }
}

#[async_trait]
impl Target for DirectoryTarget {
    async fn check(&self, changes: &[NetChange], check: Check) -> Result<Vec<Conflict>, TargetError> {
        let changes = changes.to_vec();
        self.blocking(TargetError::Io, move |inner| {
            check::refuse(&changes)?;
            Ok(check::check(&inner.look, &changes, check)?)
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
        let lost = |source| TargetError::Write { path: None, source, undone: false };
        self.blocking(lost, move |inner| inner.write(&changes, accept, &*blobs, &token)).await
    }

    async fn read_back(&self, changes: &[NetChange]) -> Result<Vec<Conflict>, TargetError> {
        let changes = changes.to_vec();
        self.blocking(TargetError::Io, move |inner| Ok(check::read_back(&inner.look, &changes)?)).await
    }
}

/// How one run over the changes ended badly.
enum Stop {
    /// Every path is in its state before. The position is that of the path it is about.
    Untouched(Option<usize>, TargetError),
    /// This run changed nothing, and it is not known what one before it did.
    Unknown(Option<usize>, io::Error),
    /// The change at this position failed; those at the other positions were done already.
    Failed(Option<usize>, io::Error, BTreeSet<usize>),
    /// The observer killed it.
    Died,
}

/// What a look at every path found.
struct Looked<'a> {
    /// What is to be done, and the positions of it among the changes.
    todo: Vec<Todo<'a>>,
    positions: Vec<usize>,
    /// Whether an earlier write did a part.
    begun: bool,
    /// The first path that cannot be brought to its state after, and why.
    bar: Option<(usize, io::Error)>,
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
            let source = io::Error::new(io::ErrorKind::InvalidInput, "a token is letters and digits");
            return Err(unknown(accept, source));
        }
        let lock = Lock::try_take(&self.lock_file).map_err(|source| unknown(accept, source))?;
        let _lock = lock.ok_or(TargetError::Busy)?;
        let path = |at: Option<usize>| at.and_then(|at| changes.get(at)).map(|change| change.path.clone());
        let write = |at: Option<usize>, source: io::Error, undone| TargetError::Write {
            path: path(at),
            source,
            undone,
        };
        let died = || write(None, io::Error::other("the write was cut short"), false);
        let (at, source, done) = match self.run(changes, accept, blobs, token, &BTreeSet::new()) {
            Ok(()) => return Ok(()),
            Err(Stop::Untouched(at, error)) => {
                // Where a write before this one may have begun, the variant must say that it did not.
                return Err(match (error, accept) {
                    (error @ TargetError::Write { .. }, _) | (error, Check::Before) => error,
                    (TargetError::Io(source), _) => write(at, source, true),
                    (error, _) => write(at, io::Error::other(error), true),
                });
            }
            Err(Stop::Unknown(at, source)) => return Err(write(at, source, false)),
            Err(Stop::Died) => return Err(died()),
            Err(Stop::Failed(at, source, done)) => (at, source, done),
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
        Err(write(at, source, undone))
    }

    /// The positions of paths that hold neither state.
    fn foreign(&self, changes: &[NetChange]) -> io::Result<BTreeSet<usize>> {
        let mut positions = BTreeSet::new();
        for (position, change) in changes.iter().enumerate() {
            let now = present(&self.look, change.path.as_bytes())?.map(|p| p.state);
            if standing(change, now.as_ref()) == Standing::Foreign {
                positions.insert(position);
            }
        }
        Ok(positions)
    }

    /// Looks at every path, those in `left_alone` apart, before anything is changed.
    fn look_at<'a>(
        &self,
        changes: &'a [NetChange],
        accept: Check,
        left_alone: &BTreeSet<usize>,
    ) -> Result<Looked<'a>, (usize, io::Error)> {
        let concerned = || changes.iter().enumerate().filter(|(n, _)| !left_alone.contains(n));
        let by_path: check::ByPath<'_> = concerned().map(|(_, change)| (&change.path, change)).collect();
        let mut looked = Looked { todo: Vec::new(), positions: Vec::new(), begun: false, bar: None };
        for (position, change) in concerned() {
            let now = present(&self.look, change.path.as_bytes()).map_err(|e| (position, e))?;
            let state = now.as_ref().map(|p| &p.state);
            let at = standing(change, state);
            let late = at == Standing::Foreign || (at != Standing::Before && accept == Check::Before);
            let reason = if late {
                let words = "it is not in the state that was reviewed";
                Some(io::Error::new(io::ErrorKind::ResourceBusy, words))
            } else {
                // What this plan staged before is gone by now.
                check::obstacle(&self.look, change, state, &by_path, &|_| false)
                    .map_err(|e| (position, e))?
                    .map(io::Error::other)
            };
            if let Some(reason) = reason {
                looked.bar.get_or_insert((position, reason));
            }
            if late {
                continue;
            }
            looked.begun |= at != Standing::Before;
            if at != Standing::After {
                looked.todo.push(Todo { change, now, staged: None, done: false });
                looked.positions.push(position);
            }
        }
        Ok(looked)
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
        let (root, nothing) = (&self.root, BTreeSet::new);
        let unseen = |at: Option<usize>, source: io::Error| match accept {
            Check::Before => Stop::Untouched(at, source.into()),
            Check::BeforeOrAfter => Stop::Unknown(at, source),
        };
        let tidy = || remove_leftovers(root, &self.look, changes, token);
        tidy().map_err(|source| unseen(None, source))?;
        let Looked { mut todo, positions, begun, bar } =
            self.look_at(changes, accept, left_alone).map_err(|(at, source)| unseen(Some(at), source))?;
        // A write that was cut short and cannot be finished is taken back.
        let halt = |at: Option<usize>, error: TargetError| match error {
            error if !begun => Stop::Untouched(at, error),
            TargetError::Write { source, .. } => Stop::Failed(at, source, nothing()),
            error => Stop::Failed(at, io::Error::other(error), nothing()),
        };
        if let Some((position, source)) = bar {
            let path = changes.get(position).map(|change| change.path.clone());
            return Err(halt(Some(position), TargetError::Write { path, source, undone: true }));
        }
        missing_content(&todo, blobs).map_err(|e| halt(None, e.into()))?;
        lacking_space(root, &todo).map_err(|e| halt(None, e))?;
        let steps = Steps { observer: self.observer.as_deref(), count: &self.steps };
        let position = |number: usize| positions.get(number).copied();
        if let Err((number, fault)) = stage(root, &mut todo, blobs, token, &steps) {
            let source = match fault {
                Fault::Halt(Halt::Died) => return Err(Stop::Died),
                Fault::Halt(Halt::Failed(source)) => source,
                Fault::Blob(error) if tidy().is_ok() => return Err(halt(position(number), error.into())),
                Fault::Blob(error) => io::Error::other(error),
            };
            return Err(Stop::Failed(position(number), source, nothing()));
        }
        match swap(root, &mut todo, &steps) {
            Ok(()) => Ok(()),
            Err((_, Halt::Died)) => Err(Stop::Died),
            Err((number, Halt::Failed(source))) => {
                let done =
                    todo.iter().zip(&positions).filter(|(item, _)| item.done).map(|(_, at)| *at).collect();
                Err(Stop::Failed(position(number), source, done))
            }
        }
    }
}

/// The error of a write that did not come to look at the project.
fn unknown(accept: Check, source: io::Error) -> TargetError {
    match accept {
        Check::Before => TargetError::Io(source),
        Check::BeforeOrAfter => TargetError::Write { path: None, source, undone: false },
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
