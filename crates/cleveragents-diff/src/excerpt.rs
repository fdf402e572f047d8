//! Quoting bytes in error texts.

/// At most so many bytes are quoted.
const QUOTED: usize = 120;

/// The beginning of `bytes` in quotes.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(QUOTED)];
    let more = if cut.len() < bytes.len() { "…" } else { "" };
    format!("{:?}{more}", String::from_utf8_lossy(cut))
}
