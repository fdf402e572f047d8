//! What changed within a line, word by word.

use std::ops::Range;

use crate::span;

/// A stretch of two lines that is equal on both, or stands on one of them only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordSpan {
    /// Whether it changed.
    pub kind: WordSpanKind,
    /// Its bytes in the earlier line.
    pub before: Range<usize>,
    /// Its bytes in the later line.
    pub after: Range<usize>,
}

/// Whether a stretch changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WordSpanKind {
    /// The same bytes on both sides.
    Equal,
    /// Bytes of the earlier line were replaced by bytes of the later one; either may be empty, not both.
    Changed,
}

/// Compares two lines, or any two texts, word by word. The spans come in order and cover both sides.
///
/// A word is a run of letters, digits, `_` and bytes beyond ASCII; a run of blanks is one piece, and any other byte
/// stands for itself.
///
/// ```
/// use cleveragents_diff::{WordSpanKind, word_diff};
///
/// let (before, after) = (b"let x = old(1);", b"let x = new(1);");
/// let changed: Vec<_> =
///     word_diff(before, after).into_iter().filter(|span| span.kind == WordSpanKind::Changed).collect();
/// assert_eq!((changed[0].before.clone(), changed[0].after.clone()), (8..11, 8..11));
/// assert_eq!(changed.len(), 1);
/// ```
pub fn word_diff(before: &[u8], after: &[u8]) -> Vec<WordSpan> {
    let (old, new) = (words(before), words(after));
    let length = |words: &[&[u8]]| words.iter().map(|word| word.len()).sum::<usize>();
    let mut spans = Vec::new();
    let (mut at, mut reached) = ((0, 0), (0, 0));
    let mut push = |kind, before: &[&[u8]], after: &[&[u8]]| {
        let end = (at.0 + length(before), at.1 + length(after));
        if end != at {
            spans.push(WordSpan { kind, before: at.0..end.0, after: at.1..end.1 });
        }
        at = end;
    };
    for span in span::spans(&old, &new) {
        push(WordSpanKind::Equal, &old[reached.0..span.before.start], &new[reached.1..span.after.start]);
        reached = (span.before.end, span.after.end);
        push(WordSpanKind::Changed, &old[span.before], &new[span.after]);
    }
    push(WordSpanKind::Equal, &old[reached.0..], &new[reached.1..]);
    spans
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|&left, &right| match (sort(left), sort(right)) {
        (Sort::Other, _) => false,
        (left, right) => left == right,
    })
    .collect()
}

#[derive(PartialEq, Eq)]
enum Sort {
    Word,
    Blank,
    Other,
}

fn sort(byte: u8) -> Sort {
    match byte {
        b'_' | 0x80.. => Sort::Word,
        byte if byte.is_ascii_alphanumeric() => Sort::Word,
        b' ' | b'\t' => Sort::Blank,
        _ => Sort::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::{WordSpanKind, word_diff, words};

    #[test]
    fn words_blanks_and_signs() {
        assert_eq!(
            words(b"a_1 \t((\xc3\xa9\r\n"),
            [&b"a_1"[..], b" \t", b"(", b"(", "é".as_bytes(), b"\r", b"\n"]
        );
        assert!(words(b"").is_empty());
    }

    #[test]
    fn spans_cover_both_sides() {
        let cases =
            [("", ""), ("", "a b"), ("a b", ""), ("a b c", "a x c"), ("f(a, b)", "f(b, a)"), ("a", "b")];
        for (before, after) in cases {
            let (mut old, mut new) = (String::new(), String::new());
            for span in word_diff(before.as_bytes(), after.as_bytes()) {
                let (left, right) = (&before[span.before], &after[span.after]);
                assert_eq!(left == right, span.kind == WordSpanKind::Equal);
                old.push_str(left);
                new.push_str(right);
            }
            assert_eq!((&*old, &*new), (before, after));
        }
    }
}
