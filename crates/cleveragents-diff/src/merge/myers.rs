//! Eugene Myers' "An O(ND) difference algorithm", in linear space, with a limit on its cost.

mod best;

use super::prune::root;

/// The fewest steps after which the search for the shortest way through a box is given up, and the most.
const STEPS: (u32, u32) = (256, 1024);
const NOWHERE: isize = isize::MAX;

/// Calls `removed` and `added` with the rows of either side that a shortest edit (or one not much longer) changes.
pub(super) fn mark(
    before: &[u32],
    after: &[u32],
    mut removed: impl FnMut(usize),
    mut added: impl FnMut(usize),
) {
    let mut search = Search::new(before, after);
    let mut boxes = vec![(Area { top: 0, bottom: before.len(), left: 0, right: after.len() }, false)];
    while let Some((mut area, minimal)) = boxes.pop() {
        while area.top < area.bottom && area.left < area.right && before[area.top] == after[area.left] {
            area.top += 1;
            area.left += 1;
        }
        while area.top < area.bottom
            && area.left < area.right
            && before[area.bottom - 1] == after[area.right - 1]
        {
            area.bottom -= 1;
            area.right -= 1;
        }
        if area.top == area.bottom {
            (area.left..area.right).for_each(&mut added);
        } else if area.left == area.right {
            (area.top..area.bottom).for_each(&mut removed);
        } else {
            let split = search.split(area, minimal);
            boxes.push((Area { top: split.row, left: split.column, ..area }, split.minimal.1));
            boxes.push((Area { bottom: split.row, right: split.column, ..area }, split.minimal.0));
        }
    }
}

/// A part of the table of rows (before) and columns (after).
#[derive(Debug, Clone, Copy)]
struct Area {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

/// Where to cut an area in two, and whether either half is to be searched to the end.
struct Split {
    row: usize,
    column: usize,
    minimal: (bool, bool),
}

struct Search<'a> {
    before: &'a [u32],
    after: &'a [u32],
    /// For each diagonal (row minus column) the row reached from the top left, and from the bottom right.
    forward: Vec<isize>,
    backward: Vec<isize>,
    /// The place of diagonal zero in these.
    zero: isize,
    limit: u32,
}

#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "no text has 2^63 lines; rows reached are in it"
)]
impl<'a> Search<'a> {
    fn new(before: &'a [u32], after: &'a [u32]) -> Self {
        let diagonals = before.len() + after.len() + 3;
        Self {
            before,
            after,
            forward: vec![0; diagonals + 2],
            backward: vec![0; diagonals + 2],
            zero: after.len() as isize + 2,
            limit: root(diagonals).clamp(STEPS.0, STEPS.1),
        }
    }

    fn at(&self, diagonal: isize) -> usize {
        (diagonal + self.zero) as usize
    }

    /// Searches from both corners, a step at a time in turn, until the two ways meet.
    fn split(&mut self, area: Area, minimal: bool) -> Split {
        let (top, bottom) = (area.top as isize, area.bottom as isize);
        let (left, right) = (area.left as isize, area.right as isize);
        let (lowest, highest) = (top - right, bottom - left);
        let (start, end) = (top - left, bottom - right);
        let odd = (start - end) & 1 != 0;
        let (mut ahead, mut back) = ((start, start), (end, end));
        let (start, end) = (self.at(start), self.at(end));
        self.forward[start] = top;
        self.backward[end] = bottom;
        let mut steps = 0;
        loop {
            steps += 1;
            self.widen(&mut ahead, (lowest, highest), true);
            let mut diagonal = ahead.1;
            while diagonal >= ahead.0 {
                let at = self.at(diagonal);
                let (below, above) = (self.forward[at - 1], self.forward[at + 1]);
                let mut row = if below >= above { below + 1 } else { above };
                let mut column = row - diagonal;
                while row < bottom
                    && column < right
                    && self.before[row as usize] == self.after[column as usize]
                {
                    row += 1;
                    column += 1;
                }
                self.forward[at] = row;
                if odd && back.0 <= diagonal && diagonal <= back.1 && self.backward[at] <= row {
                    return Split { row: row as usize, column: column as usize, minimal: (true, true) };
                }
                diagonal -= 2;
            }
            self.widen(&mut back, (lowest, highest), false);
            let mut diagonal = back.1;
            while diagonal >= back.0 {
                let at = self.at(diagonal);
                let (below, above) = (self.backward[at - 1], self.backward[at + 1]);
                let mut row = if below < above { below } else { above - 1 };
                let mut column = row - diagonal;
                while row > top
                    && column > left
                    && self.before[row as usize - 1] == self.after[column as usize - 1]
                {
                    row -= 1;
                    column -= 1;
                }
                self.backward[at] = row;
                if !odd && ahead.0 <= diagonal && diagonal <= ahead.1 && row <= self.forward[at] {
                    return Split { row: row as usize, column: column as usize, minimal: (true, true) };
                }
                diagonal -= 2;
            }
            if !minimal && steps >= self.limit {
                return self.best(area, ahead, back);
            }
        }
    }

    /// Adds a diagonal on either side of a range, or takes one off where the area ends, and closes the range off.
    fn widen(&mut self, range: &mut (isize, isize), ends: (isize, isize), forward: bool) {
        let outside = if forward { -1 } else { NOWHERE };
        if range.0 > ends.0 {
            range.0 -= 1;
            let at = self.at(range.0 - 1);
            self.side(forward)[at] = outside;
        } else {
            range.0 += 1;
        }
        if range.1 < ends.1 {
            range.1 += 1;
            let at = self.at(range.1 + 1);
            self.side(forward)[at] = outside;
        } else {
            range.1 -= 1;
        }
    }

    fn side(&mut self, forward: bool) -> &mut [isize] {
        if forward { &mut self.forward } else { &mut self.backward }
    }
}
