//! What takes the place of a match.

use super::Edit;
use super::find::Match;
use crate::line;
use crate::span::spans;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// Appends the new text of `edit` for the match `found` in `base`.
pub(super) fn append(base: &[u8], found: &Match, edit: &Edit<'_>, out: &mut Vec<u8>) {
    let new = without_second_mark(base, found, edit);
    if !found.any_line_end || new.contains(&b'\r') {
        out.extend_from_slice(new);
        return;
    }
    let matched = &base[found.range.clone()];
    let nearby = neighbours_end(base, found);
    if !new.contains(&b'\n') || (nearby == b"\n" && !matched.contains(&b'\r')) {
        out.extend_from_slice(new);
        return;
    }
    // Lines that the new text repeats are the file's own, line end and all: only the rest is written anew.
    let (kept, old, new) = (line::lines(matched), line::lines(edit.old), line::lines(new));
    let mut row = 0;
    for span in spans(&old, &new) {
        kept[row..span.before.start].iter().for_each(|line| out.extend_from_slice(line));
        let replaced = kept[span.before.clone()].iter().find_map(|line| end_of(line));
        let ahead = kept[..span.before.start].last().and_then(|line| end_of(line));
        let end = replaced.or(ahead).unwrap_or(nearby);
        for line in &new[span.after] {
            if let Some(text) = line.strip_suffix(b"\n") {
                out.extend_from_slice(text);
                out.extend_from_slice(end);
            } else {
                out.extend_from_slice(line);
            }
        }
        row = span.before.end;
    }
    kept[row..].iter().for_each(|line| out.extend_from_slice(line));
}

/// The byte order mark in front of a file's first line is not part of that line, so an edit that brings its own
/// would double it.
fn without_second_mark<'a>(base: &[u8], found: &Match, edit: &Edit<'a>) -> &'a [u8] {
    let after_mark = found.range.start == MARK.len() && base.starts_with(MARK);
    match edit.new.strip_prefix(MARK) {
        Some(rest) if after_mark && !edit.old.starts_with(MARK) => rest,
        _ => edit.new,
    }
}

/// The line end of the line in which the match ends; of the line in front of it, if that is the last one.
fn neighbours_end(base: &[u8], found: &Match) -> &'static [u8] {
    // A match that ends with a line end has no part in the next line.
    let from = found.range.end - usize::from(base[found.range.clone()].ends_with(b"\n"));
    let next = base[from..].iter().position(|&byte| byte == b'\n').map(|at| from + at);
    let feed = next.or_else(|| base[..from].iter().rposition(|&byte| byte == b'\n'));
    feed.and_then(|at| end_of(&base[..=at])).unwrap_or(b"\n")
}

fn end_of(line: &[u8]) -> Option<&'static [u8]> {
    if line.ends_with(b"\r\n") {
        Some(b"\r\n")
    } else if line.ends_with(b"\n") {
        Some(b"\n")
    } else {
        None
    }
}
