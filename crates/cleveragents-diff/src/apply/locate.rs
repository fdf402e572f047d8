//! Where a hunk goes.

use std::ops::Range;

use super::base::{Base, Likeness, body, number, without_return};
use super::error::{ApplyError, LISTED};
use super::find::{Index, Spent};
use crate::edit::nearest;
use crate::{FilePatch, Hunk, HunkLine, LineKind, PatchForm};

/// How many comparisons of lines all hunks of a file together may cost where they are not at their place.
const WORK: u64 = 1 << 28;

/// A hunk's place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The lines that the hunk keeps or removes.
    pub(super) rows: Range<usize>,
    /// Whether these lines are the hunk's byte for byte.
    pub(super) exact: bool,
}

/// Looks up the hunks of one file.
pub(super) struct Search<'a, 'b> {
    base: &'b Base<'a>,
    form: PatchForm,
    index: Option<Index<'a>>,
    work: u64,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(base: &'b Base<'a>, file: &FilePatch<'_>) -> Self {
        Self { base, form: file.form, index: None, work: WORK }
    }

    pub(super) fn place(&mut self, index: usize, hunk: &Hunk<'_>) -> Result<Place, ApplyError> {
        // A file is never shorter than a part of it; so many lines need not be looked for, nor kept.
        let end = self.base.lines.len();
        let kept = hunk.lines().filter(|line| line.kind != LineKind::Added);
        let old: Vec<HunkLine<'_>> = kept.take(end.max(SHOWN) + 1).collect();
        if old.is_empty() {
            let at_end = self.form == PatchForm::Envelope && hunk.anchors.is_empty();
            if end == 0 || at_end {
                return Ok(Place { rows: end..end, exact: end == 0 });
            }
            return Err(ApplyError::NoContext { hunk: index, line: hunk.line });
        }
        if old.len() > end {
            return Err(self.not_found(index, hunk, &old));
        }
        let reaches_end = hunk.at_end || hunk.lines().any(|line| !line.newline);
        if let Some(header) = hunk.header {
            let start = (header.old_start as usize).saturating_sub(1);
            let fits = !reaches_end || start + old.len() == end;
            if let Some(exact) = self.matches(start, &old).filter(|_| fits) {
                return Ok(Place { rows: start..start + old.len(), exact });
            }
        }
        let rows = self.index.get_or_insert_with(|| Index::new(self.base));
        let spent = |Spent| ApplyError::TooMuchWork { hunk: index, line: hunk.line };
        let mut found = rows.find(&old, &mut self.work).map_err(spent)?;
        found.retain(|&start| self.matches(start, &old).is_some());
        if !hunk.anchors.is_empty() {
            let from = self.behind_anchors(index, hunk)?;
            // An anchor says behind which line to look; the first place behind it is meant.
            found = found.into_iter().find(|&start| start >= from).into_iter().collect();
        }
        if let (true, [.., last]) = (reaches_end, &found[..]) {
            let (last, left) = (*last, end - *last - old.len());
            if left > 0 {
                return Err(ApplyError::NotAtEnd { hunk: index, line: hunk.line, at: number(last), left });
            }
            found = vec![last];
        }
        match found[..] {
            [start] => {
                let exact = self.matches(start, &old) == Some(true);
                Ok(Place { rows: start..start + old.len(), exact })
            }
            [] => Err(self.not_found(index, hunk, &old)),
            _ => {
                let lines = found.iter().take(LISTED).map(|&start| number(start)).collect();
                Err(ApplyError::Ambiguous { hunk: index, line: hunk.line, count: found.len(), lines })
            }
        }
    }

    /// Whether `old` stands at `start`: `Some(true)` if byte for byte.
    fn matches(&self, start: usize, old: &[HunkLine<'_>]) -> Option<bool> {
        let mut exact = true;
        for (row, line) in (start..).zip(old) {
            match self.base.compare(row, line) {
                Likeness::Same => {}
                Likeness::SameText => exact = false,
                Likeness::Other => return None,
            }
        }
        Some(exact)
    }

    /// The row behind the hunk's anchors, each of which must stand in one place behind the one in front of it: as it
    /// is written, or, if it stands nowhere so, but for blanks around it.
    fn behind_anchors(&mut self, index: usize, hunk: &Hunk<'_>) -> Result<usize, ApplyError> {
        let mut from = 0;
        for anchor in &hunk.anchors {
            let rows = |same: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
                let there = self.base.lines.iter().enumerate().skip(from);
                there.filter(|(_, line)| same(body(line))).map(|(row, _)| row).collect()
            };
            let cost = self.base.lines.len() as u64;
            self.work = self
                .work
                .checked_sub(cost)
                .ok_or(ApplyError::TooMuchWork { hunk: index, line: hunk.line })?;
            let mut found = rows(&|line| line == without_return(anchor));
            if found.is_empty() {
                found = rows(&|line| line.trim_ascii() == anchor.trim_ascii());
            }
            let [row] = found[..] else {
                return Err(ApplyError::Anchor {
                    hunk: index,
                    line: hunk.line,
                    anchor: anchor.to_vec(),
                    count: found.len(),
                    lines: found.iter().take(LISTED).map(|&row| number(row)).collect(),
                });
            };
            from = row + 1;
        }
        Ok(from)
    }

    fn not_found(&self, index: usize, hunk: &Hunk<'_>, old: &[HunkLine<'_>]) -> ApplyError {
        let mut wanted = Vec::new();
        for line in old.iter().take(SHOWN) {
            wanted.extend_from_slice(line.text);
            wanted.push(b'\n');
        }
        let candidates = nearest(self.base.bytes, &wanted);
        ApplyError::NotFound { hunk: index, line: hunk.line, wanted, candidates }
    }
}

/// At most so many lines are shown of what was looked for.
const SHOWN: usize = 8;
