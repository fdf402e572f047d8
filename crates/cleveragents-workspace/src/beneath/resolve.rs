//! Resolving a path the way a program would, but never out of the root.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use cleveragents_runtime::FileError;
use cleveragents_runtime::domain::{NodeKind, RelPath};
use rustix::fs::{Mode, OFlags, openat};

use super::{Root, Stat, is_protected_name, lstat, read_link, with_access};

/// As many links as Linux follows.
const MAX_LINKS: usize = 40;

/// Where a path led.
#[derive(Debug)]
pub(crate) enum Resolved {
    /// To the root itself.
    Root,
    /// To a name in a directory beneath it.
    Place(Place),
}

/// A name in a directory.
#[derive(Debug)]
pub(crate) struct Place {
    /// The deepest directory on the way that exists.
    pub(crate) dir: OwnedFd,
    /// The path that was reached, links resolved.
    pub(crate) path: Vec<u8>,
    /// Directories between `dir` and the last name that do not exist yet.
    pub(crate) missing: Vec<Vec<u8>>,
    /// The last name.
    pub(crate) name: Vec<u8>,
    /// What stands there.
    pub(crate) stat: Option<Stat>,
}

/// Resolves `path` beneath `root`, a link at its end only if `follow` says so.
pub(crate) fn resolve(root: &Root, path: &RelPath, follow: bool) -> Result<Resolved, FileError> {
    let io = |source: io::Error| FileError::Io { path: path.clone(), source };
    let escapes = || FileError::Escapes { path: path.clone() };
    let mut pending: VecDeque<Vec<u8>> = path.components().map(<[u8]>::to_vec).collect();
    let mut above: Vec<(OwnedFd, Vec<u8>)> = Vec::new();
    let mut links = 0;
    while let Some(name) = pending.pop_front() {
        if name.is_empty() || name == b"." {
            continue;
        }
        if name == b".." {
            above.pop().ok_or_else(escapes)?;
            continue;
        }
        if is_protected_name(&name) {
            return Err(FileError::Protected(path.clone()));
        }
        let dir = above.last().map_or(root.as_fd(), |(handle, _)| handle.as_fd());
        let stat = lstat(dir, &name).map_err(io)?;
        let last = pending.is_empty();
        match stat.map(|s| s.kind) {
            None => return missing(root, &above, name, pending, path).map(Resolved::Place),
            Some(NodeKind::Symlink) if follow || !last => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(io(rustix::io::Errno::LOOP.into()));
                }
                let target = read_link(dir, &name).map_err(io)?;
                if target.first() == Some(&b'/') {
                    return Err(escapes());
                }
                for component in target.split(|b| *b == b'/').rev() {
                    pending.push_front(component.to_vec());
                }
            }
            Some(NodeKind::Directory) if !last => {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let handle = with_access(dir, || Ok(openat(dir, name.as_slice(), flags, Mode::empty())?))
                    .map_err(io)?;
                above.push((handle, name));
            }
            Some(_) if last => return place(root, &above, name, stat).map(Resolved::Place).map_err(io),
            Some(kind) => {
                return Err(FileError::WrongKind {
                    path: path.clone(),
                    found: word(kind),
                    needed: "directory",
                });
            }
        }
    }
    // The last step was `.` or `..` out of a link: a directory that is already open.
    let Some((_, name)) = above.pop() else { return Ok(Resolved::Root) };
    let dir = above.last().map_or(root.as_fd(), |(handle, _)| handle.as_fd());
    let stat = lstat(dir, &name).map_err(io)?;
    place(root, &above, name, stat).map(Resolved::Place).map_err(io)
}

/// A kind of node in a word.
pub(crate) fn word(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::File => "file",
        NodeKind::Symlink => "symbolic link",
        NodeKind::Directory => "directory",
        NodeKind::Special => "special node",
    }
}

fn place(root: &Root, above: &[(OwnedFd, Vec<u8>)], name: Vec<u8>, stat: Option<Stat>) -> io::Result<Place> {
    let dir = match above.last() {
        Some((handle, _)) => handle.try_clone()?,
        None => root.as_fd().try_clone_to_owned()?,
    };
    let mut path: Vec<&[u8]> = above.iter().map(|(_, name)| name.as_slice()).collect();
    path.push(&name);
    Ok(Place { dir, path: path.join(&b'/'), missing: Vec::new(), name, stat })
}

/// Nothing stands at `name`: what is left of the path has to be made.
fn missing(
    root: &Root,
    above: &[(OwnedFd, Vec<u8>)],
    name: Vec<u8>,
    pending: VecDeque<Vec<u8>>,
    path: &RelPath,
) -> Result<Place, FileError> {
    let mut names = vec![name];
    for name in pending.into_iter().filter(|n| !n.is_empty() && n != b".") {
        if name == b".." {
            return Err(FileError::NotFound(path.clone()));
        }
        if is_protected_name(&name) {
            return Err(FileError::Protected(path.clone()));
        }
        names.push(name);
    }
    let last = names.pop().unwrap_or_default();
    let mut place =
        place(root, above, last, None).map_err(|source| FileError::Io { path: path.clone(), source })?;
    if !names.is_empty() {
        let mut full: Vec<&[u8]> = above.iter().map(|(_, name)| name.as_slice()).collect();
        full.extend(names.iter().map(Vec::as_slice));
        full.push(&place.name);
        place.path = full.join(&b'/');
        place.missing = names;
    }
    Ok(place)
}
