//! A command's output: everything is read, the beginning and the end are kept.

use std::collections::VecDeque;

use serde_json::{Map, Value};

/// What the answer holds beside the two streams.
const OVERHEAD: u64 = 2048;

/// The most of the last words that go into an error's text.
const LAST_WORDS: usize = 400;

/// One stream, of which at most a given number of bytes is kept.
pub(crate) struct Kept {
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Kept {
    pub(crate) fn new(limit: usize) -> Self {
        Self { half: (limit / 2).max(1), head: Vec::new(), tail: VecDeque::new(), total: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(self.half - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(self.half)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(self.half);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// As text of at most `budget` bytes of JSON.
    fn render(self, budget: usize) -> Rendered {
        let Self { mut head, tail, total, .. } = self;
        let mut tail: Vec<u8> = tail.into();
        let mut gap = total > (head.len() + tail.len()) as u64;
        if !gap {
            head.append(&mut tail);
            let weight: usize = head.iter().map(|byte| weight_of(*byte)).sum();
            if weight > budget {
                gap = true;
                tail = head.split_off(head.len() / 2);
            }
        }
        if gap {
            let half = budget / 2;
            let fits = |bytes: &mut dyn Iterator<Item = &u8>| {
                let mut room = half;
                bytes
                    .take_while(|byte| room.checked_sub(weight_of(**byte)).map(|left| room = left).is_some())
                    .count()
            };
            head.truncate(fits(&mut head.iter()));
            let from = tail.len() - fits(&mut tail.iter().rev());
            tail.drain(..from);
            trim_end(&mut head);
            trim_start(&mut tail);
        }
        let whole = std::str::from_utf8(&head).is_ok() && std::str::from_utf8(&tail).is_ok();
        let text =
            |bytes: &[u8]| if whole { String::from_utf8_lossy(bytes).into_owned() } else { escaped(bytes) };
        let kept = (head.len() + tail.len()) as u64;
        let text = if gap {
            format!("{}\n[... {} bytes left out ...]\n{}", text(&head), total - kept, text(&tail))
        } else {
            text(&head)
        };
        Rendered { text, total, truncated: gap, escaped: !whole }
    }

    fn weight(&self) -> usize {
        self.head.iter().chain(&self.tail).map(|byte| weight_of(*byte)).sum()
    }
}

struct Rendered {
    text: String,
    total: u64,
    truncated: bool,
    escaped: bool,
}

/// Adds both streams; together they fit the limit. One that is short leaves its room to the other.
pub(crate) fn insert(value: &mut Map<String, Value>, stdout: Kept, stderr: Kept, limit: u64) {
    let budget = usize::try_from(limit.saturating_sub(OVERHEAD)).unwrap_or(usize::MAX);
    let half = budget / 2;
    let (out, err) = (stdout.weight(), stderr.weight());
    let (out, err) = if out < half { (out, budget - out) } else { (budget - err.min(half), err.min(half)) };
    let (stdout, stderr) = (stdout.render(out), stderr.render(err));
    value.insert("truncated".to_owned(), (stdout.truncated || stderr.truncated).into());
    for (name, stream) in [("stdout", stdout), ("stderr", stderr)] {
        value.insert(name.to_owned(), stream.text.into());
        value.insert(format!("{name}_bytes"), stream.total.into());
        if stream.escaped {
            let how = "not UTF-8: `\\\\` is a backslash, `\\xNN` a byte";
            value.insert(format!("{name}_encoding"), how.into());
        }
    }
}

/// The last lines that say something, for an error's text.
pub(crate) fn last_words(stream: &Kept) -> Option<String> {
    let skip = (stream.head.len() + stream.tail.len()).saturating_sub(4 * LAST_WORDS);
    let end: Vec<u8> = stream.head.iter().chain(&stream.tail).skip(skip).copied().collect();
    let text = String::from_utf8_lossy(&end);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let words = lines[lines.len().saturating_sub(3)..].join(" / ");
    let from = words.ceil_char_boundary(words.len().saturating_sub(LAST_WORDS));
    (!words.is_empty()).then(|| words[from..].to_owned())
}

/// Leaves out a character that is cut at the end.
fn trim_end(bytes: &mut Vec<u8>) {
    let start = bytes.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or_default();
    let cut = std::str::from_utf8(&bytes[start..]).is_err_and(|error| error.error_len().is_none());
    if cut {
        bytes.truncate(start);
    }
}

/// Leaves out what is left of a character that is cut at the start.
fn trim_start(bytes: &mut Vec<u8>) {
    let rest = bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
    bytes.drain(..rest);
}

/// The same form that paths have: it can be read back to the same bytes.
fn escaped(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// How many bytes of JSON a byte can take.
fn weight_of(byte: u8) -> usize {
    match byte {
        b'"' | b'\n' | b'\r' | b'\t' => 2,
        // Doubled once more when the stream is escaped.
        b'\\' => 4,
        0..0x20 => 6,
        0x20..0x80 => 1,
        // `\xNN`, whose backslash is doubled.
        _ => 5,
    }
}
