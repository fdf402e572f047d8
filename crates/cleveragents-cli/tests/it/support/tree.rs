//! The oracle: walks a tree with nothing but the standard library.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

/// What stands at a path.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Node {
    File { mode: u32, bytes: Vec<u8> },
    Link(Vec<u8>),
    Dir { mode: u32 },
    Other,
}

/// Every node below a root by its path's bytes; the root itself is the empty path.
pub(crate) type Tree = BTreeMap<Vec<u8>, Node>;

pub(crate) fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    walk(root, &mut |path, relative| {
        let meta = fs::symlink_metadata(path).unwrap();
        let mode = meta.mode() & 0o7777;
        let node = if meta.is_symlink() {
            Node::Link(fs::read_link(path).unwrap().as_os_str().as_bytes().to_vec())
        } else if meta.is_dir() {
            Node::Dir { mode }
        } else if meta.is_file() {
            Node::File { mode, bytes: fs::read(path).unwrap() }
        } else {
            Node::Other
        };
        tree.insert(relative.to_vec(), node);
    });
    tree
}

/// Inode, mode, size, mtime and ctime of every node: when these are the same, nothing was written at all.
pub(crate) fn stamps(root: &Path) -> BTreeMap<Vec<u8>, [i64; 7]> {
    let mut stamps = BTreeMap::new();
    walk(root, &mut |path, relative| {
        let meta = fs::symlink_metadata(path).unwrap();
        let numbers = [
            meta.ino().cast_signed(),
            i64::from(meta.mode()),
            meta.size().cast_signed(),
            meta.mtime(),
            meta.mtime_nsec(),
            meta.ctime(),
            meta.ctime_nsec(),
        ];
        stamps.insert(relative.to_vec(), numbers);
    });
    stamps
}

fn walk(root: &Path, visit: &mut dyn FnMut(&Path, &[u8])) {
    let mut todo = vec![root.to_owned()];
    while let Some(path) = todo.pop() {
        visit(&path, path.strip_prefix(root).unwrap().as_os_str().as_bytes());
        if fs::symlink_metadata(&path).unwrap().is_dir() {
            todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

/// Fails with every path that differs.
#[track_caller]
pub(crate) fn assert_same(found: &Tree, wanted: &Tree, what: &str) {
    let mut words = String::new();
    for path in found.keys().chain(wanted.keys().filter(|path| !found.contains_key(*path))) {
        let (found, wanted) = (found.get(path), wanted.get(path));
        if found != wanted {
            let name = String::from_utf8_lossy(path);
            let _ = writeln!(words, "  {name:?}: found {}, wanted {}", shown(found), shown(wanted));
        }
    }
    assert!(words.is_empty(), "{what}:\n{words}");
}

fn shown(node: Option<&Node>) -> String {
    match node {
        None => "nothing".to_owned(),
        Some(Node::Dir { mode }) => format!("a directory {mode:04o}"),
        Some(Node::Link(target)) => format!("a link to {:?}", String::from_utf8_lossy(target)),
        Some(Node::Other) => "something else".to_owned(),
        Some(Node::File { mode, bytes }) => {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
            format!("a file {mode:04o} of {} bytes {head:?}", bytes.len())
        }
    }
}

/// Copies files, links and directories, with their modes.
pub(crate) fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (kind, to) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&entry.path(), &to);
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path()).unwrap(), to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    fs::set_permissions(to, fs::metadata(from).unwrap().permissions()).unwrap();
}
