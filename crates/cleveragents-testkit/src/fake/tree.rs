//! A directory's whole content, in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use cleveragents_domain::{NodeKind, NodeState, Operation, RelPath};
use cleveragents_runtime::{Content, Effect};

/// Every node below a root but `.git`, with its bytes.
pub(super) struct Tree(BTreeMap<RelPath, (NodeState, Vec<u8>)>);

impl Tree {
    pub(super) fn read(root: &Path) -> Self {
        let mut nodes = BTreeMap::new();
        let mut waiting = vec![root.to_owned()];
        while let Some(dir) = waiting.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let entry = entry.unwrap();
                if entry.file_name() == ".git" {
                    continue;
                }
                let (file, metadata) = (entry.path(), entry.metadata().unwrap());
                let path =
                    RelPath::from_bytes(file.strip_prefix(root).unwrap().as_os_str().as_bytes()).unwrap();
                let mode = metadata.permissions().mode();
                let node = if metadata.is_dir() {
                    waiting.push(file);
                    (NodeState::directory(mode), Vec::new())
                } else if metadata.is_symlink() {
                    let target = fs::read_link(file).unwrap().into_os_string().into_vec();
                    (NodeState::symlink(&target), target)
                } else if metadata.is_file() {
                    let bytes = fs::read(file).unwrap();
                    (NodeState::file(&bytes, mode), bytes)
                } else {
                    (NodeState::special(mode), Vec::new())
                };
                nodes.insert(path, node);
            }
        }
        Self(nodes)
    }

    /// Brings a directory back to this content.
    pub(super) fn write(&self, root: &Path) {
        for entry in fs::read_dir(root).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() == ".git" {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                fs::remove_dir_all(entry.path()).unwrap();
            } else {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        for (path, (state, bytes)) in &self.0 {
            let file = root.join(std::ffi::OsStr::from_bytes(path.as_bytes()));
            match state.kind {
                NodeKind::Directory => fs::create_dir(&file).unwrap(),
                NodeKind::Symlink => symlink(std::ffi::OsStr::from_bytes(bytes), &file).unwrap(),
                NodeKind::File => fs::write(&file, bytes).unwrap(),
                NodeKind::Special => panic!("{path}: a special node cannot be put back"),
            }
            if state.kind != NodeKind::Symlink {
                fs::set_permissions(&file, Permissions::from_mode(state.mode)).unwrap();
            }
        }
    }

    /// What is different in `after`.
    pub(super) fn effects(&self, after: &Self) -> Vec<Effect> {
        let paths: BTreeSet<&RelPath> = self.0.keys().chain(after.0.keys()).collect();
        let content = |node: Option<&(NodeState, Vec<u8>)>| match node {
            Some((state, bytes)) if state.content.is_some() => Content::Small(bytes.as_slice().into()),
            _ => Content::None,
        };
        let effect = |path: &RelPath| {
            let (before, after) = (self.0.get(path), after.0.get(path));
            let states = (before.map(|node| &node.0), after.map(|node| &node.0));
            Operation::between(states.0, states.1).map(|_| Effect {
                path: path.clone(),
                before: states.0.cloned(),
                after: states.1.cloned(),
                before_content: content(before),
                after_content: content(after),
            })
        };
        paths.into_iter().filter_map(effect).collect()
    }
}
