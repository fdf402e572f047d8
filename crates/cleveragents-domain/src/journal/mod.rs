//! The Journal: the one truth about every plan. Port, values and error in this file.

mod blobs;
mod memory;
mod record;
mod row;

pub use blobs::{BlobError, Blobs, read_blob};
pub use memory::InMemoryJournal;
pub use record::{Body, Discarded, FORMAT, Record, SealedRecord, ToolCall};
pub use row::{PlanQuery, PlanRow};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Digest, PlanId, Timestamp};

/// Position in a plan's log: the first record is 1; 0 is before it.
pub type Seq = u64;

/// The greatest content that may travel inside a batch; larger content goes through [`Blobs::put`] first.
pub const MAX_SMALL_BLOB: usize = 1024 * 1024;

/// The greatest batch, records and blobs together.
pub const MAX_BATCH_BYTES: usize = 256 * 1024 * 1024;

/// The last record of a plan's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Its position.
    pub seq: Seq,
    /// Its digest, which covers every record before it.
    pub digest: Digest,
}

/// What one commit writes: records, and the small contents that they name.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The time that all its records carry.
    pub recorded_at: Timestamp,
    /// What happened, in order; at least one.
    pub bodies: Vec<Body>,
    /// Contents of at most [`MAX_SMALL_BLOB`] bytes each.
    pub blobs: Vec<Vec<u8>>,
}

/// Why a journal refused or failed. In every case nothing of the batch was written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Somebody else has committed since: read from the head and decide again.
    #[error("the plan's log has moved on to record {}", .head.map_or(0, |h| h.seq))]
    Conflict {
        /// The present head.
        head: Option<Head>,
    },
    /// A record names content that is neither in the batch nor in the store.
    #[error("a record names content {0}, which is not stored")]
    MissingBlob(Digest),
    /// The batch or one of its blobs is above the bound.
    #[error("{what} has {size} bytes; at most {limit} are allowed")]
    TooLarge {
        /// `the batch` or `a blob`.
        what: &'static str,
        /// Its size.
        size: usize,
        /// The bound.
        limit: usize,
    },
    /// The batch has no record.
    #[error("a batch needs at least one record")]
    Empty,
    /// A record is not what was written.
    #[error("record {seq} of plan {plan_id} is damaged: {what}")]
    Corrupt {
        /// The plan.
        plan_id: PlanId,
        /// The record.
        seq: Seq,
        /// What does not fit.
        what: String,
    },
    /// The store was written by a newer version: use that one.
    #[error(
        "the store has format {found}; this version reads up to {supported}: use a newer version of agents"
    )]
    Newer {
        /// The format found.
        found: u32,
        /// The greatest one known here.
        supported: u32,
    },
    /// What stands in the store's place is no store, or a damaged one. It was left as it is.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
    /// The storage behind it failed.
    #[error("the journal failed")]
    Backend(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl JournalError {
    /// Wraps a driver's error.
    pub fn backend(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Backend(Box::new(error))
    }

    /// True when the same call may succeed later unchanged.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Backend(_))
    }
}

/// An append-only, hash-chained log per plan.
///
/// What an implementer promises, and `cleveragents_testkit::journal_contract` checks:
///
/// - `commit` is atomic and, unless the store is in memory, durable when it returns: records, blobs and every derived
///   table together. `at` is the position after which the caller believes to write; if it is not the head, the result
///   is [`JournalError::Conflict`] and nothing is written. A dropped call has either happened whole or not at all.
/// - Records are numbered from 1 without gaps, and each carries the digest of the one before it.
/// - `read` and `plans` see every commit that returned before they were called.
#[async_trait]
pub trait Journal: Send + Sync + 'static {
    /// Appends a batch after position `at`.
    async fn commit(&self, plan_id: &PlanId, at: Seq, batch: Batch) -> Result<Head, JournalError>;
    /// The last record of a plan's log, or `None` for a plan that was never created.
    async fn head(&self, plan_id: &PlanId) -> Result<Option<Head>, JournalError>;
    /// At most `max` records from position `from` on, in order, each checked against its digest.
    async fn read(&self, plan_id: &PlanId, from: Seq, max: usize) -> Result<Vec<Record>, JournalError>;
    /// The plans that match, newest first.
    async fn plans(&self, query: &PlanQuery) -> Result<Vec<PlanRow>, JournalError>;
}

/// A journal with its blobs: what a lifecycle needs.
pub trait Store: Journal + Blobs {}
impl<T: Journal + Blobs> Store for T {}

/// Checks the sizes that every journal must refuse before it writes.
pub(crate) fn check_sizes(batch: &Batch, sealed: &[SealedRecord]) -> Result<(), JournalError> {
    if let Some(blob) = batch.blobs.iter().find(|b| b.len() > MAX_SMALL_BLOB) {
        return Err(JournalError::TooLarge { what: "a blob", size: blob.len(), limit: MAX_SMALL_BLOB });
    }
    let size = sealed.iter().map(|r| r.payload.len()).sum::<usize>()
        + batch.blobs.iter().map(Vec::len).sum::<usize>();
    if size > MAX_BATCH_BYTES {
        return Err(JournalError::TooLarge { what: "the batch", size, limit: MAX_BATCH_BYTES });
    }
    Ok(())
}

impl Batch {
    /// Chains this batch's records after `head` and checks the bounds, one record at least: the first half of every `commit`.
    ///
    /// Returns the records with their bytes and digests, and the blobs with theirs.
    #[allow(clippy::type_complexity)]
    pub fn prepare(
        self,
        plan_id: PlanId,
        head: Option<Head>,
    ) -> Result<(Vec<SealedRecord>, Vec<(Digest, Vec<u8>)>), JournalError> {
        let Self { recorded_at, bodies, blobs } = self;
        if bodies.is_empty() {
            return Err(JournalError::Empty);
        }
        let sealed = Record::chain(plan_id, head, recorded_at, bodies)?;
        let batch = Self { recorded_at, bodies: Vec::new(), blobs };
        check_sizes(&batch, &sealed)?;
        let blobs = batch.blobs.into_iter().map(|bytes| (Digest::of(&bytes), bytes)).collect();
        Ok((sealed, blobs))
    }
}
