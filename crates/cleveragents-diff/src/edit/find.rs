//! Finding quoted text, whatever line ends the file has.

use std::ops::Range;

/// A file and, for edits that do not care, the same file with every `\r\n` read as `\n`.
pub(super) struct Base<'a> {
    bytes: &'a [u8],
    plain: Vec<u8>,
    /// The places in `plain` of the `\n` that lost their `\r`.
    shortened: Vec<usize>,
}

/// One occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Match {
    /// Where it is in the file.
    pub(super) range: Range<usize>,
    /// Whether a `\n` of the quoted text stood for any line end.
    pub(super) any_line_end: bool,
}

impl<'a> Base<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut plain = Vec::with_capacity(bytes.len());
        let mut shortened = Vec::new();
        for (index, &byte) in bytes.iter().enumerate() {
            if byte == b'\r' && bytes.get(index + 1) == Some(&b'\n') {
                shortened.push(plain.len());
            } else {
                plain.push(byte);
            }
        }
        Self { bytes, plain, shortened }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All occurrences of `text` in order, those that overlap included.
    pub(super) fn find(&self, text: &[u8]) -> Vec<Match> {
        let any_line_end = !text.contains(&b'\r');
        let place = |range: Range<usize>| {
            let range = if any_line_end { self.place(range.start)..self.place(range.end) } else { range };
            Match { range, any_line_end }
        };
        let within = if any_line_end { &self.plain } else { self.bytes };
        occurrences(within, text).into_iter().map(place).collect()
    }

    /// The place in the file of a place in `plain`; that of a shortened line end is its `\r`.
    fn place(&self, plain: usize) -> usize {
        plain + self.shortened.partition_point(|&at| at < plain)
    }
}

/// Knuth, Morris and Pratt's search: linear also where text and file repeat themselves.
fn occurrences(within: &[u8], text: &[u8]) -> Vec<Range<usize>> {
    // borders[n]: the length of the longest proper prefix of text[..=n] that is its suffix as well.
    let mut borders = vec![0; text.len()];
    let mut length = 0;
    for index in 1..text.len() {
        length = extend(text, &borders, length, text[index]);
        borders[index] = length;
    }
    let mut found = Vec::new();
    length = 0;
    for (index, &byte) in within.iter().enumerate() {
        length = extend(text, &borders, length, byte);
        if length == text.len() {
            found.push(index + 1 - length..index + 1);
            length = borders[length - 1];
        }
    }
    found
}

/// How much of `text` ends at `byte`, if `length` of it ended in front of it.
fn extend(text: &[u8], borders: &[usize], mut length: usize, byte: u8) -> usize {
    while length > 0 && text[length] != byte {
        length = borders[length - 1];
    }
    if text[length] == byte { length + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Base, occurrences};

    #[test]
    fn finds_every_occurrence_like_a_plain_search() {
        let within = b"abaababaabaababaabaaab";
        for start in 0..within.len() {
            for end in start + 1..=within.len() {
                let text = &within[start..end];
                let starts: Vec<usize> =
                    (0..=within.len() - text.len()).filter(|&at| within[at..].starts_with(text)).collect();
                let found: Vec<usize> =
                    occurrences(within, text).into_iter().map(|range| range.start).collect();
                assert_eq!(found, starts);
            }
        }
    }

    #[test]
    fn a_plain_line_end_matches_both() {
        let base = Base::new(b"a\r\nb\na\r\r\nb\r");
        let ranges = |text: &[u8]| -> Vec<_> {
            base.find(text).into_iter().map(|found| (found.range.start, found.range.end)).collect()
        };
        assert_eq!(ranges(b"a\nb"), [(0, 4)]);
        assert_eq!(ranges(b"\n"), [(1, 3), (4, 5), (7, 9)]);
        assert_eq!(ranges(b"b"), [(3, 4), (9, 10)]);
        assert_eq!(ranges(b"\r\n"), [(1, 3), (7, 9)]);
        assert_eq!(ranges(b"b\r"), [(9, 11)]);
    }
}
