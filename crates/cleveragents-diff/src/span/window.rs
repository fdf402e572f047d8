//! Cutting a large comparison into windows.

use imara_diff::Token;

/// A place between lines: so many lines of the earlier side and of the later side lie in front of it.
pub(super) type Cut = (usize, usize);

/// The ends of windows that hold at most `limit` lines of either side; the last is the end of both.
pub(super) fn ends(before: &[Token], after: &[Token], limit: usize) -> Vec<Cut> {
    let end = (before.len(), after.len());
    if end.0 <= limit && end.1 <= limit {
        return vec![end];
    }
    let too_far = |from: Cut, to: Cut| to.0 - from.0 > limit || to.1 - from.1 > limit;
    let mut ends = Vec::new();
    let mut start = (0, 0);
    let mut reached = start;
    for next in anchors(before, after).into_iter().chain([end]) {
        if too_far(start, next) && reached != start {
            ends.push(reached);
            start = reached;
        }
        if too_far(start, next) {
            let (rows, columns) = (next.0 - start.0, next.1 - start.1);
            let parts = rows.max(columns).div_ceil(limit);
            // Without a line to hold on to, both sides are cut in proportion. `parts` is small: no overflow.
            ends.extend((1..=parts).map(|n| (start.0 + rows * n / parts, start.1 + columns * n / parts)));
            start = next;
        }
        reached = next;
    }
    if ends.last() != Some(&end) {
        ends.push(end);
    }
    ends
}

/// Pairs of equal lines that occur once on either side, as many as can be had in the same order on both.
fn anchors(before: &[Token], after: &[Token]) -> Vec<Cut> {
    let count = before.iter().chain(after).map(|token| token.0 as usize + 1).max().unwrap_or(0);
    let (earlier, later) = (once(before, count), once(after, count));
    let pairs: Vec<Cut> = before
        .iter()
        .enumerate()
        .filter(|(row, token)| earlier[token.0 as usize] == *row)
        .map(|(row, token)| (row, later[token.0 as usize]))
        .filter(|&(_, column)| column < MANY)
        .collect();
    longest_rise(&pairs)
}

const MANY: usize = usize::MAX - 1;
const NOWHERE: usize = usize::MAX;

/// Where each of `count` tokens stands; [`MANY`] if it stands in more than one place, [`NOWHERE`] if in none.
fn once(lines: &[Token], count: usize) -> Vec<usize> {
    let mut places = vec![NOWHERE; count];
    for (row, token) in lines.iter().enumerate() {
        let place = &mut places[token.0 as usize];
        *place = if *place == NOWHERE { row } else { MANY };
    }
    places
}

/// The longest subsequence of `pairs` (rising in their first half) that rises in the second half too.
fn longest_rise(pairs: &[Cut]) -> Vec<Cut> {
    // piles[n] is the pair with the smallest second half that ends a rise of n + 1 pairs.
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < pair.1);
        before.push(pile.checked_sub(1).map(|lower| piles[lower]));
        if pile == piles.len() {
            piles.push(index);
        } else {
            piles[pile] = index;
        }
    }
    let mut rise: Vec<Cut> =
        std::iter::successors(piles.last().copied(), |&at| before[at]).map(|at| pairs[at]).collect();
    rise.reverse();
    rise
}

#[cfg(test)]
mod tests {
    use imara_diff::Token;

    use super::{ends, longest_rise};

    fn numbered(numbers: impl Iterator<Item = u32>) -> Vec<Token> {
        numbers.map(Token).collect()
    }

    fn checked(before: &[Token], after: &[Token], limit: usize) -> Vec<(usize, usize)> {
        let ends = ends(before, after, limit);
        let mut start = (0, 0);
        for &end in &ends {
            assert!(end.0 >= start.0 && end.0 - start.0 <= limit, "{start:?} to {end:?}");
            assert!(end.1 >= start.1 && end.1 - start.1 <= limit, "{start:?} to {end:?}");
            start = end;
        }
        assert_eq!(start, (before.len(), after.len()));
        ends
    }

    #[test]
    fn cuts_at_lines_that_both_sides_have_once() {
        let before = numbered(0..30);
        let after = numbered((100..105).chain(0..30));
        for (row, column) in checked(&before, &after, 10).into_iter().rev().skip(1) {
            assert_eq!(column, row + 5, "the same line on both sides");
        }
    }

    #[test]
    fn cuts_in_proportion_where_nothing_is_shared() {
        assert_eq!(checked(&numbered(0..30), &numbered(100..115), 10), [(10, 5), (20, 10), (30, 15)]);
        assert_eq!(checked(&numbered(0..25), &[], 10).len(), 3);
        checked(&numbered((0..40).map(|n| n % 3)), &numbered((0..70).map(|n| n % 2)), 7);
    }

    #[test]
    fn finds_the_longest_rise() {
        assert_eq!(longest_rise(&[(0, 5), (1, 0), (2, 1), (3, 9), (4, 2)]), [(1, 0), (2, 1), (4, 2)]);
        assert_eq!(longest_rise(&[]), []);
    }
}
