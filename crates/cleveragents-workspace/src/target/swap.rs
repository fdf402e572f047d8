//! Putting what was staged in place, and taking away what must go.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;

use cleveragents_runtime::domain::NodeKind;
use rustix::fs::{AtFlags, RenameFlags, renameat, renameat_with, unlinkat};
use rustix::io::Errno;

use super::present::present;
use super::stage::{Todo, sync};
use super::step::{Halt, Steps};
use crate::beneath::{Root, Stat, io_error, lstat, set_mode, with_access};

/// Does all of it: removals deepest first, then what comes, parents first, then directories' modes, deepest first.
/// `todo` is sorted by path. On a failure the number of the item is given.
pub(super) fn swap(root: &Root, todo: &mut [Todo<'_>], steps: &Steps<'_>) -> Result<(), (usize, Halt)> {
    let mut systems: BTreeMap<u64, OwnedFd> = BTreeMap::new();
    for (number, item) in todo.iter_mut().enumerate().rev().filter(|(_, item)| item.change.after.is_none()) {
        remove(root, item, steps, &mut systems).map_err(|e| (number, e))?;
    }
    for (number, item) in todo.iter_mut().enumerate() {
        if item.change.after.is_some() {
            put(root, item, steps, &mut systems).map_err(|e| (number, e))?;
        }
    }
    for (number, item) in todo.iter().enumerate().rev() {
        close_dir(root, item, steps).map_err(|e| (number, e))?;
    }
    sync(&systems).map_err(|e| (0, e.into()))
}

/// Fails when a path is not as it was when the write began: an edit that came late is not overwritten.
fn unchanged(root: &Root, item: &Todo<'_>, dir: &OwnedFd, name: &[u8]) -> io::Result<()> {
    let late =
        || io_error(io::ErrorKind::ResourceBusy, "it was changed while the changes were being written");
    let Some(now) = &item.now else {
        return if lstat(dir, name)?.is_none() { Ok(()) } else { Err(late()) };
    };
    let stat = lstat(dir, name)?.ok_or_else(late)?;
    if stat.kind == now.stat.kind && stat.mode == now.stat.mode && stat.stamp == now.stat.stamp {
        return Ok(());
    }
    // Other metadata, as by the removal of another name of the same file: the state decides.
    match present(root, item.path())? {
        Some(found) if found.state.kind == NodeKind::Directory && now.state.kind == NodeKind::Directory => {
            Ok(())
        }
        Some(found) if found.state == now.state => Ok(()),
        _ => Err(late()),
    }
}

fn place<'a>(
    root: &Root,
    item: &Todo<'a>,
    systems: &mut BTreeMap<u64, OwnedFd>,
) -> io::Result<(OwnedFd, &'a [u8])> {
    let (dir, name) = root.parent(item.path())?;
    let stat = Stat::from_raw(&rustix::fs::fstat(&dir)?);
    if let std::collections::btree_map::Entry::Vacant(free) = systems.entry(stat.dev) {
        free.insert(dir.try_clone()?);
    }
    Ok((dir, name))
}

fn remove(
    root: &Root,
    item: &mut Todo<'_>,
    steps: &Steps<'_>,
    systems: &mut BTreeMap<u64, OwnedFd>,
) -> Result<(), Halt> {
    let Some(now) = &item.now else { return Ok(()) };
    let (dir, name) = place(root, item, systems)?;
    unchanged(root, item, &dir, name)?;
    steps.next()?;
    let flags = if now.state.kind == NodeKind::Directory { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    with_access(&dir, || Ok(unlinkat(&dir, name, flags)?))?;
    item.done = true;
    Ok(())
}

fn put(
    root: &Root,
    item: &mut Todo<'_>,
    steps: &Steps<'_>,
    systems: &mut BTreeMap<u64, OwnedFd>,
) -> Result<(), Halt> {
    let (dir, name) = place(root, item, systems)?;
    if item.is_mode_only() {
        let mode = item.change.after.as_ref().map_or(0, |s| s.mode);
        if item.now.as_ref().is_some_and(|now| now.state.kind == NodeKind::File) {
            unchanged(root, item, &dir, name)?;
            steps.next()?;
            with_access(&dir, || set_mode(&dir, name, mode))?;
            item.done = true;
        }
        return Ok(());
    }
    let Some((staged_dir, staged)) = item.staged.take() else { return Ok(()) };
    let from = root.dir(&staged_dir)?;
    unchanged(root, item, &dir, name)?;
    steps.next()?;
    let kinds = (item.now.as_ref().map(|p| p.state.kind), item.change.after.as_ref().map(|s| s.kind));
    let flip = |flags: RenameFlags| {
        with_access(&from, || {
            with_access(&dir, || Ok(renameat_with(&from, staged.as_str(), &dir, name, flags)?))
        })
    };
    match kinds {
        (None, _) => match flip(RenameFlags::NOREPLACE) {
            Err(error) if unsupported(&error) => {
                with_access(&dir, || Ok(renameat(&from, staged.as_str(), &dir, name)?))?;
            }
            other => other?,
        },
        (Some(NodeKind::Directory), _) | (_, Some(NodeKind::Directory)) => {
            let old =
                if kinds.0 == Some(NodeKind::Directory) { AtFlags::REMOVEDIR } else { AtFlags::empty() };
            match flip(RenameFlags::EXCHANGE) {
                // What stood there bears the staged name now.
                Ok(()) => {
                    steps.next()?;
                    let gone = with_access(&from, || Ok(unlinkat(&from, staged.as_str(), old)?));
                    if let Err(error) = gone {
                        // A directory that is not empty after all goes back to its place.
                        flip(RenameFlags::EXCHANGE)?;
                        return Err(error.into());
                    }
                }
                Err(error) if unsupported(&error) => {
                    with_access(&dir, || Ok(unlinkat(&dir, name, old)?))?;
                    item.done = true;
                    steps.next()?;
                    with_access(&dir, || Ok(renameat(&from, staged.as_str(), &dir, name)?))?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        _ => with_access(&from, || with_access(&dir, || Ok(renameat(&from, staged.as_str(), &dir, name)?)))?,
    }
    item.done = true;
    Ok(())
}

fn unsupported(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error().map(Errno::from_raw_os_error),
        Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
    )
}

/// Gives a directory its final mode, now that nothing more goes into it.
fn close_dir(root: &Root, item: &Todo<'_>, steps: &Steps<'_>) -> Result<(), Halt> {
    let Some(after) = item.change.after.as_ref().filter(|s| s.kind == NodeKind::Directory) else {
        return Ok(());
    };
    let (dir, name) = root.parent(item.path())?;
    if lstat(&dir, name)?.is_some_and(|stat| stat.mode == after.mode) {
        return Ok(());
    }
    steps.next()?;
    Ok(with_access(&dir, || set_mode(&dir, name, after.mode))?)
}
