//! Writing a merge as one text.

use super::refine::{Part, parts};
use super::text::Text;
use super::{Merge, RegionKind};

/// How long a conflict's marks are.
const MARK: usize = 7;

/// How conflicts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MergeStyle {
    /// Ours and theirs, as little of both as differs (`git merge-file`).
    #[default]
    Merge,
    /// Ours, base and theirs, whole (`git merge-file --diff3`).
    Diff3,
}

/// What stands behind the marks of a conflict. An empty one leaves the mark alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergeLabels<'a> {
    /// Behind `<<<<<<<`.
    pub ours: &'a [u8],
    /// Behind `|||||||`.
    pub base: &'a [u8],
    /// Behind `>>>>>>>`.
    pub theirs: &'a [u8],
}

/// The merged text, with marks around what is in conflict.
///
/// In a conflict a last line without a newline gets one. The marks end in `\r\n` where the lines around them do.
pub fn render(merge: &Merge<'_>, labels: &MergeLabels<'_>, style: MergeStyle) -> Vec<u8> {
    let ours = &merge.ours;
    let mut out = Vec::new();
    let mut row = 0;
    for part in parts(merge, style) {
        out.extend_from_slice(ours.slice(row..part.ours.start));
        let end = line_end(merge, &part);
        match part.kind {
            RegionKind::Conflict => append_conflict(merge, &part, labels, style, end, &mut out),
            RegionKind::Theirs => out.extend_from_slice(merge.theirs.slice(part.theirs.clone())),
            _ => out.extend_from_slice(ours.slice(part.ours.clone())),
        }
        row = part.ours.end;
    }
    out.extend_from_slice(ours.slice(row..ours.len()));
    out
}

fn append_conflict(
    merge: &Merge<'_>,
    part: &Part,
    labels: &MergeLabels<'_>,
    style: MergeStyle,
    end: &[u8],
    out: &mut Vec<u8>,
) {
    append_mark(b'<', labels.ours, end, out);
    append_lines(merge.ours.slice(part.ours.clone()), end, out);
    if style == MergeStyle::Diff3 {
        append_mark(b'|', labels.base, end, out);
        append_lines(merge.base.slice(part.base.clone()), end, out);
    }
    append_mark(b'=', b"", end, out);
    append_lines(merge.theirs.slice(part.theirs.clone()), end, out);
    append_mark(b'>', labels.theirs, end, out);
}

fn append_mark(mark: u8, label: &[u8], end: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&[mark; MARK]);
    if !label.is_empty() {
        out.push(b' ');
        out.extend_from_slice(label);
    }
    out.extend_from_slice(end);
}

fn append_lines(lines: &[u8], end: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(lines);
    if lines.last().is_some_and(|&last| last != b'\n') {
        out.extend_from_slice(end);
    }
}

/// `\r\n` if the base's first line ends so, and neither side's line in front of the part ends otherwise.
fn line_end(merge: &Merge<'_>, part: &Part) -> &'static [u8] {
    let plain = |text: &Text<'_>, row: usize| returns(text, row.saturating_sub(1)) == Some(false);
    let is_plain = plain(&merge.ours, part.ours.start)
        || plain(&merge.theirs, part.theirs.start)
        || returns(&merge.base, 0) != Some(true);
    if is_plain { b"\n" } else { b"\r\n" }
}

/// Whether line `row` ends in `\r\n`; if it ends in nothing, the line in front of it; `None` if that is not there.
fn returns(text: &Text<'_>, row: usize) -> Option<bool> {
    if text.len() == 0 {
        return None;
    }
    let line = text.line(row);
    if line.ends_with(b"\n") {
        return Some(line.ends_with(b"\r\n"));
    }
    Some(text.line(row.checked_sub(1)?).ends_with(b"\r\n"))
}
