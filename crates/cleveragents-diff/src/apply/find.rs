//! Finding lines in a file, wherever they stand.

use std::collections::HashMap;

use super::base::{Base, body, without_mark, without_return};
use crate::HunkLine;

/// The lines of a file as numbers: two lines of the same text have the same one.
pub(super) struct Index<'a> {
    numbers: HashMap<&'a [u8], u32>,
    rows: Vec<u32>,
    /// For each number the rows where it stands.
    places: Vec<Vec<u32>>,
}

/// The work that was left when it was spent.
pub(super) struct Spent;

impl<'a> Index<'a> {
    pub(super) fn new(base: &Base<'a>) -> Self {
        let mut index = Self {
            numbers: HashMap::with_capacity(base.lines.len()),
            rows: Vec::with_capacity(base.lines.len()),
            places: Vec::new(),
        };
        for (row, line) in base.lines.iter().enumerate() {
            let text = body(line);
            let text = if row == 0 { without_mark(text) } else { text };
            // imara-diff and the line numbers of a patch stop at 32 bits as well.
            let next = u32::try_from(index.places.len()).unwrap_or(u32::MAX);
            let number = *index.numbers.entry(text).or_insert(next);
            if number == next {
                index.places.push(Vec::new());
            }
            index.places[number as usize].push(u32::try_from(row).unwrap_or(u32::MAX));
            index.rows.push(number);
        }
        index
    }

    /// The rows at which `wanted` begins to stand, all of them in order. `work` is what it may cost at the most.
    pub(super) fn find(&self, wanted: &[HunkLine<'_>], work: &mut u64) -> Result<Vec<usize>, Spent> {
        let mut numbers = Vec::with_capacity(wanted.len());
        for line in wanted {
            let text = without_return(line.text);
            let Some(&number) = self.numbers.get(text).or_else(|| self.numbers.get(without_mark(text)))
            else {
                return Ok(Vec::new());
            };
            numbers.push(number);
        }
        // The line that stands in the fewest places says where to look.
        let rarest = (0..numbers.len()).min_by_key(|&at| self.places[numbers[at] as usize].len());
        let Some(rarest) = rarest else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for &row in &self.places[numbers[rarest] as usize] {
            let Some(start) = (row as usize).checked_sub(rarest) else { continue };
            let Some(there) = self.rows.get(start..start + numbers.len()) else { continue };
            let same = there.iter().zip(&numbers).take_while(|(there, wanted)| there == wanted).count();
            *work = work.checked_sub(same as u64 + 1).ok_or(Spent)?;
            if same == numbers.len() {
                found.push(start);
            }
        }
        Ok(found)
    }
}
