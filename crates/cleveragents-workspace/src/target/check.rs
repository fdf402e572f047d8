//! Which changes cannot be written, and why.

use std::collections::BTreeMap;
use std::io;

use cleveragents_runtime::domain::{Conflict, NetChange, NodeKind, NodeState, RelPath};
use cleveragents_runtime::{Check, TargetError};

use rustix::fs::{Access, AtFlags, accessat};
use rustix::io::Errno;

use super::present::{Standing, present, standing};
use super::stage::is_leftover;
use crate::beneath::{Root, is_absent, is_protected, join, list, word};

/// Refuses what no target may take.
pub(super) fn refuse(changes: &[NetChange]) -> Result<(), TargetError> {
    for change in changes {
        let special = |s: &Option<NodeState>| s.as_ref().is_some_and(|s| s.kind == NodeKind::Special);
        let reason = if is_protected(change.path.as_bytes()) {
            "nothing is ever written inside .git"
        } else if special(&change.before) || special(&change.after) {
            "devices, sockets and pipes are not written"
        } else {
            continue;
        };
        return Err(TargetError::Refused { path: change.path.clone(), reason: reason.to_owned() });
    }
    Ok(())
}

/// Changes by their paths.
pub(super) type ByPath<'a> = BTreeMap<&'a RelPath, &'a NetChange>;

/// Every conflict of `changes` with what stands in the project. `look` is a root that is hands-off.
pub(super) fn check(look: &Root, changes: &[NetChange], check: Check) -> io::Result<Vec<Conflict>> {
    let by_path: ByPath<'_> = changes.iter().map(|c| (&c.path, c)).collect();
    // A write that was cut short left staged nodes, which its continuation removes. Here it is not known which write is
    // to go on; one that meets another's refuses, and names it.
    let staged = |path: &RelPath| check == Check::BeforeOrAfter && is_leftover(path.file_name());
    let mut conflicts = Vec::new();
    for change in changes {
        let found = readable(present(look, change.path.as_bytes()))?;
        let (now, reason) = match found {
            Err(reason) => (None, Some(reason)),
            Ok(now) => {
                let now = now.map(|p| p.state);
                let at = standing(change, now.as_ref());
                let reason = match (at, check) {
                    (Standing::Before, _) | (Standing::After | Standing::Between, Check::BeforeOrAfter) => {
                        obstacle(look, change, now.as_ref(), &by_path, &staged)?
                    }
                    _ => Some(difference(change.before.as_ref(), now.as_ref()).to_owned()),
                };
                (now, reason)
            }
        };
        if let Some(reason) = reason {
            conflicts.push(conflict(change, change.before.clone(), now, reason));
        }
    }
    Ok(conflicts)
}

/// Every path that does not hold its state after. `look` is a root that is hands-off.
pub(super) fn read_back(look: &Root, changes: &[NetChange]) -> io::Result<Vec<Conflict>> {
    let mut conflicts = Vec::new();
    for change in changes {
        let (now, reason) = match readable(present(look, change.path.as_bytes()))? {
            Err(reason) => (None, reason),
            Ok(now) => match now.map(|p| p.state) {
                now if now == change.after => continue,
                now => (now, "it does not hold what was written".to_owned()),
            },
        };
        conflicts.push(conflict(change, change.after.clone(), now, reason));
    }
    Ok(conflicts)
}

/// A result, or the words for what this user may not read.
fn readable<T>(result: io::Result<T>) -> io::Result<Result<T, String>> {
    match result {
        Ok(found) => Ok(Ok(found)),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Ok(Err("it cannot be read: permission denied".to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Why a change cannot be made, although its path is in a state from which it could: what stands around it bars it.
/// Names for which `staged` says so are not in the way.
pub(super) fn obstacle(
    look: &Root,
    change: &NetChange,
    now: Option<&NodeState>,
    changes: &ByPath<'_>,
    staged: &dyn Fn(&RelPath) -> bool,
) -> io::Result<Option<String>> {
    let find = || -> io::Result<Option<String>> {
        if let Some(reason) = barred(look, change, changes)? {
            return Ok(Some(reason));
        }
        if now != change.after.as_ref()
            && let Some(reason) = hindered(look, change, now, changes)?
        {
            return Ok(Some(reason));
        }
        holds_foreign(look, change, now, changes, staged)
    };
    Ok(readable(find())?.unwrap_or_else(Some))
}

fn conflict(
    change: &NetChange,
    expected: Option<NodeState>,
    found: Option<NodeState>,
    reason: String,
) -> Conflict {
    Conflict { root: change.root.clone(), path: change.path.clone(), expected, found, reason }
}

fn difference(expected: Option<&NodeState>, found: Option<&NodeState>) -> &'static str {
    match (expected, found) {
        (None, _) => "something was made here since",
        (_, None) => "it was deleted since",
        (Some(a), Some(b)) if a.kind != b.kind => "another kind of node stands here now",
        (Some(a), Some(b)) if a.content == b.content => "its mode was changed since",
        _ => "it was changed since",
    }
}

/// Why nothing can be put at a path, when a directory above it will be missing.
fn barred(root: &Root, change: &NetChange, changes: &ByPath<'_>) -> io::Result<Option<String>> {
    if change.after.is_none() {
        return Ok(None);
    }
    let Some(parent) = change.path.parent() else { return Ok(None) };
    let kind = match changes.get(&parent) {
        Some(above) => above.after.as_ref().map(|s| s.kind),
        None => root.stat(parent.as_bytes())?.map(|s| s.kind),
    };
    Ok(match kind {
        Some(NodeKind::Directory) => None,
        None => Some(format!("the directory {parent} is missing")),
        Some(kind) => Some(format!("{parent} is a {}, not a directory", word(kind))),
    })
}

/// Why this user cannot make a change, or could not tell afterwards that it was made. Only of directories that are part
/// of the changes themselves are the permissions changed on the way: the state of such a one is recorded, and a write
/// that was cut short meanwhile leaves nothing that the next one does not put right.
fn hindered(
    look: &Root,
    change: &NetChange,
    now: Option<&NodeState>,
    changes: &ByPath<'_>,
) -> io::Result<Option<String>> {
    if let Some(after) = change.after.as_ref().filter(|_| !rustix::process::geteuid().is_root()) {
        let mode = after.mode;
        let within = |path: &&RelPath| **path != change.path && path.starts_with(&change.path);
        if after.kind == NodeKind::File && mode & 0o400 == 0 {
            return Ok(Some(format!("with the mode {mode:04o} it could not be read back")));
        }
        if after.kind == NodeKind::Directory && mode & 0o100 == 0 && changes.keys().any(within) {
            return Ok(Some(format!("with the mode {mode:04o} what it holds could not be read back")));
        }
    }
    let parent = change.path.parent();
    if parent.as_ref().is_some_and(|parent| changes.contains_key(parent)) {
        return Ok(None);
    }
    let dir = match look.dir(parent.as_ref().map_or(b"", RelPath::as_bytes)) {
        Ok(dir) => dir,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let name = parent.map_or_else(|| "the project's directory".to_owned(), |p| format!("the directory {p}"));
    let may = |access: Access| match accessat(&dir, ".", access | Access::EXEC_OK, AtFlags::EACCESS) {
        Ok(()) => Ok(true),
        Err(Errno::ACCESS | Errno::ROFS | Errno::PERM) => Ok(false),
        Err(error) => Err(io::Error::from(error)),
    };
    if !may(Access::READ_OK)? {
        return Ok(Some(format!("{name} cannot be read")));
    }
    if !is_mode_only(now, change.after.as_ref()) && !may(Access::WRITE_OK)? {
        return Ok(Some(format!("{name} is not writable")));
    }
    Ok(None)
}

/// Whether only the permission bits differ.
pub(super) fn is_mode_only(now: Option<&NodeState>, after: Option<&NodeState>) -> bool {
    now.zip(after).is_some_and(|(now, after)| now.kind == after.kind && now.content == after.content)
}

/// Why a directory cannot go: it holds something that the changes do not remove.
fn holds_foreign(
    root: &Root,
    change: &NetChange,
    now: Option<&NodeState>,
    changes: &ByPath<'_>,
    staged: &dyn Fn(&RelPath) -> bool,
) -> io::Result<Option<String>> {
    let is_dir = |s: Option<&NodeState>| s.is_some_and(|s| s.kind == NodeKind::Directory);
    if !is_dir(now) || is_dir(change.after.as_ref()) {
        return Ok(None);
    }
    let path = change.path.as_bytes();
    let names = match root.open_listed(path).and_then(list) {
        Ok(names) => names,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    for name in names {
        let child = RelPath::from_bytes(join(path, &name)).ok();
        let ours = |child: &RelPath| changes.get(child).is_some_and(|c| c.after.is_none()) || staged(child);
        if !child.as_ref().is_some_and(ours) {
            let name = String::from_utf8_lossy(&name).into_owned();
            return Ok(Some(format!("the directory holds {name}, which these changes do not remove")));
        }
    }
    Ok(None)
}
