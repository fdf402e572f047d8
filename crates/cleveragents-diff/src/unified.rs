//! Writing changes of files as a patch in git's format.

mod file_change;
mod header;
mod hunk;
mod name;
mod note;

#[cfg(test)]
mod tests;

pub use file_change::{Content, FileChange, Rename, Side, SideKind};

pub(crate) use name::append as append_name;

use header::Header;

/// Writes changes one after the other as git does; the whole is one patch for `git apply`.
///
/// What the format cannot carry stands in comment lines in front of the change, which `git apply` skips:
///
/// ```text
/// # mode 0644 -> 0600 notes/key.txt
/// # directory created: cache
/// # content not shown: big.iso (before 0 bytes, after 5368709120 bytes)
/// ```
///
/// A patch of nothing but comments is refused by `git apply`, and so is a binary change, whose bytes are not in
/// the patch. `index` lines are left out: there are no git objects behind the contents.
#[derive(Debug, Clone, Copy)]
pub struct UnifiedDiff {
    context: usize,
}

impl Default for UnifiedDiff {
    fn default() -> Self {
        Self { context: 3 }
    }
}

impl UnifiedDiff {
    /// A writer with three lines of context.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of equal lines around a change. `git apply` wants at least one.
    #[must_use]
    pub fn with_context(self, lines: usize) -> Self {
        Self { context: lines }
    }

    /// Appends one change to `out`; nothing if its two sides are the same.
    ///
    /// The path is written as it is, with no thought of where it leads: `git apply` refuses `..`, absolute paths
    /// and `.git`.
    pub fn append(&self, change: &FileChange<'_>, out: &mut Vec<u8>) {
        let FileChange { path, before, after } = *change;
        if before == after && !before.is_some_and(Side::is_unseen) {
            return;
        }
        note::append(change, out);
        match (before.filter(Side::is_in_git), after.filter(Side::is_in_git)) {
            (None, None) => {}
            // As git does it: a file does not turn into a link, it goes and the link comes.
            (Some(before), Some(after)) if before.kind != after.kind => {
                self.append_one(path, Some(before), None, out);
                self.append_one(path, None, Some(after), out);
            }
            (before, after) => self.append_one(path, before, after, out),
        }
    }

    /// Like [`append`](Self::append), for a file that came from another path: `change.before` is what stood there. A
    /// change that is no rename (one side is missing, is not a file, or is of another kind) is written as a removal
    /// there and a creation here.
    pub fn append_renamed(&self, change: &FileChange<'_>, rename: &Rename<'_>, out: &mut Vec<u8>) {
        let FileChange { path, before, after } = *change;
        match (before.filter(Side::is_in_git), after.filter(Side::is_in_git)) {
            (Some(old), Some(new)) if old.kind == new.kind && path != rename.from => {
                note::append(change, out);
                let header = Header {
                    path,
                    rename: Some(*rename),
                    before: Some(old.git_mode()),
                    after: Some(new.git_mode()),
                };
                self.append_sides(&header, Some(old), Some(new), out);
            }
            _ if path == rename.from => self.append(change, out),
            _ => {
                self.append(&FileChange { path: rename.from, before, after: None }, out);
                self.append(&FileChange { path, before: None, after }, out);
            }
        }
    }

    fn append_one(self, path: &[u8], before: Option<Side<'_>>, after: Option<Side<'_>>, out: &mut Vec<u8>) {
        let (old, new) = (before.map(Side::git_mode), after.map(Side::git_mode));
        self.append_sides(&Header { path, rename: None, before: old, after: new }, before, after, out);
    }

    fn append_sides(
        self,
        header: &Header<'_>,
        before: Option<Side<'_>>,
        after: Option<Side<'_>>,
        out: &mut Vec<u8>,
    ) {
        // Without one of these, permissions that git does not know are all there is, and the note has said it.
        let told = header.before != header.after || header.rename.is_some();
        if let (Some(old), Some(new)) = (text(before), text(after)) {
            if old == new && !told {
                return;
            }
            header.append(out);
            if old != new {
                header.append_names(out);
                hunk::append(old, new, self.context, out);
            }
        } else if before.and_then(Side::bytes).is_some_and(|old| after.and_then(Side::bytes) == Some(old)) {
            if told {
                header.append(out);
            }
        } else {
            header.append(out);
            header.append_binary(out);
        }
    }
}

/// The text of a side; that of a side that is not there is empty.
fn text(side: Option<Side<'_>>) -> Option<&[u8]> {
    side.map_or(Some(b""), Side::text)
}
