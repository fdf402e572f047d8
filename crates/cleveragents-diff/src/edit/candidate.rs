//! What a quoted text that was not found may have meant.

use std::fmt;

use crate::line;

/// At most so many are given.
const GIVEN: usize = 3;
/// At most so many lines of the quoted text, and so many bytes of each line, are looked at.
const COMPARED_LINES: usize = 8;
const COMPARED_BYTES: usize = 200;
/// At most so many lines of the file are tried.
const TRIED: usize = 100_000;
/// Below this likeness, out of a hundred, a line is no help.
const LIKE_ENOUGH: usize = 60;

/// A place in the file that is like the quoted text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The line number, from one.
    pub line: u32,
    /// The first 200 bytes of that line, without its end.
    pub text: Vec<u8>,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.line, String::from_utf8_lossy(&self.text))
    }
}

/// The lines of `base` at which a text most like `old` begins, the best first.
pub(crate) fn nearest(base: &[u8], old: &[u8]) -> Vec<Candidate> {
    let wanted: Vec<&[u8]> = line::lines(old)
        .into_iter()
        .map(body)
        .skip_while(|line| line.is_empty())
        .take(COMPARED_LINES)
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let lines = line::lines(base);
    let bodies: Vec<&[u8]> = lines.iter().take(TRIED).map(|line| body(line)).collect();
    let mut best: Vec<(usize, usize)> = Vec::new();
    for row in 0..bodies.len() {
        let score = likeness_at(&bodies[row..], &wanted);
        if score < LIKE_ENOUGH || (best.len() == GIVEN && best[GIVEN - 1].0 >= score) {
            continue;
        }
        best.truncate(GIVEN - 1);
        best.insert(best.partition_point(|&(other, _)| other >= score), (score, row));
    }
    best.into_iter().map(|(_, row)| candidate(row, lines[row])).collect()
}

fn candidate(row: usize, line: &[u8]) -> Candidate {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    Candidate {
        line: u32::try_from(row).unwrap_or(u32::MAX).saturating_add(1),
        text: text[..text.len().min(COMPARED_BYTES)].to_vec(),
    }
}

fn body(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    &line[..line.len().min(COMPARED_BYTES)]
}

/// The first line decides whether it is worth a look; the mean over all of them decides which is best.
fn likeness_at(lines: &[&[u8]], wanted: &[&[u8]]) -> usize {
    let first = likeness(lines[0], wanted[0]);
    if first < LIKE_ENOUGH {
        return 0;
    }
    let rest: usize = lines.iter().zip(wanted).skip(1).map(|(line, wanted)| likeness(line, wanted)).sum();
    ((first + rest) / wanted.len()).max(LIKE_ENOUGH)
}

/// How much of two lines is the same at their beginning and end, out of a hundred.
fn likeness(left: &[u8], right: &[u8]) -> usize {
    let (shorter, longer) = (left.len().min(right.len()), left.len().max(right.len()));
    if longer == 0 {
        return 100;
    }
    let same = |(left, right): &(&u8, &u8)| left.eq_ignore_ascii_case(right);
    let head = left.iter().zip(right).take_while(same).count();
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(same).count().min(shorter - head);
    (head + tail) * 100 / longer
}
