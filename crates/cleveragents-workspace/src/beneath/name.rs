//! Names and relative paths as raw bytes.

use std::ops::Bound;

/// Whether a name is `.git`, in any spelling of case.
pub(crate) fn is_protected_name(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b".git")
}

/// Whether any component of a path is `.git`, in any spelling of case.
pub(crate) fn is_protected(path: &[u8]) -> bool {
    path.split(|b| *b == b'/').any(is_protected_name)
}

/// Splits a path into the directory that holds it (empty for the root) and its last component.
pub(crate) fn parent_and_name(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|b| *b == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// A path below a directory (empty for the root).
pub(crate) fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(dir.len() + name.len() + 1);
    if !dir.is_empty() {
        path.extend_from_slice(dir);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

/// The key range of everything strictly below a directory, in an ordered map of paths.
pub(crate) fn below(dir: &[u8]) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    if dir.is_empty() {
        return (Bound::Unbounded, Bound::Unbounded);
    }
    let edge = |byte: u8| [dir, &[byte]].concat();
    (Bound::Included(edge(b'/')), Bound::Excluded(edge(b'/' + 1)))
}
