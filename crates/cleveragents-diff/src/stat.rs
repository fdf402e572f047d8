//! Changes as numbers, written the way git writes them.

mod graph;
mod name;

use std::fmt::Write as _;

/// One file's line in a [`stat`] or [`numstat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat<'a> {
    /// Its path; that which it had, if it is gone.
    pub path: &'a [u8],
    /// The path it came from, if it was renamed or copied.
    pub from: Option<&'a [u8]>,
    /// Lines added; not looked at if it is binary.
    pub added: u32,
    /// Lines removed; not looked at if it is binary.
    pub removed: u32,
    /// Set if it is binary.
    pub binary: Option<BinarySizes>,
}

/// The sizes of a binary file in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinarySizes {
    /// Before; zero if it was not there.
    pub before: u64,
    /// After; zero if it is gone.
    pub after: u64,
}

/// `added`, `removed` and the path of each file between tabs, like `git diff --numstat`; `-` for a binary one.
///
/// ```
/// use cleveragents_diff::{FileStat, numstat};
///
/// let file = FileStat { path: b"src/b.rs", from: Some(b"src/a.rs"), added: 2, removed: 1, binary: None };
/// assert_eq!(numstat(&[file]), "2\t1\tsrc/{a.rs => b.rs}\n");
/// ```
pub fn numstat(files: &[FileStat<'_>]) -> String {
    let mut text = String::new();
    for file in files {
        let name = name::shown(file);
        let _ = match file.binary {
            Some(_) => writeln!(text, "-\t-\t{name}"),
            None => writeln!(text, "{}\t{}\t{name}", file.added, file.removed),
        };
    }
    text
}

/// A line with a graph for each file and a sum, `width` columns wide, like `git diff --stat=WIDTH`; git's own width
/// for a file or pipe is 80.
///
/// ```
/// use cleveragents_diff::{FileStat, stat};
///
/// let file = FileStat { path: b"a.rs", from: None, added: 2, removed: 1, binary: None };
/// assert_eq!(
///     stat(&[file], 80),
///     " a.rs | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n"
/// );
/// ```
pub fn stat(files: &[FileStat<'_>], width: usize) -> String {
    let mut text = String::new();
    if files.is_empty() {
        return text;
    }
    graph::append(files, width, &mut text);
    let texts = || files.iter().filter(|file| file.binary.is_none());
    let added: u64 = texts().map(|file| u64::from(file.added)).sum();
    let removed: u64 = texts().map(|file| u64::from(file.removed)).sum();
    let _ = write!(text, " {} file{} changed", files.len(), plural(files.len() as u64));
    if added > 0 || removed == 0 {
        let _ = write!(text, ", {added} insertion{}(+)", plural(added));
    }
    if removed > 0 || added == 0 {
        let _ = write!(text, ", {removed} deletion{}(-)", plural(removed));
    }
    text.push('\n');
    text
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
