//! Names as git writes them.

/// `prefix` and `path`; in quotes, with C escapes, if a byte in it is a control, a quote, a backslash or not ASCII.
pub(crate) fn append(prefix: &str, path: &[u8], out: &mut Vec<u8>) {
    let plain = |&byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if path.iter().all(plain) {
        out.extend_from_slice(prefix.as_bytes());
        out.extend_from_slice(path);
        return;
    }
    out.push(b'"');
    out.extend_from_slice(prefix.as_bytes());
    for &byte in path {
        match byte {
            0x07 => out.extend_from_slice(b"\\a"),
            0x08 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0x0b => out.extend_from_slice(b"\\v"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            byte if plain(&byte) => out.push(byte),
            byte => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    fn written(path: &[u8]) -> String {
        let mut out = Vec::new();
        super::append("a/", path, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn quotes_what_git_quotes() {
        assert_eq!(written(b"src/lib.rs"), "a/src/lib.rs");
        assert_eq!(written(b"with space"), "a/with space");
        assert_eq!(written("é".as_bytes()), r#""a/\303\251""#);
        assert_eq!(written(b"\x07\x08\t\n\x0b\x0c\r\"\\\x01\x7f"), r#""a/\a\b\t\n\v\f\r\"\\\001\177""#);
    }
}
