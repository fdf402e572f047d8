//! Putting words to file system errors.

use std::io;

use cleveragents_runtime::WorkspaceError;

/// Says what was being done when an error came up.
pub(crate) trait During<T> {
    /// The same result, its error with words.
    fn during(self, what: impl FnOnce() -> String) -> Result<T, WorkspaceError>;
}

impl<T> During<T> for io::Result<T> {
    fn during(self, what: impl FnOnce() -> String) -> Result<T, WorkspaceError> {
        self.map_err(|source| WorkspaceError::Io { what: what(), source })
    }
}

/// A path for a person.
pub(crate) fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
