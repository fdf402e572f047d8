//! Which changes cannot be written, and why.

use std::collections::BTreeMap;
use std::io;

use cleveragents_runtime::domain::{Conflict, NetChange, NodeKind, NodeState, RelPath};
use cleveragents_runtime::{Check, TargetError};

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

/// Every conflict of `changes` with what stands in the project.
pub(super) fn check(root: &Root, changes: &[NetChange], check: Check) -> io::Result<Vec<Conflict>> {
    let by_path: BTreeMap<&RelPath, &NetChange> = changes.iter().map(|c| (&c.path, c)).collect();
    let mut conflicts = Vec::new();
    for change in changes {
        let now = present(root, change.path.as_bytes())?.map(|p| p.state);
        let reason = match (standing(change, now.as_ref()), check) {
            (Standing::Before, _) | (Standing::After | Standing::Between, Check::BeforeOrAfter) => {
                match barred(root, change, &by_path)? {
                    Some(reason) => Some(reason),
                    None => holds_foreign(root, change, now.as_ref(), &by_path)?,
                }
            }
            _ => Some(difference(change.before.as_ref(), now.as_ref()).to_owned()),
        };
        if let Some(reason) = reason {
            conflicts.push(conflict(change, change.before.clone(), now, reason));
        }
    }
    Ok(conflicts)
}

/// Every path that does not hold its state after.
pub(super) fn read_back(root: &Root, changes: &[NetChange]) -> io::Result<Vec<Conflict>> {
    let mut conflicts = Vec::new();
    for change in changes {
        let now = present(root, change.path.as_bytes())?.map(|p| p.state);
        if now != change.after {
            let reason = "it does not hold what was written".to_owned();
            conflicts.push(conflict(change, change.after.clone(), now, reason));
        }
    }
    Ok(conflicts)
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
fn barred(
    root: &Root,
    change: &NetChange,
    changes: &BTreeMap<&RelPath, &NetChange>,
) -> io::Result<Option<String>> {
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

/// Why a directory cannot go: it holds something that the changes do not remove.
fn holds_foreign(
    root: &Root,
    change: &NetChange,
    now: Option<&NodeState>,
    changes: &BTreeMap<&RelPath, &NetChange>,
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
        let ours = RelPath::from_bytes(join(path, &name))
            .is_ok_and(|child| changes.get(&child).is_some_and(|c| c.after.is_none()));
        if !ours && !is_leftover(&name) {
            let name = String::from_utf8_lossy(&name).into_owned();
            return Ok(Some(format!("the directory holds {name}, which these changes do not remove")));
        }
    }
    Ok(None)
}
