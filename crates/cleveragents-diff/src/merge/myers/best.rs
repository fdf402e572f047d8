//! Where to cut when the search was given up.

use super::{Area, NOWHERE, Search, Split};

#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "no text has 2^63 lines; rows reached are in it"
)]
impl Search<'_> {
    /// The place farthest from the corner it was reached from.
    pub(super) fn best(&self, area: Area, ahead: (isize, isize), back: (isize, isize)) -> Split {
        let (top, bottom) = (area.top as isize, area.bottom as isize);
        let (left, right) = (area.left as isize, area.right as isize);
        let mut far = (-1, -1);
        let mut diagonal = ahead.1;
        while diagonal >= ahead.0 {
            let row = self.forward[self.at(diagonal)].min(bottom).min(right + diagonal);
            far = far.max((2 * row - diagonal, diagonal));
            diagonal -= 2;
        }
        let mut near = (NOWHERE, NOWHERE);
        let mut diagonal = back.1;
        while diagonal >= back.0 {
            let row = self.backward[self.at(diagonal)].max(top).max(left + diagonal);
            near = near.min((2 * row - diagonal, -diagonal));
            diagonal -= 2;
        }
        let place = |(sum, diagonal): (isize, isize)| {
            let row = isize::midpoint(sum, diagonal);
            (row as usize, (row - diagonal) as usize)
        };
        let ahead_wins = bottom + right - near.0 < far.0 - (top + left);
        let (row, column) = place(if ahead_wins { far } else { (near.0, -near.1) });
        Split { row, column, minimal: (ahead_wins, !ahead_wins) }
    }
}
