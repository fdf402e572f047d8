//! Putting the new lines in.

use super::base::{Base, without_mark, without_return};
use super::locate::Place;
use crate::{Hunk, LineKind};

/// The file with every hunk in its place.
pub(super) fn splice(base: &Base<'_>, places: &[(&Hunk<'_>, Place)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(base.bytes.len());
    let mut row = 0;
    let mut copied = 0;
    for (hunk, place) in places {
        let length =
            |rows: std::ops::Range<usize>| base.lines[rows].iter().map(|line| line.len()).sum::<usize>();
        let start = copied + length(row..place.rows.start);
        out.extend_from_slice(&base.bytes[copied..start]);
        copied = start + length(place.rows.clone());
        row = place.rows.end;
        if place.exact {
            append_exactly(hunk, &mut out);
        } else {
            append_alike(base, hunk, place, &mut out);
        }
    }
    out.extend_from_slice(&base.bytes[copied..]);
    out
}

/// The file's own lines are the hunk's, so the hunk says all there is to say.
fn append_exactly(hunk: &Hunk<'_>, out: &mut Vec<u8>) {
    for line in hunk.lines().filter(|line| line.kind != LineKind::Removed) {
        out.extend_from_slice(line.text);
        if line.newline {
            out.push(b'\n');
        }
    }
}

/// The file's lines end otherwise than the hunk's: kept ones stay as they are, new ones follow their neighbours.
fn append_alike(base: &Base<'_>, hunk: &Hunk<'_>, place: &Place, out: &mut Vec<u8>) {
    let ends_file = place.rows.end == base.lines.len();
    let mark = if place.rows.start == 0 { base.mark() } else { b"" };
    out.extend_from_slice(mark);
    let mut row = place.rows.start;
    let begun = out.len();
    // Whether the last line of a side has a newline, by the patch; where both say the same, the file's own state stays.
    let (mut old_newline, mut new_newline) = (true, true);
    for line in hunk.lines() {
        if line.kind != LineKind::Added {
            old_newline = line.newline;
        }
        if line.kind == LineKind::Removed {
            row += 1;
            continue;
        }
        new_newline = line.newline;
        let end = end_near(base, row);
        if out[..] != *base.mark() {
            close(out, end);
        }
        let first = out.len() == begun && !mark.is_empty();
        if line.kind == LineKind::Context {
            let kept = base.lines.get(row).copied().unwrap_or_default();
            out.extend_from_slice(if row == 0 && !mark.is_empty() { without_mark(kept) } else { kept });
            row += 1;
        } else {
            let text = without_return(line.text);
            out.extend_from_slice(if first { without_mark(text) } else { text });
            out.extend_from_slice(end);
        }
    }
    if ends_file && out.len() > begun {
        let had = base.lines.last().is_none_or(|line| line.ends_with(b"\n"));
        let has = if old_newline == new_newline { had } else { new_newline };
        if has {
            close(out, end_near(base, row));
        } else {
            open(out);
        }
    }
}

/// The line end for a new line in front of `row`: that of the line ahead, which it replaces or follows, or else of the
/// nearest line that has one.
fn end_near(base: &Base<'_>, row: usize) -> &'static [u8] {
    let ahead = base.lines[..row.min(base.lines.len())].iter().rev().take(2);
    ahead.chain(base.lines.get(row)).find_map(|line| end_of(line)).unwrap_or(b"\n")
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

/// Ends the last line of `out`, if it is not ended.
fn close(out: &mut Vec<u8>, end: &[u8]) {
    if out.last().is_some_and(|&last| last != b'\n') {
        out.extend_from_slice(end);
    }
}

/// Takes the end of the last line of `out` away.
fn open(out: &mut Vec<u8>) {
    if out.last() == Some(&b'\n') {
        out.pop();
        if out.last() == Some(&b'\r') {
            out.pop();
        }
    }
}
