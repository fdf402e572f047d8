//! From the driver's errors to the ports' errors.

use std::io;
use std::path::Path;
use std::sync::Arc;

use cleveragents_domain::{BlobError, JournalError};
use rusqlite::ErrorCode;

/// The thread that serves the store has ended; open the store again.
#[derive(Debug, thiserror::Error)]
#[error("the store's thread has ended: open the store again")]
pub(crate) struct Ended;

/// One failure that several commits share, because they were one transaction.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the transaction failed, nothing of it was written")]
pub(crate) struct GroupFailed(#[source] pub(crate) Arc<rusqlite::Error>);

/// An operation on the store's files that failed.
#[derive(Debug, thiserror::Error)]
#[error("{path}")]
pub(crate) struct FileFailed {
    path: String,
    source: io::Error,
}

/// A file operation's failure, with its path.
pub(crate) fn file(path: &Path, source: io::Error) -> JournalError {
    JournalError::backend(FileFailed { path: path.display().to_string(), source })
}

/// A driver's failure; damage is told apart from what may pass.
pub(crate) fn journal(error: rusqlite::Error) -> JournalError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            JournalError::Unusable(error.to_string())
        }
        _ => JournalError::backend(error),
    }
}

/// The same for contents.
pub(crate) fn blob(error: rusqlite::Error) -> BlobError {
    BlobError::Backend(Box::new(error))
}
