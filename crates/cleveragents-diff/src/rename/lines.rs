//! A content as a heap of lines.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::{RENAME_SIZE_LIMIT, RenameEnd};
use crate::line;

/// The lines of a content, in no order of theirs.
pub(super) struct Lines {
    /// Each line's hash and length, sorted.
    lines: Vec<(u64, u32)>,
    pub(super) size: u64,
}

impl Lines {
    pub(super) fn of(end: &RenameEnd<'_>) -> Option<Self> {
        let content =
            end.content.filter(|content| !content.is_empty() && content.len() <= RENAME_SIZE_LIMIT)?;
        let number = |line: &[u8]| {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            (hasher.finish(), u32::try_from(line.len()).unwrap_or(u32::MAX))
        };
        let mut lines: Vec<(u64, u32)> = line::lines(content).into_iter().map(number).collect();
        lines.sort_unstable();
        Some(Self { lines, size: content.len() as u64 })
    }

    /// How many lines there are.
    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// How many bytes stand in lines that both have.
    pub(super) fn shared(&self, other: &Self) -> u64 {
        let (mut left, mut right) = (self.lines.iter().peekable(), other.lines.iter().peekable());
        let mut shared = 0;
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            let order = one.cmp(two);
            if order.is_eq() {
                shared += u64::from(one.1);
            }
            if order.is_le() {
                left.next();
            }
            if order.is_ge() {
                right.next();
            }
        }
        shared
    }
}
