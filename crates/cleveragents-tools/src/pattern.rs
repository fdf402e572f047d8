//! Glob patterns over paths, matched byte by byte.

use cleveragents_runtime::domain::RelPath;
use globset::{Candidate, GlobBuilder, GlobMatcher};

/// A pattern for paths that count from the project.
pub(crate) struct Pattern {
    matcher: GlobMatcher,
    /// Whether only a path's last name is looked at.
    name_only: bool,
    /// The directories that the pattern names without a wildcard, from the top down.
    prefix: Vec<Vec<u8>>,
    depth: usize,
}

impl Pattern {
    /// How many characters a pattern may have.
    pub(crate) const MAX_LENGTH: usize = 1000;

    /// A pattern of the whole path.
    pub(crate) fn path(text: &str) -> Result<Self, String> {
        let mut text = text;
        while let Some(rest) = text.strip_prefix("./") {
            text = rest;
        }
        text = text.strip_suffix('/').filter(|rest| !rest.ends_with('\\')).unwrap_or(text);
        if matches!(text, "" | ".") {
            return Err("must name something below the project".to_owned());
        }
        if text.starts_with('/') {
            return Err("must be relative to the project, not absolute".to_owned());
        }
        if text.split('/').any(|name| name == "..") {
            return Err("must stay inside the project: `..` is not allowed".to_owned());
        }
        refuse_bytes(text)?;
        let glob = GlobBuilder::new(text).literal_separator(true).empty_alternates(true).build();
        let matcher = glob.map_err(|e| e.to_string())?.compile_matcher();
        let plain = |name: &&str| !name.contains(['*', '?', '[', ']', '{', '}', '\\']);
        let above = text.rsplit_once('/').map_or("", |(above, _)| above);
        // A brace that spans several names is not cut: the first of them is not plain.
        let prefix = above.split('/').filter(|name| !name.is_empty()).take_while(plain);
        let depth = if text.contains("**") { usize::MAX } else { text.split('/').count() };
        Ok(Self { matcher, name_only: false, prefix: prefix.map(Into::into).collect(), depth })
    }

    /// A pattern that a file must fit to be looked at: one without `/` is about its name, in any directory.
    pub(crate) fn filter(text: &str) -> Result<Self, String> {
        let pattern = Self::path(text)?;
        if text.contains('/') {
            return Ok(pattern);
        }
        Ok(Self { name_only: true, prefix: Vec::new(), depth: usize::MAX, ..pattern })
    }

    /// Whether a path fits.
    pub(crate) fn matches(&self, path: &RelPath) -> bool {
        let bytes = if self.name_only { path.file_name() } else { path.as_bytes() };
        self.matcher.is_match_candidate(&Candidate::from_bytes(bytes))
    }

    /// Whether anything in a directory can fit.
    pub(crate) fn enters(&self, directory: &RelPath) -> bool {
        directory.components().zip(&self.prefix).all(|(name, wanted)| name == wanted)
    }

    /// How many names a path that fits has at most.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }
}

/// `\xNN`, as paths are written elsewhere, would silently be the letters `xNN` here.
fn refuse_bytes(text: &str) -> Result<(), String> {
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if *byte != b'\\' {
            continue;
        }
        if matches!(tail, [b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit()) {
            return Err(r"cannot name a byte as `\xNN`: write `?`, which fits any".to_owned());
        }
        rest = tail.get(1..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
