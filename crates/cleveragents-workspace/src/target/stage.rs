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

use super::check::is_mode_only;
use super::present::{Present, Standing, present, standing};
use super::step::{Halt, Steps};
use crate::beneath::{Root, Stat, is_absent, join, list, parent_and_name, set_mode, with_access};

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
        is_mode_only(self.now.as_ref().map(|p| &p.state), self.change.after.as_ref())
    }
}

/// How many characters of a token name the plan.
const PLAN: usize = 26;

/// Splits the name of a staged node, `.agents-<token>-<n>`, and gives the token.
fn token_in(name: &[u8]) -> Option<&[u8]> {
    let rest = name.strip_prefix(b".agents-")?;
    let dash = rest.iter().rposition(|b| *b == b'-')?;
    let number = &rest[dash + 1..];
    (!number.is_empty() && number.iter().all(u8::is_ascii_digit)).then_some(&rest[..dash])
}

/// Whether a name is that of a node which a write of some plan may have staged.
pub(super) fn is_leftover(name: &[u8]) -> bool {
    token_in(name).is_some_and(|token| {
        let (plan, rest) = token.split_at_checked(PLAN).unwrap_or_default();
        let is_ulid = plan.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        !plan.is_empty() && is_ulid && matches!(rest, b"" | b"R")
    })
}

/// Whether a name is that of a node which a write with this token, or another one of the same plan, staged: the token
/// of a rollback is the plan's with an `R`.
fn is_own(name: &[u8], token: &str) -> bool {
    let plan = token.get(..PLAN).unwrap_or(token).as_bytes();
    token_in(name).is_some_and(|found| {
        found == token.as_bytes() || matches!(found.strip_prefix(plan), Some(b"" | b"R"))
    })
}

/// Removes what a write of the same plan that was cut short staged in the directories that `changes` are about, and
/// nothing else: no other plan's, and nothing that is itself a path of the changes.
pub(super) fn remove_leftovers(
    root: &Root,
    look: &Root,
    changes: &[NetChange],
    token: &str,
) -> io::Result<()> {
    let paths: BTreeMap<&[u8], &NetChange> = changes.iter().map(|c| (c.path.as_bytes(), c)).collect();
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
        // Permissions are changed only where they are put right again should this be cut short.
        let part = match paths.get(dir.as_slice()) {
            Some(change) => {
                let now = present(look, &dir)?.map(|p| p.state);
                standing(change, now.as_ref()) != Standing::Foreign
            }
            None => false,
        };
        let handle = match if part { root } else { look }.open_listed(&dir) {
            Ok(handle) => handle,
            Err(error) if is_absent(&error) => continue,
            // Nothing is ever staged where the names cannot be read.
            Err(error) if !part && error.kind() == io::ErrorKind::PermissionDenied => continue,
            Err(error) => return Err(error),
        };
        let own = |name: &Vec<u8>| is_own(name, token) && !paths.contains_key(join(&dir, name).as_slice());
        for name in list(&handle)?.into_iter().filter(own) {
            let remove = || remove_staged(&handle, &name);
            if part { with_access(&handle, remove) } else { remove() }.map_err(|error| {
                let path = String::from_utf8_lossy(&join(&dir, &name)).into_owned();
                io::Error::new(error.kind(), format!("{path}, left by a write that was cut short: {error}"))
            })?;
        }
    }
    Ok(())
}

/// Removes one staged node. A directory was staged empty: what is not empty is not ours.
fn remove_staged(dir: &OwnedFd, name: &[u8]) -> io::Result<()> {
    match unlinkat(dir, name, AtFlags::empty()) {
        Err(rustix::io::Errno::ISDIR | rustix::io::Errno::PERM) => {
            Ok(unlinkat(dir, name, AtFlags::REMOVEDIR)?)
        }
        other => Ok(other?),
    }
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
