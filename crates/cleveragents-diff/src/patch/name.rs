//! Names as git and diff write them.

use std::borrow::Cow;

pub(super) type Name<'a> = Cow<'a, [u8]>;

/// The name at the beginning of `text` and what follows it: a quoted one ends at its quote, another one at a tab.
/// `None` if it is empty, holds a NUL byte, or its quote is not closed.
pub(super) fn read(text: &[u8]) -> Option<(Name<'_>, &[u8])> {
    let (name, rest) = if text.first() == Some(&b'"') {
        quoted(text)?
    } else {
        let end = text.iter().position(|&byte| byte == b'\t').unwrap_or(text.len());
        (Cow::Borrowed(&text[..end]), &text[end..])
    };
    (!name.is_empty() && !name.contains(&0)).then_some((name, rest))
}

/// A name in quotes with C escapes, and what follows it.
fn quoted(text: &[u8]) -> Option<(Name<'_>, &[u8])> {
    let mut name = Vec::new();
    let mut rest = text.strip_prefix(b"\"")?;
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((Cow::Owned(name), rest)),
            b'\\' => {
                let (&escape, after) = rest.split_first()?;
                rest = after;
                name.push(match escape {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 0x0b,
                    b'f' => 0x0c,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_at_checked(2)?;
                        rest = after;
                        digits.iter().try_fold(escape - b'0', |value, digit| match digit {
                            b'0'..=b'7' => Some(value * 8 + (digit - b'0')),
                            _ => None,
                        })?
                    }
                    _ => return None,
                });
            }
            byte => name.push(byte),
        }
    }
}

/// Takes the prefixes off an old and a new name: those of git's pairs, unless both are the same.
pub(super) fn strip<'a>(
    old: Option<Name<'a>>,
    new: Option<Name<'a>>,
) -> (Option<Name<'a>>, Option<Name<'a>>) {
    let has = |name: &Option<Name<'a>>, firsts: &[u8]| {
        name.as_ref().is_none_or(|name| name.len() > 2 && name[1] == b'/' && firsts.contains(&name[0]))
    };
    let same = |old: &Name<'a>, new: &Name<'a>| old.first() == new.first();
    let pair = has(&old, b"aciow") && has(&new, b"bciow");
    if !pair || old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| same(old, new)) {
        return (old, new);
    }
    (old.map(cut), new.map(cut))
}

fn cut(name: Name<'_>) -> Name<'_> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[2..]),
        Cow::Owned(mut name) => {
            name.drain(..2);
            Cow::Owned(name)
        }
    }
}

/// The name in a `diff --git` line whose two names are the same but for their prefixes: the only way to tell where
/// the first of two unquoted names with blanks ends.
pub(super) fn of_both(text: &[u8]) -> Option<Name<'_>> {
    let agree = |old: Name<'_>, new: Name<'_>| -> Option<Vec<u8>> {
        let (old, new) = strip(Some(old), Some(new));
        let new = new?;
        (old? == new).then(|| new.into_owned())
    };
    if text.first() == Some(&b'"') {
        let (old, rest) = quoted(text)?;
        let (new, rest) = read(rest.strip_prefix(b" ")?)?;
        return rest.is_empty().then(|| agree(old, new)).flatten().map(Cow::Owned);
    }
    // One name quoted and the other not cannot be one name; two unquoted ones have the same length.
    if text.len().is_multiple_of(2) || text.contains(&b'"') || text.contains(&0) {
        return None;
    }
    let half = text.len() / 2;
    if text[half] != b' ' || half == 0 {
        return None;
    }
    agree(Cow::Borrowed(&text[..half]), Cow::Borrowed(&text[half + 1..])).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{of_both, quoted, read, strip};

    #[test]
    fn reads_what_git_quotes() {
        let (name, rest) = quoted(br#""a/\a\b\t\n\v\f\r\"\\\001\177\303\251" x"#).unwrap();
        assert_eq!(*name, *b"a/\x07\x08\t\n\x0b\x0c\r\"\\\x01\x7f\xc3\xa9");
        assert_eq!(rest, b" x");
        for wrong in [&br#""a"#[..], br#""\"#, br#""\q""#, br#""\08""#, br#""\400""#, br#""\1""#] {
            assert_eq!(quoted(wrong), None);
        }
        assert_eq!(read(br#""\000""#), None);
        assert_eq!(read(b""), None);
    }

    #[test]
    fn prefixes_come_in_pairs() {
        let stripped = |old: &'static str, new: &'static str| {
            let name = |text: &'static str| (text != "-").then_some(Cow::Borrowed(text.as_bytes()));
            let (old, new) = strip(name(old), name(new));
            let text =
                |name: Option<Cow<'_, [u8]>>| name.map(|name| String::from_utf8(name.into_owned()).unwrap());
            (text(old), text(new))
        };
        let both = |name: &str| (Some(name.to_owned()), Some(name.to_owned()));
        assert_eq!(stripped("a/x", "b/x"), both("x"));
        assert_eq!(stripped("i/x", "w/x"), both("x"));
        assert_eq!(stripped("a/x", "a/x"), both("a/x"));
        assert_eq!(stripped("w/x", "w/x"), both("w/x"));
        assert_eq!(stripped("x", "x"), both("x"));
        assert_eq!(stripped("-", "b/x"), (None, Some("x".to_owned())));
        assert_eq!(stripped("a/x", "-"), (Some("x".to_owned()), None));
        assert_eq!(stripped("a/x", "src/x"), (Some("a/x".to_owned()), Some("src/x".to_owned())));
    }

    #[test]
    fn the_two_halves_of_a_git_line() {
        let name = |text: &[u8]| of_both(text).map(|name| String::from_utf8(name.into_owned()).unwrap());
        assert_eq!(name(b"a/x y b/x y").as_deref(), Some("x y"));
        assert_eq!(name(b"x x").as_deref(), Some("x"));
        assert_eq!(name(b"\"a/\\t\" \"b/\\t\"").as_deref(), Some("\t"));
        assert_eq!(name(b"a/x b/y"), None);
        assert_eq!(name(b" "), None);
        assert_eq!(name(b""), None);
    }
}
