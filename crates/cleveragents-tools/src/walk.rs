//! A walk through the directories of a project, in the order of the tree, one node at a time.

use std::vec::IntoIter;

use cleveragents_runtime::domain::{NodeKind, RelPath};
use cleveragents_runtime::{DirEntry, FileError, Files};
use serde_json::{Map, Value};

use crate::start::is_hidden;

/// How many nodes one walk sees: it bounds the time.
const NODE_LIMIT: usize = 500_000;

/// How many bytes the names that are still to come may take.
const HELD_LIMIT: usize = 64 * 1024 * 1024;

/// How long the path of a directory may be that it goes down into: as long as a program can name.
const PATH_LIMIT: usize = 4096;

/// Goes down directories but not through links, so it ends; never shows a `.git`. What is held in memory are the names
/// that are still to come in the directories on the way down.
pub(crate) struct Walk<'a> {
    files: &'a dyn Files,
    levels: Vec<Level>,
    depth: usize,
    seen: usize,
    held: usize,
    /// Whether a limit was reached: what is held is still shown, and nothing is added.
    full: bool,
    /// Directories that could not be read.
    unreadable: u64,
    /// Whether it ended before it had seen everything.
    pub(crate) cut: bool,
}

/// What is still to come of a directory.
struct Level {
    entries: IntoIter<DirEntry>,
    /// How many bytes it takes.
    held: usize,
}

impl<'a> Walk<'a> {
    /// A walk from a directory (`None` is the project itself), `depth` levels down.
    pub(crate) fn from(
        files: &'a dyn Files,
        directory: Option<&RelPath>,
        depth: usize,
    ) -> Result<Self, FileError> {
        let mut walk = Self {
            files,
            levels: Vec::new(),
            depth,
            seen: 0,
            held: 0,
            full: false,
            unreadable: 0,
            cut: false,
        };
        let names = files.list(directory)?;
        walk.go_down(names);
        Ok(walk)
    }

    /// The next node. A directory comes before what it holds, which comes only if `enters` says so.
    pub(crate) fn next(
        &mut self,
        enters: impl FnOnce(&RelPath) -> bool,
    ) -> Result<Option<DirEntry>, FileError> {
        let entry = loop {
            let Some(level) = self.levels.last_mut() else { return Ok(None) };
            match level.entries.next() {
                Some(entry) if is_hidden(entry.path.file_name()) => {}
                Some(entry) => break entry,
                None => {
                    self.held -= level.held;
                    self.levels.pop();
                }
            }
        };
        if entry.kind != NodeKind::Directory || self.levels.len() >= self.depth || !enters(&entry.path) {
            return Ok(Some(entry));
        }
        if self.full || entry.path.as_bytes().len() > PATH_LIMIT {
            self.cut = true;
            return Ok(Some(entry));
        }
        match self.files.list(Some(&entry.path)) {
            Ok(names) => self.go_down(names),
            Err(FileError::Ended) => return Err(FileError::Ended),
            Err(_) => self.unreadable += 1,
        }
        Ok(Some(entry))
    }

    /// Adds what the reader must know of a walk that did not see everything.
    pub(crate) fn notes(&self, output: &mut Map<String, Value>) {
        if self.unreadable > 0 {
            output.insert("unreadable_directories".to_owned(), self.unreadable.into());
        }
        if self.cut {
            let note = "the project is larger or deeper than one call looks at: there is more";
            output.insert("note".to_owned(), note.into());
        }
    }

    fn go_down(&mut self, mut names: Vec<DirEntry>) {
        let (mut held, mut fits) = (0, 0);
        for entry in names.iter().take(NODE_LIMIT - self.seen) {
            let weighs = entry.path.as_bytes().len() + size_of::<DirEntry>();
            if self.held + held + weighs > HELD_LIMIT {
                break;
            }
            held += weighs;
            fits += 1;
        }
        if fits < names.len() {
            (self.full, self.cut) = (true, true);
        }
        names.truncate(fits);
        self.seen += fits;
        self.held += held;
        self.levels.push(Level { entries: names.into_iter(), held });
    }
}

#[cfg(test)]
mod tests;
