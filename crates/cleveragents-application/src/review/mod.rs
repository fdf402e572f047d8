//! Review: the honest diff of a changeset, from stored contents.

mod load;
mod select;

pub use select::Selection;

use std::sync::Arc;

use cleveragents_diff::{
    BinarySizes, FileChange, FileStat, Rename, RenameEnd, UnifiedDiff, find_renames, is_binary, line_counts,
    numstat, stat,
};
use cleveragents_domain::{Blobs, NetChange, NodeKind};

use crate::PlanError;
use load::Loaded;

/// The greatest content that is loaded for a diff; larger content is summarised.
pub const MAX_DIFF_BYTES: u64 = 4 * 1024 * 1024;

/// How a changeset is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffStyle {
    /// A unified diff in git's extended format; renames are shown as such.
    Patch,
    /// A line with a graph for each file, so many columns wide.
    Stat {
        /// Columns.
        width: usize,
    },
    /// Added, removed and path between tabs.
    NumStat,
    /// One path a line, in its reversible text form.
    NameOnly,
}

/// The changes in that style. Contents above [`MAX_DIFF_BYTES`] are summarised, never loaded. Blocking work runs on the
/// runtime's blocking pool.
pub async fn show_diff(
    changes: Vec<NetChange>,
    blobs: Arc<dyn Blobs>,
    style: DiffStyle,
) -> Result<Vec<u8>, PlanError> {
    if style == DiffStyle::NameOnly {
        let names = changes.iter().flat_map(|c| [c.path.to_text(), "\n".to_owned()]);
        return Ok(names.collect::<String>().into_bytes());
    }
    tokio::task::spawn_blocking(move || {
        let pairs = Pairs::of(&changes, &*blobs)?;
        match style {
            DiffStyle::Patch => patch(&changes, &pairs, &*blobs),
            DiffStyle::Stat { width } => numbers(&changes, &pairs, &*blobs, |files| stat(files, width)),
            DiffStyle::NumStat | DiffStyle::NameOnly => numbers(&changes, &pairs, &*blobs, numstat),
        }
    })
    .await
    .map_err(|e| PlanError::Actor { what: "the diff stopped".to_owned(), source: Some(e.into()) })?
}

/// Which created file was a deleted one: by position in the list of changes.
struct Pairs {
    /// For each created position: the deleted position and how alike they are.
    from: std::collections::HashMap<usize, (usize, u8)>,
    /// The deleted positions that are part of a rename.
    moved: std::collections::HashSet<usize>,
}

impl Pairs {
    fn of(changes: &[NetChange], blobs: &dyn Blobs) -> Result<Self, PlanError> {
        let is_file = |c: &NetChange| {
            let state = c.before.as_ref().or(c.after.as_ref());
            c.before.is_some() != c.after.is_some() && state.is_some_and(|s| s.kind == NodeKind::File)
        };
        let (mut gone, mut made) = (Vec::new(), Vec::new());
        for (at, change) in changes.iter().enumerate().filter(|(_, c)| is_file(c)) {
            let list = if change.after.is_none() { &mut gone } else { &mut made };
            list.push((at, load::rename_content(change, blobs)?));
        }
        let ends = |list: &[(usize, Option<Vec<u8>>)]| -> Vec<(usize, [u8; 32])> {
            list.iter().map(|(at, _)| (*at, load::hash(&changes[*at]))).collect()
        };
        let (gone_hashes, made_hashes) = (ends(&gone), ends(&made));
        let pairs =
            find_renames(&borrow(changes, &gone, &gone_hashes), &borrow(changes, &made, &made_hashes));
        let from = pairs.iter().map(|p| (made[p.created].0, (gone[p.deleted].0, p.similarity))).collect();
        Ok(Self { from, moved: pairs.iter().map(|p| gone[p.deleted].0).collect() })
    }
}

fn borrow<'a>(
    changes: &'a [NetChange],
    contents: &'a [(usize, Option<Vec<u8>>)],
    hashes: &'a [(usize, [u8; 32])],
) -> Vec<RenameEnd<'a>> {
    let both = contents.iter().zip(hashes);
    both.map(|((at, content), (_, hash))| RenameEnd {
        path: changes[*at].path.as_bytes(),
        hash,
        content: content.as_deref(),
    })
    .collect()
}

fn patch(changes: &[NetChange], pairs: &Pairs, blobs: &dyn Blobs) -> Result<Vec<u8>, PlanError> {
    let (mut out, writer) = (Vec::new(), UnifiedDiff::new());
    for (at, change) in changes.iter().enumerate().filter(|(at, _)| !pairs.moved.contains(at)) {
        let path = change.path.as_bytes();
        let after = Loaded::of(change.after.as_ref(), blobs)?;
        if let Some((from, similarity)) = pairs.from.get(&at) {
            let source = &changes[*from];
            let before = Loaded::of(source.before.as_ref(), blobs)?;
            let file = FileChange { path, before: before.side(), after: after.side() };
            let rename = Rename { from: source.path.as_bytes(), similarity: *similarity };
            writer.append_renamed(&file, &rename, &mut out);
        } else {
            let before = Loaded::of(change.before.as_ref(), blobs)?;
            writer.append(&FileChange { path, before: before.side(), after: after.side() }, &mut out);
        }
    }
    Ok(out)
}

/// The numbers of every file and link; directories and special nodes have no lines and no bytes.
fn numbers(
    changes: &[NetChange],
    pairs: &Pairs,
    blobs: &dyn Blobs,
    render: impl Fn(&[FileStat<'_>]) -> String,
) -> Result<Vec<u8>, PlanError> {
    let mut files = Vec::new();
    for (at, change) in changes.iter().enumerate().filter(|(at, _)| !pairs.moved.contains(at)) {
        let source = pairs.from.get(&at).map(|(from, _)| &changes[*from]);
        let old = source.unwrap_or(change).before.as_ref();
        let (before, after) = (Loaded::of(old, blobs)?, Loaded::of(change.after.as_ref(), blobs)?);
        let sizes = BinarySizes { before: before.size(), after: after.size() };
        let (added, removed, binary) = match (before.text(), after.text()) {
            (Some(old), Some(new)) if !is_binary(old) && !is_binary(new) => {
                let counts = line_counts(old, new);
                (counts.added, counts.removed, None)
            }
            _ => (0, 0, Some(sizes)),
        };
        let from = source.map(|s| s.path.as_bytes());
        files.push(FileStat { path: change.path.as_bytes(), from, added, removed, binary });
    }
    Ok(render(&files).into_bytes())
}
