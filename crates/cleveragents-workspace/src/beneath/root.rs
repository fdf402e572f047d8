//! A directory that is held open and beneath which everything resolves.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};

use super::{Stat, lstat, open_listed, parent_and_name, peek, with_access};

const HANDLE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory held open. Paths given to it are relative, checked bytes; the empty path is the directory itself.
#[derive(Debug)]
pub(crate) struct Root {
    handle: OwnedFd,
    path: PathBuf,
    hands_off: bool,
}

impl Root {
    /// Opens a directory; links on the way to it are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { handle: openat(CWD, path, flags, Mode::empty())?, path: path.to_owned(), hands_off: false })
    }

    /// Opens a directory in which not even a permission is changed for a moment.
    pub(crate) fn hands_off(path: &Path) -> io::Result<Self> {
        Ok(Self { hands_off: true, ..Self::open(path)? })
    }

    /// Opens a directory; a link in its own place is an error, links on the way to it are followed.
    pub(crate) fn real(path: &Path) -> io::Result<Self> {
        Ok(Self {
            handle: openat(CWD, path, HANDLE, Mode::empty())?,
            path: path.to_owned(),
            hands_off: false,
        })
    }

    /// Opens a directory in this one; a link in its place is an error.
    pub(crate) fn child(&self, name: &str) -> io::Result<Self> {
        let handle = openat(&self.handle, name, HANDLE, Mode::empty())?;
        Ok(Self { handle, path: self.path.join(name), hands_off: self.hands_off })
    }

    /// The same directory, seen without changing a permission.
    pub(crate) fn look(&self) -> io::Result<Self> {
        Ok(Self { handle: self.handle.try_clone()?, path: self.path.clone(), hands_off: true })
    }

    /// Whether the directory that was opened still stands in its place.
    pub(crate) fn in_place(&self) -> io::Result<bool> {
        let own = Stat::from_raw(&rustix::fs::fstat(&self.handle)?);
        Ok(peek(CWD, self.path.as_os_str().as_bytes())?.is_some_and(|there| there.same_node(&own)))
    }

    /// Where it was when it was opened.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A handle of a directory below; a link anywhere on the way is an error (`ELOOP` or `ENOTDIR`).
    pub(crate) fn dir(&self, path: &[u8]) -> io::Result<OwnedFd> {
        if path.is_empty() {
            return Ok(openat(&self.handle, ".", HANDLE, Mode::empty())?);
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{ResolveFlags, openat2};
            use rustix::io::Errno;
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
            match openat2(&self.handle, path, HANDLE, Mode::empty(), resolve) {
                Ok(handle) => return Ok(handle),
                Err(Errno::ACCESS) if !self.hands_off => {}
                // Not offered here, forbidden by a filter, raced by a rename, or too long for one call.
                Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN | Errno::NAMETOOLONG | Errno::INVAL) => {}
                Err(other) => return Err(other.into()),
            }
        }
        let mut handle = openat(&self.handle, ".", HANDLE, Mode::empty())?;
        for name in path.split(|b| *b == b'/') {
            let step = || Ok(openat(&handle, name, HANDLE, Mode::empty())?);
            handle = if self.hands_off { step()? } else { with_access(&handle, step)? };
        }
        Ok(handle)
    }

    /// A handle of a directory below whose names can be listed; see [`open_listed`].
    pub(crate) fn open_listed(&self, path: &[u8]) -> io::Result<OwnedFd> {
        let open = |dir: BorrowedFd<'_>, name: &[u8]| {
            if self.hands_off { list_plain(dir, name) } else { open_listed(dir, name) }
        };
        if path.is_empty() {
            return open(self.as_fd(), b".");
        }
        let (dir, name) = self.parent(path)?;
        open(dir.as_fd(), name)
    }

    /// The handle of the directory that holds `path`, and the last name.
    pub(crate) fn parent<'a>(&self, path: &'a [u8]) -> io::Result<(OwnedFd, &'a [u8])> {
        let (dir, name) = parent_and_name(path);
        Ok((self.dir(dir)?, name))
    }

    /// What stands at a path, reached through directories only; `None` when nothing does or the way is barred.
    pub(crate) fn stat(&self, path: &[u8]) -> io::Result<Option<Stat>> {
        match self.parent(path) {
            Ok((dir, name)) if self.hands_off => peek(&dir, name),
            Ok((dir, name)) => lstat(&dir, name),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn list_plain(dir: BorrowedFd<'_>, name: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(dir, name, flags, Mode::empty())?)
}

/// Whether an error means that no such path exists: a parent is missing, or is no directory.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(
        error.raw_os_error().map(Errno::from_raw_os_error),
        Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP)
    )
}

impl AsFd for Root {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}
