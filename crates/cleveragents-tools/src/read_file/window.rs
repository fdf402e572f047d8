//! A window of lines, bounded by what an answer may hold.

use cleveragents_runtime::domain::RelPath;
use cleveragents_runtime::{FileError, Files};

/// How much of the file is looked at in one piece.
const PIECE: u64 = 256 * 1024;

/// A run of lines.
#[derive(Default)]
pub(super) struct Window {
    pub(super) bytes: Vec<u8>,
    pub(super) lines: u64,
    /// Lines before the first one that was wanted.
    pub(super) passed: u64,
    /// Whether the file goes on.
    pub(super) more: bool,
    /// Whether the last line is not whole.
    pub(super) cut: bool,
}

impl Window {
    pub(super) fn read(
        files: &dyn Files,
        path: &RelPath,
        first: u64,
        limit: u64,
        budget: u64,
    ) -> Result<Self, FileError> {
        let (mut found, mut at, mut used) = (Self::default(), 0, 0);
        let mut passing = false;
        let mut line = Vec::new();
        loop {
            let piece = files.read(path, at, PIECE)?;
            at += piece.len() as u64;
            for part in piece.split_inclusive(|byte| *byte == b'\n') {
                if found.lines == limit {
                    found.more = true;
                    return Ok(found);
                }
                let ends = part.ends_with(b"\n");
                if found.passed + 1 < first {
                    found.passed += u64::from(ends);
                    passing = !ends;
                    continue;
                }
                line.extend_from_slice(part);
                if (ends || line.len() as u64 > budget) && !found.take(&mut line, &mut used, budget) {
                    return Ok(found);
                }
            }
            if piece.is_empty() {
                // The last line may have no line end.
                found.passed += u64::from(passing);
                if !line.is_empty() && found.lines < limit {
                    found.take(&mut line, &mut used, budget);
                }
                return Ok(found);
            }
        }
    }

    /// Adds a line; false when the answer is full.
    fn take(&mut self, line: &mut Vec<u8>, used: &mut u64, budget: u64) -> bool {
        let weighs: u64 = line.iter().map(|byte| weight_of(*byte)).sum();
        if *used + weighs <= budget {
            *used += weighs;
            self.lines += 1;
            self.bytes.append(line);
            return true;
        }
        self.more = true;
        if self.lines == 0 {
            let mut room = budget;
            let fits = |byte: &&u8| {
                let weighs = weight_of(**byte);
                let fits = weighs <= room;
                room = room.saturating_sub(weighs);
                fits
            };
            let mut kept = line.iter().take_while(fits).count();
            // Not inside a character.
            while kept > 0 && line.get(kept).is_some_and(|byte| byte & 0xc0 == 0x80) {
                kept -= 1;
            }
            self.bytes.extend_from_slice(&line[..kept]);
            (self.lines, self.cut) = (1, true);
        }
        false
    }
}

/// How many bytes of JSON a byte of content can take.
fn weight_of(byte: u8) -> u64 {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..0x20 => 6,
        0x20..0x80 => 1,
        // It may have to travel as base64.
        _ => 2,
    }
}
