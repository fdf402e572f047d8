//! New contents, written beside the places where they will go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;

use cleveragents_runtime::TargetError;
use cleveragents_runtime::domain::{BlobError, Blobs, DigestBuilder, NetChange, NodeKind, NodeState};
use rustix::fs::{
    AtFlags, Gid, Mode, OFlags, Uid, fchmod, fchown, mkdirat, openat, symlinkat, syncfs, unlinkat,
};

use super::present::Present;
use super::step::{Halt, Steps};
use crate::beneath::{Root, Stat, is_absent, list, parent_and_name, set_mode, with_access};

/// What has to be done for one path.
pub(super) struct Todo<'a> {
    pub(super) change: &'a NetChange,
    /// What stood there when the write began.
    pub(super) now: Option<Present>,
    /// The staged node's directory and name, when there is one.
    pub(super) staged: Option<(Vec<u8>, String)>,
    /// Whether the path was changed.
    pub(super) done: bool,
}

impl<'a> Todo<'a> {
    /// The path's bytes.
    pub(super) fn path(&self) -> &'a [u8] {
        self.change.path.as_bytes()
    }

    /// Whether only the permission bits differ.
    pub(super) fn is_mode_only(&self) -> bool {
        let now = self.now.as_ref().map(|p| &p.state);
        let after = self.change.after.as_ref();
        now.zip(after).is_some_and(|(now, after)| now.kind == after.kind && now.content == after.content)
    }
}

/// Whether a name is that of a staged node: `.agents-`, a token, and a number.
pub(super) fn is_leftover(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(b".agents-") else { return false };
    let Some(dash) = rest.iter().rposition(|b| *b == b'-') else { return false };
    let (token, number) = (&rest[..dash], &rest[dash + 1..]);
    let is_ulid = token.len() == 26 && token.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    is_ulid && !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

/// Removes what a write that was cut short staged in the directories that `changes` are about. Holds only while the
/// lock is held: nobody else stages in this project then.
pub(super) fn remove_leftovers(root: &Root, changes: &[NetChange], token: &str) -> io::Result<()> {
    let own = format!(".agents-{token}-");
    let mut dirs = BTreeSet::from([Vec::new()]);
    for change in changes {
        let path = change.path.as_bytes();
        dirs.insert(parent_and_name(path).0.to_vec());
        for state in [&change.before, &change.after].into_iter().flatten() {
            if state.kind == NodeKind::Directory {
                dirs.insert(path.to_vec());
            }
        }
    }
    for dir in dirs {
        let handle = match root.open_listed(&dir) {
            Ok(handle) => handle,
            Err(error) if is_absent(&error) => continue,
            Err(error) => return Err(error),
        };
        for name in list(&handle)?.into_iter().filter(|n| n.starts_with(own.as_bytes()) || is_leftover(n)) {
            remove_staged(&handle, &name)?;
        }
    }
    Ok(())
}

/// Removes one staged node. A directory was staged empty: what is not empty is not ours.
fn remove_staged(dir: &OwnedFd, name: &[u8]) -> io::Result<()> {
    with_access(dir, || match unlinkat(dir, name, AtFlags::empty()) {
        Err(rustix::io::Errno::ISDIR | rustix::io::Errno::PERM) => {
            Ok(unlinkat(dir, name, AtFlags::REMOVEDIR)?)
        }
        other => Ok(other?),
    })
}

/// Stages the node that each path is to hold, and syncs; then every content is durable.
pub(super) fn stage(
    root: &Root,
    todo: &mut [Todo<'_>],
    blobs: &dyn Blobs,
    token: &str,
    steps: &Steps<'_>,
) -> Result<(), (usize, Fault)> {
    let mut systems: BTreeMap<u64, OwnedFd> = BTreeMap::new();
    for (number, item) in todo.iter_mut().enumerate() {
        if item.is_mode_only() {
            continue;
        }
        let Some(after) = &item.change.after else { continue };
        let place = format!(".agents-{token}-{number}");
        let (dir, path) = nearest(root, item.path()).map_err(|e| (number, e.into()))?;
        steps.next().map_err(|e| (number, e.into()))?;
        let owner = item.now.as_ref().filter(|p| p.state.kind == NodeKind::File).map(|p| p.stat);
        make(&dir, &place, after, owner.as_ref(), blobs).map_err(|e| (number, e))?;
        item.staged = Some((path, place));
        let stat = rustix::fs::fstat(&dir).map_err(|e| (number, io::Error::from(e).into()))?;
        systems.entry(Stat::from_raw(&stat).dev).or_insert(dir);
    }
    sync(&systems).map_err(|e| (0, e.into()))
}

/// Makes every file system that was written to durable.
pub(super) fn sync(systems: &BTreeMap<u64, OwnedFd>) -> io::Result<()> {
    for handle in systems.values() {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let readable = with_access(handle, || Ok(openat(handle, ".", flags, Mode::empty())?))?;
        syncfs(readable)?;
    }
    Ok(())
}

/// The nearest directory above a path that exists, and where it is.
fn nearest(root: &Root, path: &[u8]) -> io::Result<(OwnedFd, Vec<u8>)> {
    let (mut dir, _) = parent_and_name(path);
    loop {
        match root.dir(dir) {
            Ok(handle) => return Ok((handle, dir.to_vec())),
            Err(error) if is_absent(&error) && !dir.is_empty() => dir = parent_and_name(dir).0,
            Err(error) => return Err(error),
        }
    }
}

/// Why a node could not be staged.
pub(super) enum Fault {
    Halt(Halt),
    Blob(BlobError),
}

impl<E: Into<Halt>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Halt(error.into())
    }
}

fn make(
    dir: &OwnedFd,
    place: &str,
    after: &NodeState,
    owner: Option<&Stat>,
    blobs: &dyn Blobs,
) -> Result<(), Fault> {
    match (after.kind, after.content) {
        (NodeKind::Directory, _) => {
            with_access(dir, || Ok(mkdirat(dir, place, Mode::RWXU)?))?;
            // Open to its owner until all that it is to hold is in it.
            Ok(set_mode(dir, place.as_bytes(), after.mode | 0o700)?)
        }
        (NodeKind::Symlink, Some(digest)) => {
            let mut target = Vec::new();
            blobs.open(&digest).map_err(Fault::Blob)?.read_to_end(&mut target)?;
            let found = cleveragents_runtime::domain::Digest::of(&target);
            if found != digest {
                return Err(Fault::Blob(BlobError::Corrupt(digest)));
            }
            Ok(with_access(dir, || Ok(symlinkat(target.as_slice(), dir, place)?))?)
        }
        (_, Some(digest)) => {
            let mut content = blobs.open(&digest).map_err(Fault::Blob)?;
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mode = Mode::RUSR | Mode::WUSR;
            let mut file = with_access(dir, || Ok(File::from(openat(dir, place, flags, mode)?)))?;
            let mut builder = DigestBuilder::default();
            let mut buffer = vec![0; 64 * 1024];
            loop {
                let count = content.read(&mut buffer)?;
                if count == 0 {
                    break;
                }
                builder.update(&buffer[..count]);
                file.write_all(&buffer[..count])?;
            }
            if builder.finish() != digest {
                return Err(Fault::Blob(BlobError::Corrupt(digest)));
            }
            if let Some(owner) = owner.filter(|_| rustix::process::geteuid().is_root()) {
                fchown(&file, Some(Uid::from_raw(owner.uid)), Some(Gid::from_raw(owner.gid)))?;
            }
            Ok(fchmod(&file, Mode::from_raw_mode(after.mode))?)
        }
        (_, None) => Err(io::Error::new(io::ErrorKind::InvalidInput, "a file without a content").into()),
    }
}

/// What staging needs, and what is free; `None` when it fits.
pub(super) fn lacking_space(root: &Root, todo: &[Todo<'_>]) -> Result<(), TargetError> {
    let needed = todo
        .iter()
        .filter(|item| !item.is_mode_only())
        .filter_map(|item| item.change.after.as_ref())
        .fold(0_u64, |sum, state| sum.saturating_add(state.size));
    let system = rustix::fs::fstatvfs(root.dir(b"")?).map_err(io::Error::from)?;
    let free = system.f_bavail.saturating_mul(system.f_frsize);
    if needed > free { Err(TargetError::NoSpace { needed, free }) } else { Ok(()) }
}
