//! A text and where its lines begin.

use std::ops::Range;

/// One side of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    /// Where each line begins, and the end of the last.
    starts: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The lines of a range, as one piece.
    pub(super) fn slice(&self, rows: Range<usize>) -> &'a [u8] {
        &self.bytes[self.starts[rows.start]..self.starts[rows.end]]
    }

    /// Line `row`, with its end.
    pub(super) fn line(&self, row: usize) -> &'a [u8] {
        self.slice(row..row + 1)
    }
}
