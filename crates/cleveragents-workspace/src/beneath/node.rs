//! One node, named by the handle of its directory and its last name. A link is never followed.
//!
//! Where a directory or a file keeps its own owner out, the missing permission is granted for the moment of the
//! operation; [`peek`] alone does not do that.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use cleveragents_runtime::domain::NodeKind;
use rustix::fs::{AtFlags, Dir, Mode, OFlags, fchmod, openat, readlinkat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::Stat;
use super::root::is_absent;

const PLAIN: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// What stands there; `None` when nothing does.
pub(crate) fn lstat(dir: impl AsFd, name: &[u8]) -> io::Result<Option<Stat>> {
    with_access(&dir, || peek(&dir, name))
}

/// What stands there; `None` when nothing does. Changes no permission.
pub(crate) fn peek(dir: impl AsFd, name: &[u8]) -> io::Result<Option<Stat>> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(raw) => Ok(Some(Stat::from_raw(&raw))),
        Err(error) => {
            let error = io::Error::from(error);
            if is_absent(&error) { Ok(None) } else { Err(error) }
        }
    }
}

/// The names in an opened directory, unsorted, without `.` and `..`.
pub(crate) fn list(dir: impl AsFd) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    // A duplicate, not a directory opened anew through `.`, which may be forbidden. Each handle is listed once.
    for entry in Dir::new(dir.as_fd().try_clone_to_owned()?)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(name);
        }
    }
    Ok(names)
}

/// Opens a directory so that its names can be listed.
pub(crate) fn open_listed(dir: impl AsFd, name: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | PLAIN;
    let open = || Ok(openat(&dir, name, flags, Mode::empty())?);
    with_access(&dir, || granting(&dir, name, 0o500, open))
}

/// Opens a regular file for reading.
pub(crate) fn open_read(dir: impl AsFd, name: &[u8]) -> io::Result<File> {
    with_access(&dir, || granting(&dir, name, 0o400, || open_plain(&dir, name)))
}

/// Opens a regular file for reading. Changes no permission.
pub(crate) fn open_plain(dir: impl AsFd, name: &[u8]) -> io::Result<File> {
    Ok(File::from(openat(dir, name, OFlags::RDONLY | PLAIN, Mode::empty())?))
}

/// Makes the names in a directory durable.
pub(crate) fn sync_dir(dir: impl AsFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::fsync(openat(dir, ".", flags, Mode::empty())?)?)
}

/// Opens a regular file for writing in place.
pub(crate) fn open_write(dir: impl AsFd, name: &[u8]) -> io::Result<File> {
    let open = || Ok(File::from(openat(&dir, name, OFlags::RDWR | PLAIN, Mode::empty())?));
    with_access(&dir, || granting(&dir, name, 0o600, open))
}

/// The bytes of a link's target.
pub(crate) fn read_link(dir: impl AsFd, name: &[u8]) -> io::Result<Vec<u8>> {
    with_access(&dir, || Ok(readlinkat(&dir, name, Vec::new())?.into_bytes()))
}

/// Sets the permission bits of a file or directory, never through a link.
pub(crate) fn set_mode(dir: impl AsFd, name: &[u8], mode: u32) -> io::Result<()> {
    let bits = Mode::from_raw_mode(mode);
    match openat(&dir, name, OFlags::RDONLY | PLAIN, Mode::empty()) {
        Ok(handle) => Ok(fchmod(handle, bits)?),
        Err(rustix::io::Errno::ACCESS) => {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let handle = with_access(&dir, || Ok(openat(&dir, name, flags, Mode::empty())?))?;
            set_handle_mode(&handle, mode)
        }
        Err(error) => Err(error.into()),
    }
}

/// Sets the permission bits of what a handle without read access stands for.
fn set_handle_mode(handle: impl AsFd, mode: u32) -> io::Result<()> {
    let raw = handle.as_fd().as_raw_fd();
    Ok(rustix::fs::chmod(format!("/proc/self/fd/{raw}").as_str(), Mode::from_raw_mode(mode))?)
}

/// Does `act`, and when permission on the named node itself is missing, once more with `bits` granted meanwhile.
fn granting<T>(dir: impl AsFd, name: &[u8], bits: u32, act: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let denied = match act() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => error,
        done => return done,
    };
    match peek(&dir, name)? {
        Some(stat) if stat.kind != NodeKind::Symlink && stat.mode & bits != bits => {
            if set_mode(&dir, name, stat.mode | bits).is_err() {
                return Err(denied);
            }
            let result = act();
            set_mode(&dir, name, stat.mode)?;
            result
        }
        _ => Err(denied),
    }
}

/// Does `act` on the names in a directory, and when the directory does not let its owner, once more while it does.
pub(crate) fn with_access<T>(dir: impl AsFd, act: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let denied = match act() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => error,
        done => return done,
    };
    let mode = Stat::from_raw(&rustix::fs::fstat(&dir)?).mode;
    if mode & 0o700 == 0o700 || set_handle_mode(&dir, mode | 0o700).is_err() {
        return Err(denied);
    }
    let result = act();
    set_handle_mode(&dir, mode)?;
    result
}

/// Removes a node with all below it. Fine when it is gone already.
///
/// However deep a tree is, few handles are open and no path is walked: a directory is emptied by removing its files and
/// moving its directories up into the topmost one, where their turn comes later.
pub(crate) fn remove_all(dir: impl AsFd, name: &[u8]) -> io::Result<()> {
    let Some(top) = clear(&dir, name)? else { return Ok(()) };
    let (mut pending, mut count) = (list(&top)?, 0_u64);
    while let Some(name) = pending.pop() {
        let Some(handle) = clear(&top, &name)? else { continue };
        for child in list(&handle)? {
            if clear(&handle, &child)?.is_none() {
                continue;
            }
            let moved = loop {
                count += 1;
                let moved = format!("{count}").into_bytes();
                match renameat(&handle, child.as_slice(), &top, moved.as_slice()) {
                    Ok(()) => break moved,
                    // The name is taken. An empty directory is replaced, which is as good as removed.
                    Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                    Err(error) => return Err(error.into()),
                }
            };
            pending.push(moved);
        }
        unlinkat(&top, name.as_slice(), AtFlags::REMOVEDIR)?;
    }
    with_access(&dir, || Ok(unlinkat(&dir, name, AtFlags::REMOVEDIR)?))
}

/// Removes a node that is no directory; a directory is opened for its owner to be emptied.
fn clear(dir: impl AsFd, name: &[u8]) -> io::Result<Option<OwnedFd>> {
    let Some(stat) = lstat(&dir, name)? else { return Ok(None) };
    if stat.kind != NodeKind::Directory {
        with_access(&dir, || Ok(unlinkat(&dir, name, AtFlags::empty())?))?;
        return Ok(None);
    }
    if stat.mode & 0o700 != 0o700 {
        with_access(&dir, || set_mode(&dir, name, stat.mode | 0o700))?;
    }
    Ok(Some(open_listed(&dir, name)?))
}
