//! Looking at the tree: which nodes are not what was known, read only where the metadata leaves a doubt.

use std::io::{self, Read};
use std::os::fd::AsFd;

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::{Digest, MAX_SMALL_BLOB, NodeKind, NodeState};
use rustix::fs::fstat;

use super::index::{Entry, Index, is_racy};
use super::tree::{Change, Tree};
use crate::beneath::{
    Root, Stat, coarse_now, is_absent, is_protected, is_protected_name, join, list, lstat, open_read,
    read_link,
};
use crate::error::{During, shown};
use crate::work;

/// From so many nodes on a scan pays for more than one thread.
const PARALLEL_FROM: usize = 2_000;

/// How often a file that changes while it is read is read again.
const TRIES: usize = 3;

impl Tree {
    /// Compares one path with what is known of it. Equal states with other metadata are taken over silently.
    pub(crate) fn examine(&mut self, path: &[u8]) -> Result<Option<Change>, WorkspaceError> {
        if is_protected(path) {
            return Ok(None);
        }
        let words = || format!("looking at {}", shown(path));
        let stat = self.root().stat(path).during(words)?;
        let after = match (self.index.get(path), stat) {
            (None, None) => return Ok(None),
            (Some(known), Some(stat)) if known.fits(&stat) => return Ok(None),
            (Some(known), None) if known.phantom && self.holder_stands(path) => return Ok(None),
            (Some(_), None) => None,
            (_, Some(_)) => self.read(path).during(words)?,
        };
        let before = self.index.get(path).cloned();
        if let (Some(before), Some(after)) = (&before, &after)
            && before.state == after.state
        {
            self.index.set(path.to_vec(), Some(after.clone()));
            return Ok(None);
        }
        Ok((before.is_some() || after.is_some()).then(|| Change { path: path.to_vec(), before, after }))
    }

    /// Compares everything with what is known.
    pub(crate) fn scan(&mut self) -> Result<Vec<Change>, WorkspaceError> {
        let round = self.index.next_round();
        let threads = if self.index.len() < PARALLEL_FROM { 1 } else { work::threads() };
        let (root, index) = (self.root(), &self.index);
        let doubts =
            work::drain(vec![Vec::new()], vec![Vec::new(); threads], |doubts, dir: Vec<u8>, more| {
                look_into(root, index, round, &dir, doubts, more)
                    .during(|| format!("looking into {}", shown(&dir)))
            })?;
        let mut paths: Vec<Vec<u8>> = doubts.into_iter().flatten().collect();
        paths.extend(
            index.below(b"").filter(|(_, entry)| !entry.was_seen(round)).map(|(path, _)| path.clone()),
        );
        paths.sort_unstable();
        paths.dedup();
        let mut changes = Vec::new();
        for path in paths {
            changes.extend(self.examine(&path)?);
        }
        Ok(changes)
    }

    /// Every path below a directory that is known or stands there; `.git` apart.
    pub(crate) fn all_below(&self, dir: &[u8]) -> Result<Vec<Vec<u8>>, WorkspaceError> {
        let mut paths: Vec<Vec<u8>> = self.index.below(dir).map(|(path, _)| path.clone()).collect();
        let mut dirs = vec![dir.to_vec()];
        while let Some(dir) = dirs.pop() {
            let names = names_in(self.root(), &dir).during(|| format!("looking into {}", shown(&dir)))?;
            for (path, stat) in names.into_iter().filter(|(path, _)| !is_protected(path)) {
                if stat.kind == NodeKind::Directory {
                    dirs.push(path.clone());
                }
                paths.push(path);
            }
        }
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Whether a `.git` stands anywhere below a directory.
    pub(crate) fn holds_protected(&self, dir: &[u8]) -> io::Result<bool> {
        let mut dirs = vec![dir.to_vec()];
        while let Some(dir) = dirs.pop() {
            for (path, stat) in names_in(self.root(), &dir)? {
                if is_protected(&path) {
                    return Ok(true);
                }
                if stat.kind == NodeKind::Directory {
                    dirs.push(path);
                }
            }
        }
        Ok(false)
    }

    /// Reads what stands at a path, and keeps its content.
    fn read(&mut self, path: &[u8]) -> io::Result<Option<Entry>> {
        let (dir, name) = match self.root().parent(path) {
            Ok(place) => place,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let now = coarse_now();
        let Some(stat) = lstat(&dir, name)? else { return Ok(None) };
        let (state, stat) = match stat.kind {
            NodeKind::Directory => (NodeState::directory(stat.mode), stat),
            NodeKind::Special => (NodeState::special(stat.mode), stat),
            NodeKind::Symlink => {
                let target = read_link(&dir, name)?;
                let state = NodeState::symlink(&target);
                self.packs.put(Digest::of(&target), &target)?;
                (state, stat)
            }
            NodeKind::File => self.read_file(&dir, name)?,
        };
        let racy = is_racy(&stat.stamp, now);
        let special = (stat.kind == NodeKind::Special).then_some(stat.special);
        Ok(Some(Entry::new(state, stat.stamp, racy).with_special(special)))
    }

    fn read_file(&mut self, dir: impl AsFd, name: &[u8]) -> io::Result<(NodeState, Stat)> {
        let mut tries = 0;
        loop {
            tries += 1;
            let mut file = open_read(&dir, name)?;
            let before = Stat::from_raw(&fstat(&file)?);
            let (content, size) = if before.stamp.size <= MAX_SMALL_BLOB as u64 {
                let mut bytes = Vec::with_capacity(usize::try_from(before.stamp.size).unwrap_or(0) + 1);
                (&mut file).take(before.stamp.size + 1).read_to_end(&mut bytes)?;
                let digest = Digest::of(&bytes);
                self.packs.put(digest, &bytes)?;
                (digest, bytes.len() as u64)
            } else {
                self.packs.put_stream(&mut file)?
            };
            let after = lstat(&dir, name)?.unwrap_or(before);
            let same = after.stamp == before.stamp && size == before.stamp.size;
            if same || tries == TRIES {
                // A file that keeps changing is recorded as it was read; its metadata then leaves a doubt next time.
                let mode = if same { after.mode } else { before.mode };
                return Ok((NodeState { kind: NodeKind::File, mode, size, content: Some(content) }, before));
            }
        }
    }
}

/// The paths in a directory with their metadata; none when it is no directory (any more).
fn names_in(root: &Root, dir: &[u8]) -> io::Result<Vec<(Vec<u8>, Stat)>> {
    let handle = match root.open_listed(dir) {
        Ok(handle) => handle,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for name in list(&handle)? {
        if let Some(stat) = lstat(&handle, &name)? {
            found.push((join(dir, &name), stat));
        }
    }
    Ok(found)
}

/// Looks at the nodes of one directory, marks the known ones, and lists those that must be looked at more closely.
fn look_into(
    root: &Root,
    index: &Index,
    round: u64,
    dir: &[u8],
    doubts: &mut Vec<Vec<u8>>,
    more: &mut Vec<Vec<u8>>,
) -> io::Result<()> {
    let handle = match root.open_listed(dir) {
        Ok(handle) => handle,
        Err(error) if is_absent(&error) => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in list(&handle)? {
        if is_protected_name(&name) {
            continue;
        }
        let Some(stat) = lstat(&handle, &name)? else { continue };
        let path = join(dir, &name);
        let known = index.get(&path);
        if let Some(known) = known {
            known.mark(round);
        }
        if !known.is_some_and(|known| known.fits(&stat)) {
            doubts.push(path.clone());
        }
        if stat.kind == NodeKind::Directory {
            more.push(path);
        }
    }
    Ok(())
}
