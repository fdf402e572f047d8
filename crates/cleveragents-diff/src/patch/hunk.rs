//! One hunk of a patch.

use super::reader::Reader;

/// One stretch of changes with the lines around it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk<'a> {
    /// The line of the patch in which it begins, from one.
    pub line: u32,
    /// The numbers of its header; `None` where the form has none, or the header is a bare `@@`.
    pub header: Option<HunkHeader>,
    /// The envelope's `@@ text` lines: the hunk lies behind these lines of the file.
    pub anchors: Vec<&'a [u8]>,
    /// The envelope's `*** End of File`: the hunk reaches the end of the file.
    pub at_end: bool,
    pub(super) body: &'a [u8],
    pub(super) tally: Tally,
}

/// The numbers in `@@ -1,2 +3,4 @@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HunkHeader {
    /// The first line before, from one; in an empty range the line in front of it.
    pub old_start: u32,
    /// How many lines before.
    pub old_count: u32,
    /// The first line after.
    pub new_start: u32,
    /// How many lines after.
    pub new_count: u32,
}

/// A header whose counts are not those of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Miscount {
    /// Lines before and after by the header.
    pub stated: (u32, u32),
    /// Lines before and after as they are.
    pub found: (u32, u32),
}

/// How many lines of which kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) context: u32,
    pub(super) removed: u32,
    pub(super) added: u32,
}

impl Tally {
    pub(super) fn sides(self) -> (u32, u32) {
        (self.context.saturating_add(self.removed), self.context.saturating_add(self.added))
    }

    pub(super) fn count(&mut self, kind: LineKind) {
        let count = match kind {
            LineKind::Context => &mut self.context,
            LineKind::Removed => &mut self.removed,
            LineKind::Added => &mut self.added,
        };
        *count = count.saturating_add(1);
    }
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HunkLine<'a> {
    /// On which sides it stands.
    pub kind: LineKind,
    /// Without its `\n`; a `\r` in front of that belongs to the text.
    pub text: &'a [u8],
    /// Whether the line ends in `\n`; the last of a file may not.
    pub newline: bool,
}

/// On which sides of a hunk a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Before and after.
    Context,
    /// Before only.
    Removed,
    /// After only.
    Added,
}

impl<'a> Hunk<'a> {
    /// Its lines in order.
    pub fn lines(&self) -> HunkLines<'a> {
        HunkLines { reader: Reader::new(self.body) }
    }

    /// How many lines it adds.
    pub fn added(&self) -> u32 {
        self.tally.added
    }

    /// How many lines it removes.
    pub fn removed(&self) -> u32 {
        self.tally.removed
    }

    /// The difference between the header's counts and the lines, if there is one.
    pub fn miscount(&self) -> Option<Miscount> {
        let header = self.header?;
        let (stated, found) = ((header.old_count, header.new_count), self.tally.sides());
        (stated != found).then_some(Miscount { stated, found })
    }
}

/// The lines of a [`Hunk`].
#[derive(Debug, Clone)]
pub struct HunkLines<'a> {
    reader: Reader<'a>,
}

impl<'a> Iterator for HunkLines<'a> {
    type Item = HunkLine<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.reader.next()?;
            let Some(kind) = kind(line) else { continue };
            let newline = self.reader.peek().is_none_or(|next| !next.starts_with(b"\\"));
            // An editor may have taken the blank off an empty context line.
            let text = if is_bare(line) { line } else { &line[1..] };
            return Some(HunkLine { kind, text, newline });
        }
    }
}

/// What a line in a hunk is by its first byte; `None` if it is a `\` line or no hunk line.
pub(super) fn kind(line: &[u8]) -> Option<LineKind> {
    match line.first() {
        Some(b' ') => Some(LineKind::Context),
        Some(b'-') => Some(LineKind::Removed),
        Some(b'+') => Some(LineKind::Added),
        _ if is_bare(line) => Some(LineKind::Context),
        _ => None,
    }
}

/// An empty line without even the blank of a context line.
pub(super) fn is_bare(line: &[u8]) -> bool {
    matches!(line, b"" | b"\r")
}
