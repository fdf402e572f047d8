//! The lines of the file that a patch applies to.

use crate::{HunkLine, line};

const MARK: &[u8] = b"\xef\xbb\xbf";

/// A file in lines, each with its end.
pub(super) struct Base<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) lines: Vec<&'a [u8]>,
}

/// How well a line of a patch matches one of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Byte for byte, line end and all.
    Same,
    /// But for the line end, or for the byte order mark in front of the first line.
    SameText,
    /// Not.
    Other,
}

impl<'a> Base<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, lines: line::lines(bytes) }
    }

    /// The byte order mark, if there is one.
    pub(super) fn mark(&self) -> &'a [u8] {
        if self.bytes.starts_with(MARK) { &self.bytes[..MARK.len()] } else { b"" }
    }

    /// Compares `line` of a patch with line `row` of the file.
    pub(super) fn compare(&self, row: usize, line: &HunkLine<'_>) -> Likeness {
        let Some(&there) = self.lines.get(row) else { return Likeness::Other };
        let bare = there.strip_suffix(b"\n");
        if bare.is_some() == line.newline && bare.unwrap_or(there) == line.text {
            return Likeness::Same;
        }
        let (mut there, mut text) = (body(there), without_return(line.text));
        if row == 0 {
            (there, text) = (without_mark(there), without_mark(text));
        }
        let is_last = row + 1 == self.lines.len();
        if there == text && (line.newline || is_last) { Likeness::SameText } else { Likeness::Other }
    }
}

/// A line of the file without its end.
pub(super) fn body(line: &[u8]) -> &[u8] {
    without_return(line.strip_suffix(b"\n").unwrap_or(line))
}

pub(super) fn without_return(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\r").unwrap_or(text)
}

pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// The number of a line, from one.
pub(super) fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX).saturating_add(1)
}
