//! Paths: bytes relative to a root, and their reversible text form.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ValidationError;

/// A path below a bound root: bytes, components separated by `/`, at least one component.
///
/// Never absolute; no empty, `.` or `..` component, no NUL. Any other byte is allowed, valid UTF-8 or not.
///
/// The text form (JSON, YAML, display) writes `\\` for a backslash and `\xNN` for a byte that is not part of valid
/// UTF-8; [`RelPath::from_text`] reads it back to the same bytes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(Vec<u8>);

impl RelPath {
    /// Takes raw bytes as a file system gives them. The error names the field `path`.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, ValidationError> {
        let bytes = bytes.into();
        let refuse = |why: &str| Err(ValidationError::new("path", why));
        if bytes.is_empty() {
            return refuse("must not be empty");
        }
        if bytes.contains(&0) {
            return refuse("must not contain a NUL byte");
        }
        if bytes[0] == b'/' {
            return refuse("must be relative to the project, not absolute");
        }
        for component in bytes.split(|b| *b == b'/') {
            match component {
                b"" => return refuse("must not have empty components"),
                b"." => return refuse("must not have `.` components"),
                b".." => return refuse("must stay inside the project: `..` is not allowed"),
                _ => {}
            }
        }
        Ok(Self(bytes))
    }

    /// Reads the text form. A leading `./`, a trailing `/` and doubled slashes are forgiven, `..` is not.
    pub fn from_text(text: &str) -> Result<Self, ValidationError> {
        let raw = unescape(text)?;
        if raw.first() == Some(&b'/') {
            return Self::from_bytes(raw);
        }
        let kept: Vec<&[u8]> = raw.split(|b| *b == b'/').filter(|c| !c.is_empty() && *c != b".").collect();
        Self::from_bytes(kept.join(&b'/'))
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The reversible text form.
    pub fn to_text(&self) -> String {
        escape(&self.0)
    }

    /// The components from the root down.
    pub fn components(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|b| *b == b'/')
    }

    /// The last component.
    pub fn file_name(&self) -> &[u8] {
        self.0.rsplit(|b| *b == b'/').next().unwrap_or_default()
    }

    /// The directory that holds this path, or `None` when that is the root itself.
    pub fn parent(&self) -> Option<Self> {
        let slash = self.0.iter().rposition(|b| *b == b'/')?;
        Some(Self(self.0[..slash].to_vec()))
    }

    /// This path with one more component below it.
    pub fn join(&self, name: &[u8]) -> Result<Self, ValidationError> {
        let mut bytes = self.0.clone();
        bytes.push(b'/');
        bytes.extend_from_slice(name);
        Self::from_bytes(bytes)
    }

    /// True when this path is `other` or lies below it.
    pub fn starts_with(&self, other: &Self) -> bool {
        self.0.strip_prefix(other.0.as_slice()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// How many components there are; at least 1.
    pub fn depth(&self) -> usize {
        self.components().count()
    }
}

const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];

/// Writes bytes as text: `\\` for a backslash, `\xNN` for what is not UTF-8.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\\' {
                text.push('\\');
            }
            text.push(c);
        }
        for byte in chunk.invalid() {
            text.push_str("\\x");
            text.push(HEX[usize::from(byte >> 4)]);
            text.push(HEX[usize::from(byte & 15)]);
        }
    }
    text
}

fn unescape(text: &str) -> Result<Vec<u8>, ValidationError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte != b'\\' {
            bytes.push(byte);
            rest = tail;
            continue;
        }
        match tail {
            [b'\\', tail @ ..] => {
                bytes.push(b'\\');
                rest = tail;
            }
            [b'x', high, low, tail @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(hex(*high) << 4 | hex(*low));
                rest = tail;
            }
            _ => {
                let problem = r"has a lone backslash: write `\\` for a backslash, `\xNN` for a byte";
                return Err(ValidationError::new("path", problem));
            }
        }
    }
    Ok(bytes)
}

fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit - b'A' + 10,
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_text())
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RelPath({:?})", self.to_text())
    }
}

impl Serialize for RelPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_text())
    }
}

impl<'de> Deserialize<'de> for RelPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        unescape(&text).and_then(Self::from_bytes).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn refuses_what_leaves_the_root() {
        for bad in ["", "/etc/passwd", "../x", "a/../b", "a\0b", "/", ".", "./"] {
            assert!(RelPath::from_text(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn forgives_spelling_in_text_but_not_in_bytes() {
        assert_eq!(RelPath::from_text("./a//b/").unwrap().as_bytes(), b"a/b");
        for bad in [&b"./a"[..], b"a//b", b"a/"] {
            assert!(RelPath::from_bytes(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_prefix_is_not_a_parent() {
        let (root, beside) =
            (RelPath::from_text("sandbox").unwrap(), RelPath::from_text("sandbox-escape").unwrap());
        assert!(!beside.starts_with(&root));
        assert!(root.join(b"x").unwrap().starts_with(&root));
    }

    proptest! {
        #[test]
        fn text_form_gives_the_same_bytes_back(bytes in proptest::collection::vec(1u8.., 1..40)) {
            if let Ok(path) = RelPath::from_bytes(bytes) {
                prop_assert_eq!(&RelPath::from_text(&path.to_text()).unwrap(), &path);
                let json = serde_json::to_string(&path).unwrap();
                prop_assert_eq!(&serde_json::from_str::<RelPath>(&json).unwrap(), &path);
            }
        }
    }
}
