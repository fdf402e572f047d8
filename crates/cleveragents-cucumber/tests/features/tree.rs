//! What really stands in a folder. Shares no code with the product.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// One node with everything that must come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    File { mode: u32, content: Vec<u8> },
    Link { target: Vec<u8> },
    Directory { mode: u32 },
}

/// Every node below `root` by its path.
pub(crate) fn tree_of(root: &Path) -> BTreeMap<String, Node> {
    let mut nodes = BTreeMap::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let metadata = std::fs::symlink_metadata(&path).unwrap();
            let mode = metadata.permissions().mode() & 0o7777;
            let node = if metadata.is_symlink() {
                Node::Link { target: std::fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec() }
            } else if metadata.is_dir() {
                waiting.push(path.clone());
                Node::Directory { mode }
            } else {
                Node::File { mode, content: std::fs::read(&path).unwrap() }
            };
            nodes.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), node);
        }
    }
    nodes
}
