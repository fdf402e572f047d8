//! Comparing the lines of one window.

use imara_diff::{Algorithm, Diff, IndentHeuristic, IndentLevel, Interner, SliderHeuristic as _, Token};

use super::{Span, of_marks};
use crate::slide::slide;

/// As much of a line as its indentation is read from. A longer run of blanks would be read again and again.
const INDENT: usize = 256;
/// The number of a line that the window at hand has not met.
const UNMET: u32 = u32::MAX;

/// Compares windows of two texts, whose lines are the tokens of one interner.
pub(super) struct Comparison<'a> {
    interner: &'a Interner<&'a [u8]>,
    /// For each token its number among those of the window's earlier side.
    numbers: Vec<u32>,
    /// For each such number whether the later side has the line as well.
    shared: Vec<bool>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(interner: &'a Interner<&'a [u8]>) -> Self {
        Self { interner, numbers: vec![UNMET; interner.num_tokens() as usize], shared: Vec::new() }
    }

    /// The changed stretches of a window.
    pub(super) fn spans(&mut self, before: &[Token], after: &[Token]) -> Vec<Span> {
        if before == after {
            return Vec::new();
        }
        let (mut removed, mut added) = (vec![true; before.len()], vec![true; after.len()]);
        self.mark(before, after, &mut removed, &mut added);
        let interner = self.interner;
        let mut heuristic = IndentHeuristic::new(|line: Token| {
            IndentLevel::for_ascii_line(interner[line].iter().copied().take(INDENT), 8)
        });
        slide(after, &mut added, &removed, |run, top| {
            heuristic.best_slider_end(after, narrow(run.start)..narrow(run.end), narrow(top)) as usize
        });
        slide(before, &mut removed, &added, |run, top| {
            heuristic.best_slider_end(before, narrow(run.start)..narrow(run.end), narrow(top)) as usize
        });
        of_marks(&removed, &added)
    }

    /// Takes the marks off the lines that are pairs. Lines that only one side has are left out of the comparison: they
    /// are changed in any case, and among many of them the algorithm is quadratic.
    fn mark(&mut self, before: &[Token], after: &[Token], removed: &mut [bool], added: &mut [bool]) {
        self.shared.clear();
        for token in before {
            let number = &mut self.numbers[token.0 as usize];
            if *number == UNMET {
                *number = narrow(self.shared.len());
                self.shared.push(false);
            }
        }
        let mut kept_after = Vec::with_capacity(after.len());
        for (row, token) in after.iter().enumerate() {
            let number = self.numbers[token.0 as usize];
            if number != UNMET {
                self.shared[number as usize] = true;
                kept_after.push((row, Token(number)));
            }
        }
        let mut kept_before = Vec::with_capacity(before.len());
        for (row, token) in before.iter().enumerate() {
            let number = self.numbers[token.0 as usize];
            if self.shared[number as usize] {
                kept_before.push((row, Token(number)));
            }
        }
        for token in before {
            self.numbers[token.0 as usize] = UNMET;
        }
        let tokens = |kept: &[(usize, Token)]| kept.iter().map(|&(_, token)| token).collect::<Vec<_>>();
        let (left, right) = (tokens(&kept_before), tokens(&kept_after));
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Histogram, &left, &right, narrow(self.shared.len()));
        for (at, &(row, _)) in kept_before.iter().enumerate() {
            removed[row] = diff.is_removed(narrow(at));
        }
        for (at, &(row, _)) in kept_after.iter().enumerate() {
            added[row] = diff.is_added(narrow(at));
        }
    }
}

/// Windows have a few thousand lines.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
