//! Going through a patch line by line.

/// A place in a patch. It is small and copied to look ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// The number of the line that comes next, from one.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// The line that comes next, without its `\n`.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        Some(memchr::memchr(b'\n', rest).map_or(rest, |end| &rest[..end]))
    }

    /// Like [`peek`](Self::peek), and goes past it.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.peek()?;
        self.skip(line);
        Some(line)
    }

    /// Goes past `line`, which is what [`peek`](Self::peek) gave.
    pub(super) fn skip(&mut self, line: &[u8]) {
        self.at += line.len() + 1;
        self.line = self.line.saturating_add(1);
    }

    /// The line behind the next one.
    pub(super) fn second(mut self) -> Option<&'a [u8]> {
        self.next()?;
        self.peek()
    }

    /// The line behind that.
    pub(super) fn third(mut self) -> Option<&'a [u8]> {
        self.next()?;
        self.second()
    }

    /// What lies between this place and a later one.
    pub(super) fn until(&self, later: &Self) -> &'a [u8] {
        self.bytes.get(self.at..later.at.min(self.bytes.len())).unwrap_or_default()
    }
}

/// A header line without the `\r` of a patch whose lines all end in `\r\n`.
pub(super) fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
