//! What the sandbox held when it was last looked at.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use cleveragents_runtime::domain::{NodeKind, NodeState};

use super::manifest::BaseNode;
use crate::beneath::{Stamp, Stat, below};

/// File times are coarse: a node that changed this shortly before it was read may change again without a new time.
const RACY_NS: i64 = 20_000_000;

/// Whether a node that was read at `now` may change again and keep its times. Only the ctime counts: any program may
/// set the others.
pub(crate) fn is_racy(stamp: &Stamp, now: i64) -> bool {
    stamp.ctime >= now - RACY_NS
}

/// One known node.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) state: NodeState,
    pub(crate) stamp: Stamp,
    pub(crate) racy: bool,
    /// A special node of the project, of which the sandbox holds nothing.
    pub(crate) phantom: bool,
    /// How a special node that a call made can be made again.
    pub(crate) special: Option<(u32, u64)>,
    seen: AtomicU64,
}

impl Clone for Entry {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            stamp: self.stamp,
            racy: self.racy,
            phantom: self.phantom,
            special: self.special,
            seen: AtomicU64::new(0),
        }
    }
}

impl Entry {
    /// A node that was read.
    pub(crate) fn new(state: NodeState, stamp: Stamp, racy: bool) -> Self {
        Self { state, stamp, racy, phantom: false, special: None, seen: AtomicU64::new(0) }
    }

    /// The same, with the nature of a special node.
    pub(crate) fn with_special(self, special: Option<(u32, u64)>) -> Self {
        Self { special, ..self }
    }

    /// A state that is wanted or recorded, without a node that was looked at: the next look reads whatever is there.
    pub(crate) fn unseen(state: NodeState) -> Self {
        let phantom = state.kind == NodeKind::Special;
        Self { state, stamp: Stamp::default(), racy: true, phantom, special: None, seen: AtomicU64::new(0) }
    }

    /// A node of the base.
    pub(crate) fn of_base(node: &BaseNode) -> Self {
        let phantom = node.state.kind == NodeKind::Special;
        Self {
            state: node.state.clone(),
            stamp: node.stamp,
            racy: node.racy,
            phantom,
            special: None,
            seen: AtomicU64::new(0),
        }
    }

    /// Wants another state; an equal one changes nothing.
    pub(crate) fn replace(&mut self, state: &NodeState) {
        if self.state != *state {
            *self = Self::unseen(state.clone());
        }
    }

    /// Whether a node with this metadata is surely the known one.
    pub(crate) fn fits(&self, stat: &Stat) -> bool {
        if self.phantom || self.state.kind != stat.kind || self.state.mode != mode_of(stat) {
            return false;
        }
        match stat.kind {
            NodeKind::Directory | NodeKind::Special => true,
            NodeKind::File | NodeKind::Symlink => !self.racy && self.stamp == stat.stamp,
        }
    }

    /// Marks the entry as found in a round of looking.
    pub(crate) fn mark(&self, round: u64) {
        self.seen.store(round, Ordering::Relaxed);
    }

    /// Whether it was found in that round.
    pub(crate) fn was_seen(&self, round: u64) -> bool {
        self.seen.load(Ordering::Relaxed) == round
    }
}

/// The mode that a state records: a link has none of its own.
pub(crate) fn mode_of(stat: &Stat) -> u32 {
    if stat.kind == NodeKind::Symlink { 0o777 } else { stat.mode }
}

/// Every known node by path.
#[derive(Debug, Default)]
pub(crate) struct Index {
    entries: BTreeMap<Vec<u8>, Entry>,
    round: u64,
}

impl Index {
    /// What is known at a path.
    pub(crate) fn get(&self, path: &[u8]) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Takes a new look into account.
    pub(crate) fn set(&mut self, path: Vec<u8>, entry: Option<Entry>) {
        match entry {
            Some(entry) => {
                self.entries.insert(path, entry);
            }
            None => {
                self.entries.remove(&path);
            }
        }
    }

    /// Everything known strictly below a directory; the empty path is the root.
    pub(crate) fn below(&self, dir: &[u8]) -> impl Iterator<Item = (&Vec<u8>, &Entry)> {
        self.entries.range::<Vec<u8>, _>(below(dir))
    }

    /// How many nodes are known.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Starts a round of looking at everything.
    pub(crate) fn next_round(&mut self) -> u64 {
        self.round += 1;
        self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(ctime: i64) -> Stat {
        let stamp = Stamp { ino: 1, size: 4, mtime: 0, ctime };
        Stat { kind: NodeKind::File, mode: 0o644, dev: 1, links: 1, uid: 0, gid: 0, special: (0, 0), stamp }
    }

    #[test]
    fn equal_times_are_trusted_only_when_they_were_old_enough() {
        let state = NodeState::file(b"1234", 0o644);
        for (age, trusted) in [(0, false), (19_999_999, false), (20_000_001, true), (-5, false)] {
            let (now, stat) = (1_000_000_000, stat(1_000_000_000 - age));
            let entry = Entry::new(state.clone(), stat.stamp, is_racy(&stat.stamp, now));
            assert_eq!(entry.fits(&stat), trusted, "{age} ns");
        }
    }

    #[test]
    fn another_mode_kind_or_stamp_is_a_doubt() {
        let known = Entry::new(NodeState::file(b"1234", 0o644), stat(1).stamp, false);
        assert!(known.fits(&stat(1)) && !known.fits(&stat(2)));
        assert!(!known.fits(&Stat { mode: 0o600, ..stat(1) }));
        assert!(!known.fits(&Stat { kind: NodeKind::Directory, ..stat(1) }));
    }
}
