//! The sandbox's tree, what is known of it, and what the attempt in progress touched.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;

use cleveragents_runtime::domain::{NodeState, RelPath};
use cleveragents_runtime::{Content, Effect, WorkspaceError};

use super::index::{Entry, Index};
use super::manifest::Manifest;
use super::pack::Packs;
use super::sandbox::Parts;
use crate::beneath::{Root, parent_and_name};
use crate::error::{During, shown};

/// How many bytes of content one capture holds in memory; what is beyond is read from the packs when it is needed.
const HELD_BYTES: u64 = 64 * 1024 * 1024;

/// How many touched paths, and how large a file, are looked at without another thread.
const BRIEF_PATHS: usize = 16;
const BRIEF_BYTES: u64 = 1024 * 1024;

/// One path that is not what was known.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) path: Vec<u8>,
    pub(crate) before: Option<Entry>,
    pub(crate) after: Option<Entry>,
}

/// Whether the tree is what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It is.
    Settled,
    /// An attempt began and has not ended.
    Unsettled,
    /// It was removed.
    Closed,
}

/// Everything that only one at a time may use.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The directories: the private copy, and beside it, on the same file system, one where what is to be removed goes
    /// in one step.
    pub(super) parts: Parts,
    pub(crate) index: Index,
    pub(crate) packs: Packs,
    /// Paths that the attempt touched; true with everything below.
    touched: BTreeMap<Vec<u8>, bool>,
    /// A command ran, or something else whose effects may be anywhere.
    pub(crate) whole: bool,
    /// What was found standing there and is nobody's doing.
    pub(crate) outside: Vec<Change>,
    /// What the last capture of this attempt found.
    pub(crate) found: Option<Vec<Change>>,
    pub(crate) condition: Condition,
    /// Processes may have been left behind.
    pub(crate) distrusted: bool,
}

impl Tree {
    /// The tree of a sandbox as its manifest describes it.
    pub(super) fn new(parts: Parts, manifest: &Manifest, base: Vec<File>) -> Result<Self, WorkspaceError> {
        let mut slots = HashMap::with_capacity(manifest.nodes.len());
        for node in &manifest.nodes {
            if let (Some(content), Some(slot)) = (node.state.content, node.slot) {
                slots.insert(content, slot);
            }
        }
        let mut index = Index::default();
        for node in &manifest.nodes {
            index.set(node.path.clone(), Some(Entry::of_base(node)));
        }
        let packs = Packs::new(base, slots, &parts.folder)
            .during(|| format!("creating a pack in {}", parts.folder.path().display()))?;
        Ok(Self {
            parts,
            index,
            packs,
            touched: BTreeMap::new(),
            whole: false,
            outside: Vec::new(),
            found: None,
            condition: Condition::Settled,
            distrusted: false,
        })
    }

    /// The private copy.
    pub(crate) fn root(&self) -> &Root {
        &self.parts.tree
    }

    /// Fails when the private copy is not where commands look for it: a command moved it away, or put a link there.
    pub(super) fn in_place(&self) -> Result<(), WorkspaceError> {
        let place = self.root().path().display();
        if self.root().in_place().during(|| format!("looking at {place}"))? {
            return Ok(());
        }
        Err(WorkspaceError::Damaged(format!("{place} was moved or replaced by a command")))
    }

    /// Notes that the attempt is about to touch a path (and all below it, if `deep`), and looks at what stands there
    /// now: what is not as known is nobody's doing, and is known from here on.
    pub(crate) fn pin(&mut self, path: &[u8], deep: bool) -> Result<(), WorkspaceError> {
        if self.whole {
            return Ok(());
        }
        for path in ancestors(path).chain([path]) {
            self.pin_one(path)?;
        }
        if !deep || self.touched.get(path) == Some(&true) {
            return Ok(());
        }
        for below in self.all_below(path)? {
            self.pin_one(&below)?;
        }
        self.touched.insert(path.to_vec(), true);
        Ok(())
    }

    /// Pins one path, unless it is pinned by itself or with all below a directory.
    fn pin_one(&mut self, path: &[u8]) -> Result<(), WorkspaceError> {
        let covered = |dir: &[u8]| self.touched.get(dir) == Some(&true);
        if self.touched.contains_key(path) || ancestors(path).any(covered) {
            return Ok(());
        }
        self.look_outside(path)?;
        self.touched.insert(path.to_vec(), false);
        Ok(())
    }

    fn look_outside(&mut self, path: &[u8]) -> Result<(), WorkspaceError> {
        if let Some(change) = self.examine(path)? {
            self.accept_outside(vec![change]);
        }
        Ok(())
    }

    /// Takes changes as nobody's doing: reported by the next capture, and known from now on.
    pub(crate) fn accept_outside(&mut self, changes: Vec<Change>) {
        for change in &changes {
            self.index.set(change.path.clone(), change.after.clone());
        }
        self.outside.extend(changes);
    }

    /// What the attempt changed so far.
    pub(crate) fn changes(&mut self) -> Result<Vec<Change>, WorkspaceError> {
        if self.whole {
            return self.scan();
        }
        let mut paths = BTreeSet::new();
        for (path, deep) in self.touched.clone() {
            if deep {
                paths.extend(self.all_below(&path)?);
            }
            paths.insert(path);
        }
        let mut changes = Vec::new();
        for path in paths {
            changes.extend(self.examine(&path)?);
        }
        Ok(changes)
    }

    /// Whether looking at what the attempt touched takes no longer than touching it did.
    pub(crate) fn is_brief(&self) -> bool {
        let small = |path: &[u8]| self.index.get(path).is_none_or(|e| e.state.size <= BRIEF_BYTES);
        !self.whole
            && self.touched.len() <= BRIEF_PATHS
            && self.touched.iter().all(|(path, deep)| !deep && small(path))
    }

    /// Begins the count of touched paths anew.
    pub(crate) fn forget_attempt(&mut self) {
        self.touched.clear();
        self.whole = false;
        self.outside.clear();
        self.found = None;
    }

    /// Changes as the port reports them.
    pub(crate) fn effects(&self, changes: &[Change]) -> Result<Vec<Effect>, WorkspaceError> {
        let mut held = 0;
        changes
            .iter()
            .map(|change| {
                let (before, after) = (state(change.before.as_ref()), state(change.after.as_ref()));
                Ok(Effect {
                    path: rel_path(&change.path)?,
                    before_content: self.content(&change.path, before.as_ref(), &mut held)?,
                    after_content: self.content(&change.path, after.as_ref(), &mut held)?,
                    before,
                    after,
                })
            })
            .collect()
    }

    fn content(
        &self,
        path: &[u8],
        state: Option<&NodeState>,
        held: &mut u64,
    ) -> Result<Content, WorkspaceError> {
        let Some((digest, size)) = state.and_then(|s| s.content.map(|digest| (digest, s.size))) else {
            return Ok(Content::None);
        };
        *held = held.saturating_add(size);
        self.packs
            .content(&digest, *held <= HELD_BYTES)
            .during(|| format!("reading the content of {}", shown(path)))
    }

    /// Whether a directory stands there (the root always does).
    pub(super) fn holder_stands(&self, path: &[u8]) -> bool {
        let (dir, _) = parent_and_name(path);
        self.root().dir(dir).is_ok()
    }
}

/// The directories above a path, the root apart, from the top down.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at])
}

fn state(entry: Option<&Entry>) -> Option<NodeState> {
    entry.map(|e| e.state.clone())
}

/// A path that a file system gave, as the domain writes it.
pub(crate) fn rel_path(path: &[u8]) -> Result<RelPath, WorkspaceError> {
    RelPath::from_bytes(path).map_err(|e| WorkspaceError::Damaged(format!("{}: {e}", shown(path))))
}
