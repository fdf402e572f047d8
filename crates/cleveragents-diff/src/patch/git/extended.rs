//! The extended header of a git diff.

use std::borrow::Cow;

use super::super::name::{self, Name};
use super::super::{Operation, PatchError, PatchErrorKind};
use super::Paths;

/// What the extended header says.
#[derive(Default)]
pub(super) struct Extended<'a> {
    created: bool,
    deleted: bool,
    pub(super) renamed: (Option<Name<'a>>, Option<Name<'a>>),
    copied: bool,
    pub(super) old_mode: Option<u32>,
    pub(super) new_mode: Option<u32>,
    pub(super) similarity: Option<u8>,
}

impl<'a> Extended<'a> {
    /// Whether `line` is one of the header.
    pub(super) fn read(&mut self, line: &'a [u8], number: u32) -> Result<bool, PatchError> {
        let named = |text: &'a [u8]| match name::read(text) {
            // Here nothing ends a name but the line.
            Some((Cow::Borrowed(_), _)) => Ok(Cow::Borrowed(text)),
            Some((name, _)) => Ok(name),
            None => Err(PatchErrorKind::BadName { name: text.to_vec() }.at(number)),
        };
        let after = |start: &[u8]| line.strip_prefix(start);
        if let Some(text) = after(b"old mode ") {
            self.old_mode = Some(mode(text, number)?);
        } else if let Some(text) = after(b"new mode ") {
            self.new_mode = Some(mode(text, number)?);
        } else if let Some(text) = after(b"deleted file mode ") {
            self.deleted = true;
            self.old_mode = Some(mode(text, number)?);
        } else if let Some(text) = after(b"new file mode ") {
            self.created = true;
            self.new_mode = Some(mode(text, number)?);
        } else if let Some(text) = after(b"rename from ").or(after(b"copy from ")) {
            self.copied = line.starts_with(b"copy");
            self.renamed.0 = Some(named(text)?);
        } else if let Some(text) = after(b"rename to ").or(after(b"copy to ")) {
            self.renamed.1 = Some(named(text)?);
        } else if let Some(text) = after(b"similarity index ") {
            self.similarity = percent(text);
        } else if let Some(text) = after(b"index ") {
            // `index 1234..5678 100644`: the mode stays.
            if let Some(at) = text.iter().position(|&byte| byte == b' ') {
                let mode = mode(&text[at + 1..], number)?;
                self.old_mode = Some(mode);
                self.new_mode = Some(mode);
            }
        } else {
            return Ok(line.starts_with(b"dissimilarity index "));
        }
        Ok(true)
    }

    pub(super) fn operation(&self, sides: Option<&Paths<'_>>, number: u32) -> Result<Operation, PatchError> {
        let (no_old, no_new) = sides.map_or((false, false), |(old, new)| (old.is_none(), new.is_none()));
        match (self.created || no_old, self.deleted || no_new) {
            (true, true) => Err(PatchErrorKind::NoSide.at(number)),
            (true, false) => Ok(Operation::Create),
            (false, true) => Ok(Operation::Delete),
            (false, false) if self.renamed.0.is_some() != self.renamed.1.is_some() => {
                Err(PatchErrorKind::UnclearName.at(number))
            }
            (false, false) if self.renamed.0.is_none() => Ok(Operation::Modify),
            (false, false) if self.copied => Ok(Operation::Copy),
            (false, false) => Ok(Operation::Rename),
        }
    }
}

fn mode(text: &[u8], line: u32) -> Result<u32, PatchError> {
    let mode =
        std::str::from_utf8(text.trim_ascii_end()).ok().and_then(|text| u32::from_str_radix(text, 8).ok());
    mode.filter(|&mode| mode <= 0o177_777)
        .ok_or_else(|| PatchErrorKind::BadMode { text: text.to_vec() }.at(line))
}

fn percent(text: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(text).ok()?.trim_end().strip_suffix('%')?;
    text.parse().ok().filter(|&percent| percent <= 100)
}
