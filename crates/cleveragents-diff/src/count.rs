//! How many lines a change adds and removes.

use crate::{line, span};

/// The size of a change in lines. A changed line counts once on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LineCounts {
    /// Lines that only the later content has.
    pub added: u32,
    /// Lines that only the earlier content has.
    pub removed: u32,
}

/// Counts the lines that differ; the numbers are those of the hunks that [`UnifiedDiff`](crate::UnifiedDiff)
/// writes. It does not ask whether the content is text: see [`is_binary`](crate::is_binary).
pub fn line_counts(before: &[u8], after: &[u8]) -> LineCounts {
    if before == after {
        return LineCounts::default();
    }
    if before.is_empty() || after.is_empty() {
        return LineCounts { added: narrow(line::count(after)), removed: narrow(line::count(before)) };
    }
    let spans = span::spans(&line::lines(before), &line::lines(after));
    LineCounts {
        added: narrow(spans.iter().map(|span| span.after.len()).sum()),
        removed: narrow(spans.iter().map(|span| span.before.len()).sum()),
    }
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{LineCounts, line_counts};

    fn counts(added: u32, removed: u32) -> LineCounts {
        LineCounts { added, removed }
    }

    #[test]
    fn counts_whole_lines() {
        assert_eq!(line_counts(b"", b""), counts(0, 0));
        assert_eq!(line_counts(b"a\n", b"a\n"), counts(0, 0));
        assert_eq!(line_counts(b"", b"a\nb"), counts(2, 0));
        assert_eq!(line_counts(b"a\nb\n", b""), counts(0, 2));
        assert_eq!(line_counts(b"a\nb\nc\n", b"a\nB\nc\nd\n"), counts(2, 1));
    }

    #[test]
    fn the_end_of_the_last_line_is_part_of_it() {
        assert_eq!(line_counts(b"a", b"a\n"), counts(1, 1));
        assert_eq!(line_counts(b"a\r\n", b"a\n"), counts(1, 1));
        assert_eq!(line_counts(b"a\rb\n", b"a\rc\n"), counts(1, 1));
    }
}
