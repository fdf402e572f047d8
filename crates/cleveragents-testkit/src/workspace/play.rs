//! Law L1 as a game: random calls, each kept or discarded, the tree compared with the fold after each.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Arc;

use cleveragents_domain::{Blobs, NetChange, NodeState, RelPath, RootId};
use cleveragents_runtime::{Attempt, Content, Effect, FileError, Workspace, WriteMode};

use super::oracle::{Snapshot, fold, unfold, walk};

/// One thing that a call does. File operations may be refused; that is part of the game.
#[derive(Debug, Clone)]
pub enum Act {
    /// Writes a file, its mode given or not.
    Write(RelPath, Vec<u8>, Option<u32>),
    /// Removes a node, with all below it if true.
    Remove(RelPath, bool),
    /// Moves a node, over another if true.
    Rename(RelPath, RelPath, bool),
    /// Makes a directory.
    CreateDir(RelPath),
    /// Makes a symlink.
    CreateSymlink(RelPath, Vec<u8>),
    /// Sets permission bits.
    SetMode(RelPath, u32),
    /// Runs a command with `sh -c` in the sandbox.
    Command(String),
}

/// A call: what it does, and whether it is kept.
#[derive(Debug, Clone)]
pub struct Call {
    /// In this order.
    pub acts: Vec<Act>,
    /// Else it is discarded.
    pub keep: bool,
}

/// What a game came to.
#[derive(Debug)]
pub struct Played {
    /// The tree in the end.
    pub tree: Snapshot,
    /// What differs from the base.
    pub net: Vec<NetChange>,
}

/// Does one thing in an attempt. Returns whether it was done rather than refused.
pub fn act(attempt: &dyn Attempt, act: &Act) -> bool {
    let files = attempt.files();
    let done: Result<(), FileError> = match act {
        Act::Write(path, content, mode) => files.write(path, content, *mode, WriteMode::CreateOrReplace),
        Act::Remove(path, recursive) => files.remove(path, *recursive),
        Act::Rename(from, to, overwrite) => files.rename(from, to, *overwrite),
        Act::CreateDir(path) => files.create_dir(path),
        Act::CreateSymlink(path, target) => files.create_symlink(path, target),
        Act::SetMode(path, mode) => files.set_mode(path, *mode),
        Act::Command(command) => {
            let root = attempt.command_root().unwrap();
            // A pipe that nobody reads would hold a command up for ever.
            let mut sh = Command::new("timeout");
            sh.args(["1", "sh", "-c", command]).current_dir(root.sandbox).stdin(Stdio::null());
            return sh.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success();
        }
    };
    done.is_ok()
}

/// Plays calls in a fresh workspace over `base`. After each call the tree must be the fold of what was kept, both
/// ways; every content goes into `blobs`.
pub async fn play(
    workspace: &dyn Workspace,
    base: &Snapshot,
    calls: &[Call],
    blobs: &Arc<dyn Blobs>,
) -> Result<Played, String> {
    let place = workspace.info().location;
    let mut tree = walk(&place);
    same("the fresh copy", &tree, base)?;
    let mut states: BTreeMap<RelPath, (Option<NodeState>, Option<NodeState>)> = BTreeMap::new();
    for (number, call) in calls.iter().enumerate() {
        let attempt = workspace.begin().await.map_err(|e| format!("begin: {e}"))?;
        for one in &call.acts {
            act(&*attempt, one);
        }
        let capture = attempt.capture().await.map_err(|e| format!("capture: {e}"))?;
        if let Some(effect) = capture.outside.first() {
            return Err(format!("call {number}: {} is said to be outside", effect.path));
        }
        let real = walk(&place);
        let folded = fold(&tree, &capture.effects).map_err(|e| format!("call {number}: {e}"))?;
        same(&format!("call {number}: the fold"), &folded, &real)?;
        let unfolded = unfold(&real, &capture.effects).map_err(|e| format!("call {number}, back: {e}"))?;
        same(&format!("call {number}: the fold back"), &unfolded, &tree)?;
        if call.keep {
            store(&capture.effects, &**blobs);
            attempt.keep().await.map_err(|e| format!("keep: {e}"))?;
            for effect in capture.effects {
                let (_, after) = states.entry(effect.path).or_insert((effect.before, None));
                *after = effect.after;
            }
            tree = real;
        } else {
            attempt.discard().await.map_err(|e| format!("discard: {e}"))?;
            same(&format!("call {number}: the tree after discard"), &walk(&place), &tree)?;
        }
    }
    let root = RootId::project();
    let net = states
        .into_iter()
        .filter(|(_, (before, after))| before != after)
        .map(|(path, (before, after))| NetChange { root: root.clone(), path, before, after })
        .collect();
    Ok(Played { tree, net })
}

/// Keeps every content that effects carry.
fn store(effects: &[Effect], blobs: &dyn Blobs) {
    for content in effects.iter().flat_map(|e| [&e.before_content, &e.after_content]) {
        let mut reader: Box<dyn Read + '_> = match content {
            Content::None => continue,
            Content::Small(bytes) => Box::new(&bytes[..]),
            Content::Large(source) => source.open().unwrap(),
        };
        blobs.put(&mut *reader).unwrap();
    }
}

/// Fails in words that name the first difference.
fn same(what: &str, found: &Snapshot, wanted: &Snapshot) -> Result<(), String> {
    let paths = found.keys().chain(wanted.keys());
    let Some(path) = paths.into_iter().find(|path| found.get(*path) != wanted.get(*path)) else {
        return Ok(());
    };
    let (found, wanted) = (found.get(path), wanted.get(path));
    Err(format!("{what}: at {:?} there is {found:?}, not {wanted:?}", String::from_utf8_lossy(path)))
}
