//! Files, line after line.

use cleveragents_runtime::domain::RelPath;
use cleveragents_runtime::{FileError, Files, ToolContext};
use regex::bytes::Regex;
use serde_json::{Map, Value};

use super::MATCH_LIMIT;
use super::line::Line;
use crate::items::Items;
use crate::pace::{Pace, Stopped};

/// How much of a file is looked at in one piece.
const PIECE: u64 = 256 * 1024;

/// Why a search ends before it has seen everything.
pub(super) enum Stop {
    /// The answer is full.
    Full,
    /// The call must stop.
    Stopped,
    /// Nothing can be read any more.
    Failed(FileError),
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Self {
        Self::Failed(error)
    }
}

impl From<Stopped> for Stop {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// What was found so far, and in how much.
pub(super) struct Scan<'a> {
    files: &'a dyn Files,
    regex: &'a Regex,
    pub(super) pace: Pace<'a>,
    pub(super) matches: Items,
    searched: u64,
    binary: u64,
    unreadable: u64,
    long_lines: u64,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        files: &'a dyn Files,
        regex: &'a Regex,
        context: &'a ToolContext,
        beside: usize,
    ) -> Self {
        let matches = Items::new(MATCH_LIMIT, context, beside);
        let pace = Pace::of(context);
        Self { files, regex, pace, matches, searched: 0, binary: 0, unreadable: 0, long_lines: 0 }
    }

    /// Looks at a file. One with a NUL byte is binary, and is left where that is found.
    pub(super) async fn file(&mut self, path: &RelPath) -> Result<(), Stop> {
        let (mut at, mut line) = (0, Line::default());
        loop {
            let piece = match self.files.read(path, at, PIECE) {
                Ok(piece) => piece,
                Err(FileError::Ended) => return Err(FileError::Ended.into()),
                Err(_) => {
                    self.unreadable += 1;
                    return Ok(());
                }
            };
            if piece.contains(&0) {
                self.binary += 1;
                return Ok(());
            }
            at += piece.len() as u64;
            for part in piece.split_inclusive(|byte| *byte == b'\n') {
                line.push(part);
                if part.ends_with(b"\n") {
                    self.line(path, &line)?;
                    line.end();
                }
                self.pace.after(part.len()).await?;
            }
            if piece.is_empty() {
                // The last line may have no line end.
                if !line.is_empty() {
                    self.line(path, &line)?;
                }
                self.searched += 1;
                return Ok(());
            }
        }
    }

    fn line(&mut self, path: &RelPath, line: &Line) -> Result<(), Stop> {
        self.long_lines += u64::from(line.is_cut());
        let Some(found) = self.regex.find(line.text()) else { return Ok(()) };
        let kept = self.matches.push(|| line.shown(path, found.range()));
        if kept { Ok(()) } else { Err(Stop::Full) }
    }

    /// Puts everything into an answer.
    pub(super) fn insert(self, output: &mut Map<String, Value>) {
        self.matches.insert("matches", output);
        output.insert("files_searched".to_owned(), self.searched.into());
        output.insert("binary_files_skipped".to_owned(), self.binary.into());
        let rare =
            [("unreadable_files", self.unreadable), ("lines_searched_only_at_their_start", self.long_lines)];
        for (name, count) in rare.into_iter().filter(|(_, count)| *count > 0) {
            output.insert(name.to_owned(), count.into());
        }
    }
}
