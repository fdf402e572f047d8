//! An advisory lock on a file.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a lock that is held is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Lock {
    /// Waits for the lock.
    pub(crate) fn wait(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        file.lock()?;
        Ok(Self(file))
    }

    /// Takes the lock, or `None` when somebody else holds it.
    pub(crate) fn try_take(path: &Path) -> io::Result<Option<Self>> {
        Self::within(open(path)?, Duration::ZERO)
    }

    /// Takes the lock on an opened file, or `None` when somebody else holds it all that time.
    pub(crate) fn within(file: File, time: Duration) -> io::Result<Option<Self>> {
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self(file))),
                Err(std::fs::TryLockError::WouldBlock) if start.elapsed() < time => std::thread::sleep(PAUSE),
                Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
                Err(std::fs::TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just being started elsewhere shares the open file for a moment.
        let _ = self.0.unlock();
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_bounded_and_worth_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let other = open(&path).unwrap();
        other.lock_shared().unwrap();
        assert!(Lock::within(open(&path).unwrap(), Duration::from_millis(60)).unwrap().is_none());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(60));
                other.unlock().unwrap();
            });
            assert!(Lock::within(open(&path).unwrap(), Duration::from_secs(30)).unwrap().is_some());
        });
    }
}
