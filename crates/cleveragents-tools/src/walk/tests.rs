use cleveragents_runtime::{FileInfo, WriteMode};

use super::*;

/// A tree without end: every directory holds as many directories.
struct Endless {
    names: usize,
    length: usize,
}

impl Files for Endless {
    fn list(&self, path: Option<&RelPath>) -> Result<Vec<DirEntry>, FileError> {
        let entry = |n: usize| {
            let name = format!("{n:0length$}", length = self.length).into_bytes();
            let path = path.map_or_else(|| RelPath::from_bytes(name.clone()), |path| path.join(&name));
            DirEntry { path: path.unwrap(), kind: NodeKind::Directory }
        };
        Ok((0..self.names).map(entry).collect())
    }
    fn info(&self, _: &RelPath) -> Result<Option<FileInfo>, FileError> {
        unreachable!()
    }
    fn read(&self, _: &RelPath, _: u64, _: u64) -> Result<Vec<u8>, FileError> {
        unreachable!()
    }
    fn read_link(&self, _: &RelPath) -> Result<Vec<u8>, FileError> {
        unreachable!()
    }
    fn write(&self, _: &RelPath, _: &[u8], _: Option<u32>, _: WriteMode) -> Result<(), FileError> {
        unreachable!()
    }
    fn remove(&self, _: &RelPath, _: bool) -> Result<(), FileError> {
        unreachable!()
    }
    fn rename(&self, _: &RelPath, _: &RelPath, _: bool) -> Result<(), FileError> {
        unreachable!()
    }
    fn create_dir(&self, _: &RelPath) -> Result<(), FileError> {
        unreachable!()
    }
    fn create_symlink(&self, _: &RelPath, _: &[u8]) -> Result<(), FileError> {
        unreachable!()
    }
    fn set_mode(&self, _: &RelPath, _: u32) -> Result<(), FileError> {
        unreachable!()
    }
}

/// How many nodes a walk shows, and how many bytes it held at most.
fn walked(names: usize, length: usize, depth: usize) -> (usize, usize, bool) {
    let files = Endless { names, length };
    let mut walk = Walk::from(&files, None, depth).unwrap();
    let (mut shown, mut most) = (0, walk.held);
    while walk.next(|_| true).unwrap().is_some() {
        shown += 1;
        most = most.max(walk.held);
    }
    assert_eq!(walk.held, 0, "what is done is not counted any more");
    (shown, most, walk.cut)
}

#[test]
fn a_tree_without_end_has_one() {
    let (shown, most, cut) = walked(20, 2, 5);
    assert_eq!((shown, cut), (NODE_LIMIT, true));
    assert!(most <= HELD_LIMIT);
    // A chain is followed as far as it can be named.
    let (shown, _, cut) = walked(1, 200, usize::MAX);
    assert_eq!((shown, cut), (PATH_LIMIT / 201 + 1, true));
}

#[test]
fn what_is_held_is_bounded() {
    let (_, most, cut) = walked(10_000, 200, usize::MAX);
    assert!(cut && most <= HELD_LIMIT && most > HELD_LIMIT / 2, "{most}");
}

#[test]
fn nothing_is_cut_that_fits() {
    let (shown, _, cut) = walked(7, 3, 3);
    assert_eq!((shown, cut), (7 + 7 * 7 + 7 * 7 * 7, false));
}
