//! Moving changes to where they belong.
//!
//! A run of changed lines can often be moved up or down without changing what it means: where the line in front of it
//! equals its last one, or the line behind it its first. Runs that meet become one. A run that can stand beside a
//! change of the other side stands there; where any other stands is for the caller to say.

use std::ops::Range;

/// Moves the runs of `changed` lines of one side; `other` are the marks of the other side. `place` is asked where a run
/// ends best that can end anywhere from a line (its second argument) down to where it is.
pub(crate) fn slide<T: PartialEq>(
    lines: &[T],
    changed: &mut [bool],
    other: &[bool],
    mut place: impl FnMut(Range<usize>, usize) -> usize,
) {
    let mut runs = Runs { lines, changed, other, here: 0..0, there: 0..0 };
    runs.here.end = runs.changed.iter().take_while(|&&mark| mark).count();
    runs.there.end = other.iter().take_while(|&&mark| mark).count();
    loop {
        if !runs.here.is_empty() {
            runs.settle(&mut place);
        }
        if runs.here.end == lines.len() {
            return;
        }
        runs.here = next(runs.changed, &runs.here);
        runs.there = next(other, &runs.there);
    }
}

/// A run of changed lines, perhaps empty, and the one that stands beside it on the other side.
struct Runs<'a, T> {
    lines: &'a [T],
    changed: &'a mut [bool],
    other: &'a [bool],
    here: Range<usize>,
    there: Range<usize>,
}

impl<T: PartialEq> Runs<'_, T> {
    fn settle(&mut self, place: &mut impl FnMut(Range<usize>, usize) -> usize) {
        let (mut highest, mut beside);
        loop {
            let size = self.here.len();
            while self.up() {}
            highest = self.here.end;
            beside = !self.there.is_empty();
            while self.down() {
                beside |= !self.there.is_empty();
            }
            if self.here.len() == size {
                break;
            }
        }
        if self.here.end == highest {
            return;
        }
        if beside {
            while self.there.is_empty() && self.up() {}
        } else {
            let end = place(self.here.clone(), highest);
            while self.here.end > end && self.up() {}
        }
    }

    fn up(&mut self) -> bool {
        let Range { start, end } = self.here;
        if start == 0 || self.lines[start - 1] != self.lines[end - 1] {
            return false;
        }
        self.changed[start - 1] = true;
        self.changed[end - 1] = false;
        self.here = first(self.changed, start - 1)..end - 1;
        // The unchanged line that was passed has its pair on the other side.
        let end = self.there.start.saturating_sub(1);
        self.there = first(self.other, end)..end;
        true
    }

    fn down(&mut self) -> bool {
        let Range { start, end } = self.here;
        if end == self.lines.len() || self.lines[start] != self.lines[end] {
            return false;
        }
        self.changed[start] = false;
        self.changed[end] = true;
        self.here = start + 1..last(self.changed, end + 1);
        self.there = next(self.other, &self.there);
        true
    }
}

/// The run behind the unchanged line behind `run`.
fn next(marks: &[bool], run: &Range<usize>) -> Range<usize> {
    let start = (run.end + 1).min(marks.len());
    start..last(marks, start)
}

fn first(marks: &[bool], end: usize) -> usize {
    end - marks[..end].iter().rev().take_while(|&&mark| mark).count()
}

fn last(marks: &[bool], start: usize) -> usize {
    start + marks[start..].iter().take_while(|&&mark| mark).count()
}
