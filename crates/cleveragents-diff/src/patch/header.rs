//! The `@@` line of a hunk.

use super::reader::without_return;
use super::{HunkHeader, PatchError, PatchErrorKind};

/// Whether `line` is meant to have numbers.
pub(super) fn is_numbered(line: &[u8]) -> bool {
    line.strip_prefix(b"@@ -").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
}

/// Whether a hunk begins with `line`.
pub(super) fn begins(line: &[u8]) -> bool {
    line.starts_with(b"@@ -") || is_bare(line)
}

/// A header in which somebody left the numbers out.
fn is_bare(line: &[u8]) -> bool {
    matches!(line.trim_ascii_end(), b"@@" | b"@@ @@" | b"@@ ... @@")
}

/// The numbers in `line`, which [`begins`] a hunk.
pub(super) fn parse(line: &[u8], number: u32) -> Result<Option<HunkHeader>, PatchError> {
    if is_bare(line) {
        return Ok(None);
    }
    let bad = || PatchErrorKind::BadHunkHeader { text: line.to_vec() }.at(number);
    let header = numbers(without_return(line)).ok_or_else(bad)?;
    Ok(Some(header))
}

fn numbers(line: &[u8]) -> Option<HunkHeader> {
    let rest = line.strip_prefix(b"@@ -")?;
    let ((old_start, old_count), rest) = range(rest)?;
    let ((new_start, new_count), rest) = range(rest.strip_prefix(b" +")?)?;
    rest.strip_prefix(b" @@")?;
    Some(HunkHeader { old_start, old_count, new_start, new_count })
}

/// `LINE` or `LINE,COUNT`, and what follows it. A count that is left out is one.
fn range(text: &[u8]) -> Option<((u32, u32), &[u8])> {
    let (start, rest) = decimal(text)?;
    match rest.strip_prefix(b",") {
        None => Some(((start, 1), rest)),
        Some(rest) => {
            let (count, rest) = decimal(rest)?;
            Some(((start, count), rest))
        }
    }
}

fn decimal(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((number, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn a_count_left_out_is_one() {
        let header = numbers(b"@@ -2 +3,0 @@ fn main()").unwrap();
        assert_eq!((header.old_start, header.old_count, header.new_start, header.new_count), (2, 1, 3, 0));
    }

    #[test]
    fn nothing_else_is_a_header() {
        let wrong = [
            "@@ -1 +1",
            "@@ -1,+1 @@",
            "@@ -a +1 @@",
            "@@ -1 1 @@",
            "@@ -4294967296 +1 @@",
            "@@ --1 +1 @@",
            "@@ - + @@",
        ];
        for line in wrong {
            assert_eq!(numbers(line.as_bytes()), None, "{line}");
        }
    }
}
