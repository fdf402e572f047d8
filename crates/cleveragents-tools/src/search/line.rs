//! One line of a file.

use std::ops::Range;

use cleveragents_runtime::domain::RelPath;
use serde_json::{Value, json};

/// How much of a line is searched: it bounds the memory, and the time between two looks at the clock.
const LINE_LIMIT: usize = 32 * 1024;

/// How much of a line is shown.
pub(super) const TEXT_LIMIT: usize = 500;

/// How much of that comes before the match, when the line is too long to be shown whole.
const BEFORE: usize = 100;

/// A line as it comes together from pieces of a file.
#[derive(Default)]
pub(super) struct Line {
    bytes: Vec<u8>,
    /// How many lines came before.
    before: u64,
    cut: bool,
}

impl Line {
    pub(super) fn push(&mut self, part: &[u8]) {
        let room = LINE_LIMIT - self.bytes.len();
        self.cut |= part.len() > room;
        self.bytes.extend_from_slice(&part[..part.len().min(room)]);
    }

    /// Goes on to the next one.
    pub(super) fn end(&mut self) {
        self.bytes.clear();
        self.before += 1;
        self.cut = false;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether only its start is here.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// The line without its end.
    pub(super) fn text(&self) -> &[u8] {
        let text = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        text.strip_suffix(b"\r").unwrap_or(text)
    }

    /// A match in this line, for the answer.
    pub(super) fn shown(&self, path: &RelPath, found: Range<usize>) -> Value {
        let text = self.text();
        let column = String::from_utf8_lossy(&text[..found.start]).chars().count() + 1;
        let part = if text.len() <= TEXT_LIMIT { 0..text.len() } else { window(text, found.start) };
        let cut = self.cut || part.len() < text.len();
        let mut item = json!({ "path": path.to_text(), "line": self.before + 1, "column": column });
        // Whoever quotes it in an edit must know that these are not the file's own bytes.
        let shown = String::from_utf8_lossy(&text[part]);
        if matches!(shown, std::borrow::Cow::Owned(_)) {
            item["not_utf8"] = true.into();
        }
        if cut {
            item["cut"] = true.into();
        }
        item["text"] = shown.into();
        item
    }
}

/// The part of a line around a place in it, from character to character.
fn window(text: &[u8], place: usize) -> Range<usize> {
    let inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut start = place.saturating_sub(BEFORE).min(text.len().saturating_sub(TEXT_LIMIT));
    let mut end = (start + TEXT_LIMIT).min(text.len());
    // A character has at most four bytes: what goes on longer is no text.
    for _ in 0..3 {
        start += usize::from(inside(start) && start < place);
        end -= usize::from(inside(end) && end > place);
    }
    start..end
}
