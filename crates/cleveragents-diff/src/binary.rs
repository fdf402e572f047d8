//! Telling text from binary, by git's rule.

/// git looks no further than this.
const LOOKED_AT: usize = 8000;

/// Whether `content` counts as binary: a NUL byte among its first 8000 bytes.
pub fn is_binary(content: &[u8]) -> bool {
    memchr::memchr(0, &content[..content.len().min(LOOKED_AT)]).is_some()
}

#[cfg(test)]
mod tests {
    use super::is_binary;

    #[test]
    fn a_nul_within_the_first_8000_bytes_makes_it_binary() {
        let mut content = vec![b'x'; 9000];
        assert!(!is_binary(&content));
        content[8000] = 0;
        assert!(!is_binary(&content));
        content[7999] = 0;
        assert!(is_binary(&content));
        assert!(!is_binary(b""));
        assert!(!is_binary(b"caf\xe9\n"));
    }
}
