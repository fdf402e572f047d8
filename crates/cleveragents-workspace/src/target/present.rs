//! What stands in the project now.

use std::io::{self, Read};

use cleveragents_runtime::domain::{DigestBuilder, NetChange, NodeKind, NodeState};
use rustix::fs::{fstat, readlinkat};

use crate::beneath::{Root, Stat, is_absent, open_plain, peek};

/// A node with the metadata it had when it was read.
#[derive(Debug, Clone)]
pub(super) struct Present {
    pub(super) state: NodeState,
    pub(super) stat: Stat,
}

/// Reads what stands at a path; a link or a file on the way bars it, so that nothing stands there. Changes no permission
/// of the node; whether those of the directories above are left alone too is the root's matter.
pub(super) fn present(root: &Root, path: &[u8]) -> io::Result<Option<Present>> {
    let (dir, name) = match root.parent(path) {
        Ok(place) => place,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let Some(mut stat) = peek(&dir, name)? else { return Ok(None) };
    let state = match stat.kind {
        NodeKind::Directory => NodeState::directory(stat.mode),
        NodeKind::Special => NodeState::special(stat.mode),
        NodeKind::Symlink => NodeState::symlink(readlinkat(&dir, name, Vec::new())?.as_bytes()),
        NodeKind::File => {
            let mut file = open_plain(&dir, name)?;
            let mut builder = DigestBuilder::default();
            let (mut buffer, mut size) = (vec![0; 64 * 1024], 0);
            // The metadata from before the reading: an edit meanwhile shows as a later time.
            stat = Stat::from_raw(&fstat(&file)?);
            loop {
                let count = file.read(&mut buffer)?;
                if count == 0 {
                    break;
                }
                builder.update(&buffer[..count]);
                size += count as u64;
            }
            NodeState { kind: NodeKind::File, mode: stat.mode, size, content: Some(builder.finish()) }
        }
    };
    Ok(Some(Present { state, stat }))
}

/// How a present state relates to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// As it should be before.
    Before,
    /// As it should be after.
    After,
    /// A state that a write which was cut short leaves on its way.
    Between,
    /// None of them: somebody else's doing.
    Foreign,
}

/// Where a path stands on the way from before to after.
pub(super) fn standing(change: &NetChange, now: Option<&NodeState>) -> Standing {
    if now == change.before.as_ref() {
        return Standing::Before;
    }
    if now == change.after.as_ref() {
        return Standing::After;
    }
    let is_dir = |state: &NodeState| state.kind == NodeKind::Directory;
    let sides = [change.before.as_ref(), change.after.as_ref()];
    let between = match now {
        // A directory that made room for another kind of node, or that is to take its place.
        None => sides.iter().all(Option::is_some) && sides.iter().flatten().any(|s| is_dir(s)),
        // A directory that must let its owner write until all is done.
        Some(now) => {
            is_dir(now) && sides.iter().flatten().any(|side| is_dir(side) && now.mode == side.mode | 0o700)
        }
    };
    if between { Standing::Between } else { Standing::Foreign }
}
