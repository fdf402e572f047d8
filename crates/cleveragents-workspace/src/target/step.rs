//! Watching a write step by step.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// What happens at one step of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is done.
    Go,
    /// It fails as if the file system had refused it; the write takes back what it did.
    Fail,
    /// The write stops there and leaves everything as it is, as a process that is killed does.
    Die,
}

/// Is asked before each step by which a write changes the file system. For harnesses that prove what a failure or a
/// death at any step leaves behind.
pub trait StepObserver: Send + Sync {
    /// What happens at step `number`, counted from 0 over all writes of one target.
    fn step(&self, number: u64) -> Fate;
}

/// Counts the steps.
pub(super) struct Steps<'a> {
    pub(super) observer: Option<&'a dyn StepObserver>,
    pub(super) count: &'a AtomicU64,
}

impl Steps<'_> {
    /// Asks for the next step.
    pub(super) fn next(&self) -> Result<(), Halt> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        match self.observer.map_or(Fate::Go, |observer| observer.step(number)) {
            Fate::Go => Ok(()),
            Fate::Fail => Err(Halt::Failed(io::Error::other("the step was made to fail"))),
            Fate::Die => Err(Halt::Died),
        }
    }
}

/// Why a write stopped.
#[derive(Debug)]
pub(super) enum Halt {
    Failed(io::Error),
    Died,
}

impl<E: Into<io::Error>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}
