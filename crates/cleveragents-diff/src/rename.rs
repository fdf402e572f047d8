//! Finding out which created file was a deleted one.

mod lines;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashMap;

use lines::Lines;

/// Files larger than this, in bytes, are the same file only if their hashes are equal.
pub const RENAME_SIZE_LIMIT: usize = 256 * 1024;

/// From this likeness on, out of a hundred, it is a rename; git's own limit.
const LIKE_ENOUGH: u64 = 50;
/// The most lines that are compared in all. git looks at a million pairs at the most, whatever their size.
const WORK: usize = 50_000_000;

/// A file that was deleted or created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenameEnd<'a> {
    /// Its path; of several that are alike, one with the same base name is taken.
    pub path: &'a [u8],
    /// A hash of its content, of any sort, as long as equal ones mean equal contents.
    pub hash: &'a [u8],
    /// Its content; `None` if it is not loaded, so that the hash alone decides.
    pub content: Option<&'a [u8]>,
}

/// A deleted and a created file that are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenamePair {
    /// The place in the list of deleted files.
    pub deleted: usize,
    /// The place in the list of created files.
    pub created: usize,
    /// How alike they are, out of a hundred; a hundred only if they are equal.
    pub similarity: u8,
}

/// Pairs deleted with created files: first those with equal hashes, then those most alike, by how many bytes stand in
/// lines that both have. Each file is in one pair at the most. Empty files are never paired. The work is bounded: where
/// there are too many files to compare all, those that come first in the lists are compared.
///
/// ```
/// use cleveragents_diff::{RenameEnd, find_renames};
///
/// let old = RenameEnd { path: b"a", hash: b"1", content: Some(b"one\ntwo\nthree\n") };
/// let new = RenameEnd { path: b"b", hash: b"2", content: Some(b"one\ntwo\n3\n") };
/// let pairs = find_renames(&[old], &[new]);
/// assert_eq!((pairs[0].deleted, pairs[0].created, pairs[0].similarity), (0, 0, 57));
/// ```
pub fn find_renames(deleted: &[RenameEnd<'_>], created: &[RenameEnd<'_>]) -> Vec<RenamePair> {
    let mut pairs = equal(deleted, created);
    let mut left: Vec<Option<Lines>> = deleted.iter().map(Lines::of).collect();
    let mut right: Vec<Option<Lines>> = created.iter().map(Lines::of).collect();
    for pair in &pairs {
        left[pair.deleted] = None;
        right[pair.created] = None;
    }
    let mut alike = Vec::new();
    let mut work = WORK;
    'all: for (to, new) in right.iter().enumerate() {
        let Some(new) = new else { continue };
        for (from, old) in left.iter().enumerate() {
            let Some(old) = old else { continue };
            let (smaller, larger) = (old.size.min(new.size), old.size.max(new.size));
            let Some(rest) = work.checked_sub(1) else { break 'all };
            work = rest;
            if smaller * 100 < larger * LIKE_ENOUGH {
                continue;
            }
            let Some(rest) = work.checked_sub(old.count() + new.count()) else { break 'all };
            work = rest;
            let similarity = old.shared(new) * 100 / larger;
            if similarity >= LIKE_ENOUGH {
                let same_name = base_name(deleted[from].path) == base_name(created[to].path);
                // Not equal: the hashes say so, even where only the order of the lines differs.
                alike.push((similarity.min(99), same_name, Reverse(from), Reverse(to)));
            }
        }
    }
    alike.sort_unstable_by_key(|&pair| Reverse(pair));
    for (similarity, _, Reverse(from), Reverse(to)) in alike {
        if left[from].is_some() && right[to].is_some() {
            left[from] = None;
            right[to] = None;
            let similarity = u8::try_from(similarity).unwrap_or(99);
            pairs.push(RenamePair { deleted: from, created: to, similarity });
        }
    }
    pairs.sort_by_key(|pair| pair.created);
    pairs
}

/// A hash, and perhaps a base name.
type Key<'a> = (&'a [u8], Option<&'a [u8]>);

/// The pairs with equal hashes; of several the one with the same base name, or else the first.
fn equal(deleted: &[RenameEnd<'_>], created: &[RenameEnd<'_>]) -> Vec<RenamePair> {
    let is_empty = |end: &RenameEnd<'_>| end.content.is_some_and(<[u8]>::is_empty);
    let mut waiting: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
    for (from, end) in deleted.iter().enumerate().rev().filter(|(_, end)| !is_empty(end)) {
        waiting.entry((end.hash, Some(base_name(end.path)))).or_default().push(from);
        waiting.entry((end.hash, None)).or_default().push(from);
    }
    let mut taken = vec![false; deleted.len()];
    let mut given = vec![false; created.len()];
    let mut pairs = Vec::new();
    for named in [true, false] {
        for (to, end) in created.iter().enumerate().filter(|(_, end)| !is_empty(end)) {
            if given[to] {
                continue;
            }
            let Some(places) = waiting.get_mut(&(end.hash, named.then(|| base_name(end.path)))) else {
                continue;
            };
            while let Some(from) = places.pop() {
                if !taken[from] {
                    taken[from] = true;
                    given[to] = true;
                    pairs.push(RenamePair { deleted: from, created: to, similarity: 100 });
                    break;
                }
            }
        }
    }
    pairs
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
