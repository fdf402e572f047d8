//! The changed stretches between two lists of lines, in time bounded by their length.
//!
//! imara-diff gives good stretches, but both its algorithms are quadratic on some inputs (every second line
//! changed; few distinct lines). So a large change is cut into windows of at most [`WINDOW`] lines, at lines that
//! occur once on both sides where there are such, and each window is compared by itself.

mod window;

#[cfg(test)]
mod tests;

use std::ops::Range;

use imara_diff::{Algorithm, Diff, IndentHeuristic, IndentLevel, InternedInput, Token};

/// The most lines of one side that are compared at once: about a hundredth of a second at the worst.
const WINDOW: usize = 4096;
/// Equal lines left around a change, so that it can be moved to where a reader expects it.
const MARGIN: usize = 100;
/// As much of a line as its indentation is read from. A longer run of blanks would be read again and again.
const INDENT: usize = 256;

/// Lines `before` were replaced by lines `after`; one of the two may be empty. All other lines are equal in pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// The changed stretches in order, never touching one another.
pub(crate) fn spans(before: &[&[u8]], after: &[&[u8]]) -> Vec<Span> {
    let equal = |(b, a): &(&&[u8], &&[u8])| b == a;
    let head = before.iter().zip(after).take_while(equal).count();
    let tail = before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(equal).count();
    if head + tail == before.len() && head + tail == after.len() {
        return Vec::new();
    }
    let (head, tail) = (head.saturating_sub(MARGIN), tail.saturating_sub(MARGIN));
    let before = &before[head..before.len() - tail];
    let after = &after[head..after.len() - tail];

    let mut found: Vec<Span> = Vec::new();
    let mut start = (0, 0);
    for end in window::ends(before, after, WINDOW) {
        for span in compare(&before[start.0..end.0], &after[start.1..end.1]) {
            let offset = (head + start.0, head + start.1);
            let next = Span {
                before: span.before.start + offset.0..span.before.end + offset.0,
                after: span.after.start + offset.1..span.after.end + offset.1,
            };
            match found.last_mut() {
                // Two changes that meet where the input was cut are one.
                Some(last) if last.before.end == next.before.start && last.after.end == next.after.start => {
                    last.before.end = next.before.end;
                    last.after.end = next.after.end;
                }
                _ => found.push(next),
            }
        }
        start = end;
    }
    found
}

fn compare(before: &[&[u8]], after: &[&[u8]]) -> Vec<Span> {
    let mut input: InternedInput<&[u8]> = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_with_heuristic(
        &input,
        IndentHeuristic::new(|line: Token| {
            IndentLevel::for_ascii_line(input.interner[line].iter().copied().take(INDENT), 8)
        }),
    );
    let widen = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Span { before: widen(hunk.before), after: widen(hunk.after) }).collect()
}
