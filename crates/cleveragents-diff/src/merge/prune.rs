//! Leaving out lines that do not help to line up two texts.

/// A line that occurs so often on the other side that it is a poor thing to hold on to.
const OFTEN: u32 = 1024;
/// How far around such a line is looked.
const AROUND: usize = 100;

/// How a line stands to the other text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    None,
    Some,
    Many,
}

/// The rows of either side that remain to be compared. All others between the equal ends of the two texts are marked
/// as changed: lines that the other side does not have, and lines that it has too often, if they stand among these.
pub(super) fn prune(
    before: &[u32],
    after: &[u32],
    removed: &mut [bool],
    added: &mut [bool],
) -> (Vec<usize>, Vec<usize>) {
    let head = before.iter().zip(after).take_while(|(b, a)| b == a).count();
    let tail =
        before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(|(b, a)| b == a).count();
    let highest = before.iter().chain(after).copied().max().unwrap_or(0) as usize;
    let one = |side: &[u32], other: &[u32], marks: &mut [bool]| {
        let mut counts = vec![0u32; highest + 1];
        for &token in other {
            counts[token as usize] += 1;
        }
        let limit = root(side.len()).min(OFTEN);
        let matches: Vec<Match> = side[head..side.len() - tail]
            .iter()
            .map(|&token| match counts[token as usize] {
                0 => Match::None,
                count if count >= limit => Match::Many,
                _ => Match::Some,
            })
            .collect();
        let mut kept = Vec::new();
        for (at, kind) in matches.iter().enumerate() {
            match kind {
                Match::Some => kept.push(head + at),
                Match::Many if !stands_apart(&matches, at) => kept.push(head + at),
                Match::None | Match::Many => marks[head + at] = true,
            }
        }
        kept
    };
    (one(before, after, removed), one(after, before, added))
}

/// Whether line `at`, one of [`Match::Many`], stands among lines without a match on both sides, which outnumber those
/// of its own kind there three to one.
fn stands_apart(matches: &[Match], at: usize) -> bool {
    let count = |lines: &mut dyn Iterator<Item = &Match>| {
        let (mut none, mut many) = (0, 1);
        for kind in lines.take(AROUND) {
            match kind {
                Match::None => none += 1,
                Match::Many => many += 1,
                Match::Some => break,
            }
        }
        (none, many)
    };
    let ahead = count(&mut matches[..at].iter().rev());
    let behind = count(&mut matches[at + 1..].iter());
    let (none, many) = (ahead.0 + behind.0, ahead.1 + behind.1);
    ahead.0 > 0 && behind.0 > 0 && many * 4 < many + none
}

/// A power of two near the square root.
pub(super) fn root(mut number: usize) -> u32 {
    let mut root = 1;
    while number > 0 {
        number >>= 2;
        root <<= 1;
    }
    root
}
