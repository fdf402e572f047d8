//! Review: the honest diff of a changeset, from stored contents.

use std::sync::Arc;

use cleveragents_diff::{Content, FileChange, Side, SideKind, UnifiedDiff};
use cleveragents_domain::{Blobs, NetChange, NodeKind, NodeState, read_blob};

use crate::PlanError;

/// The greatest content that is loaded for a diff; larger content is summarised.
pub const MAX_DIFF_BYTES: u64 = 4 * 1024 * 1024;

/// The unified diff of these changes, in git's extended format. Blocking work runs on the runtime's blocking pool.
pub async fn unified_diff(changes: Vec<NetChange>, blobs: Arc<dyn Blobs>) -> Result<Vec<u8>, PlanError> {
    tokio::task::spawn_blocking(move || render(&changes, &*blobs))
        .await
        .map_err(|e| PlanError::Actor { what: "the diff stopped".to_owned(), source: Some(e.into()) })?
}

fn render(changes: &[NetChange], blobs: &dyn Blobs) -> Result<Vec<u8>, PlanError> {
    let mut out = Vec::new();
    for change in changes {
        let (before, after) = (load(change.before.as_ref(), blobs)?, load(change.after.as_ref(), blobs)?);
        let file = FileChange {
            path: change.path.as_bytes(),
            before: change.before.as_ref().map(|state| side(state, before.as_deref())),
            after: change.after.as_ref().map(|state| side(state, after.as_deref())),
        };
        UnifiedDiff::new().append(&file, &mut out);
    }
    Ok(out)
}

fn load(state: Option<&NodeState>, blobs: &dyn Blobs) -> Result<Option<Vec<u8>>, PlanError> {
    match state.and_then(|s| s.content.map(|digest| (s.size, digest))) {
        Some((size, digest)) if size <= MAX_DIFF_BYTES => {
            Ok(Some(read_blob(blobs, &digest, MAX_DIFF_BYTES)?))
        }
        _ => Ok(None),
    }
}

fn side<'a>(state: &NodeState, content: Option<&'a [u8]>) -> Side<'a> {
    let kind = match state.kind {
        NodeKind::File => SideKind::File,
        NodeKind::Symlink => SideKind::Symlink,
        NodeKind::Directory => SideKind::Directory,
        NodeKind::Special => SideKind::Special,
    };
    let content = match (content, state.content) {
        (Some(bytes), _) => Content::Bytes(bytes),
        (None, Some(_)) => Content::Summary { size: state.size },
        (None, None) => Content::None,
    };
    Side { kind, mode: state.mode, content }
}
