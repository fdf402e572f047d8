//! The contents of both sides, as far as a diff may hold them.

use cleveragents_diff::{Content, RENAME_SIZE_LIMIT, Side, SideKind};
use cleveragents_domain::{Blobs, NetChange, NodeKind, NodeState, read_blob};

use super::MAX_DIFF_BYTES;
use crate::PlanError;

/// One side with its content, unless that is too large to hold.
pub(super) struct Loaded<'a> {
    state: Option<&'a NodeState>,
    content: Option<Vec<u8>>,
}

impl<'a> Loaded<'a> {
    pub(super) fn of(state: Option<&'a NodeState>, blobs: &dyn Blobs) -> Result<Self, PlanError> {
        Ok(Self { state, content: read(state, blobs, MAX_DIFF_BYTES)? })
    }

    /// As the writer takes it.
    pub(super) fn side(&self) -> Option<Side<'_>> {
        let state = self.state?;
        let kind = match state.kind {
            NodeKind::File => SideKind::File,
            NodeKind::Symlink => SideKind::Symlink,
            NodeKind::Directory => SideKind::Directory,
            NodeKind::Special => SideKind::Special,
        };
        let content = match (&self.content, state.content) {
            (Some(bytes), _) => Content::Bytes(bytes),
            (None, Some(_)) => Content::Summary { size: state.size },
            (None, None) => Content::None,
        };
        Some(Side { kind, mode: state.mode, content })
    }

    /// The bytes whose lines are counted: none where nothing stands or nothing has lines, `None` when they are not held.
    pub(super) fn text(&self) -> Option<&[u8]> {
        match (self.state.and_then(|s| s.content), &self.content) {
            (None, _) => Some(b""),
            (Some(_), content) => content.as_deref(),
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.state.map_or(0, |s| s.size)
    }
}

fn read(state: Option<&NodeState>, blobs: &dyn Blobs, limit: u64) -> Result<Option<Vec<u8>>, PlanError> {
    match state.and_then(|s| s.content.map(|digest| (s.size, digest))) {
        Some((size, digest)) if size <= limit => Ok(Some(read_blob(blobs, &digest, limit)?)),
        _ => Ok(None),
    }
}

/// The content of a created or deleted file, when it is small enough for likeness to be looked at.
pub(super) fn rename_content(change: &NetChange, blobs: &dyn Blobs) -> Result<Option<Vec<u8>>, PlanError> {
    let limit = u64::try_from(RENAME_SIZE_LIMIT).unwrap_or(u64::MAX);
    read(change.before.as_ref().or(change.after.as_ref()), blobs, limit)
}

/// The hash of a created or deleted file.
pub(super) fn hash(change: &NetChange) -> [u8; 32] {
    let state = change.before.as_ref().or(change.after.as_ref());
    state.and_then(|s| s.content).map_or([0; 32], |digest| *digest.as_bytes())
}
