//! Splitting bytes into lines.

/// The lines of `bytes`, each with its `\n`; only the last one may lack it. Joined they are `bytes` again.
pub(crate) fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::with_capacity(count(bytes));
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        lines.push(&bytes[start..=end]);
        start = end + 1;
    }
    if start < bytes.len() {
        lines.push(&bytes[start..]);
    }
    lines
}

/// How many lines [`lines`] would give.
pub(crate) fn count(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count() + usize::from(bytes.last().is_some_and(|&last| last != b'\n'))
}

/// The 1-based number of the line that holds the byte at `offset`.
pub(crate) fn number_at(bytes: &[u8], offset: usize) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', &bytes[..offset.min(bytes.len())]).count();
    u32::try_from(breaks).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::{count, lines, number_at};

    #[test]
    fn only_a_line_feed_ends_a_line() {
        assert_eq!(lines(b"a\rb\r\nc"), [&b"a\rb\r\n"[..], b"c"]);
        assert_eq!(lines(b"\n\n"), [b"\n", b"\n"]);
        assert_eq!(lines(b""), [&b""[..]; 0]);
        assert_eq!(count(b"a\nb"), 2);
    }

    #[test]
    fn numbers_start_at_one() {
        assert_eq!(number_at(b"a\nb\n", 0), 1);
        assert_eq!(number_at(b"a\nb\n", 1), 1);
        assert_eq!(number_at(b"a\nb\n", 2), 2);
    }
}
