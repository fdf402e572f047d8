//! Writing changes of files as a patch in git's format.

mod file_change;
mod header;
mod hunk;
mod name;
mod note;

#[cfg(test)]
mod tests;

pub use file_change::{Content, FileChange, Side, SideKind};

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

    fn append_one(self, path: &[u8], before: Option<Side<'_>>, after: Option<Side<'_>>, out: &mut Vec<u8>) {
        let header = Header { path, before: before.map(Side::git_mode), after: after.map(Side::git_mode) };
        if let (Some(old), Some(new)) = (text(before), text(after)) {
            if old == new && header.before == header.after {
                return; // only permissions that git does not know: the note has said it
            }
            header.append(out);
            if old != new {
                header.append_names(out);
                hunk::append(old, new, self.context, out);
            }
        } else if before.and_then(Side::bytes).is_some_and(|old| after.and_then(Side::bytes) == Some(old)) {
            if header.before != header.after {
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
