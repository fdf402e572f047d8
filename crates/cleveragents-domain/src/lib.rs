//! Values, rules and storage ports of cleveragents. Layer 0.
//!
//! This crate says what a plan, a decision, a change and a record *are*, which plan states follow which, and what a
//! store must promise. It does no I/O, reads no clock and no environment, and knows no async runtime: time and ids
//! come in through [`Clock`], bytes through arguments.
//!
//! The nouns:
//!
//! - [`SpecChangeSet`]: an ordered list of [`ChangeEntry`]s, each of which says what stood at a path before and after
//!   and which tool call made the difference. [`ChangeSetStore`] keeps them for embedders.
//! - [`PlanView`]: where a plan stands. It is a fold over [`Record`]s and nothing else.
//! - [`Journal`]: the one truth. It takes [`Batch`]es of records and small blobs, atomically, under compare-and-swap,
//!   and chains them by hash. [`InMemoryJournal`] is the reference.
//!
//! ```
//! use std::sync::Arc;
//! use cleveragents_domain::{ChangeSetStore, Clock, CountingClock, InMemoryChangeSetStore, PlanId};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let clock = Arc::new(CountingClock::default());
//! let plan = PlanId::new(clock.new_id());
//! let store = InMemoryChangeSetStore::new(clock);
//! let id = store.start(&plan).await?;
//! assert_eq!(store.summarize(&id).await?.entries, 0);
//! # Ok::<(), cleveragents_domain::ChangeSetStoreError>(())
//! # }).unwrap();
//! ```

mod change;
mod clock;
mod decision;
mod id;
mod journal;
mod plan;
mod policy;
mod validation;

pub use change::{
    Attribution, CallOutcome, ChangeEntry, ChangeSetStore, ChangeSetStoreError, Conflict, Digest,
    DigestBuilder, InMemoryChangeSetStore, LineCounts, NetChange, NodeKind, NodeState, Operation, RelPath,
    SpecChangeSet, Summary, ToolInvocation, net_changes,
};
pub use clock::{Clock, CountingClock, Timestamp};
pub use decision::{DecisionKind, DecisionTree, DecisionTreeError, PlannedCall, StrategyDecision};
pub use id::{ChangeSetId, DecisionId, EntryId, PlanId, RootId, ToolCallId, UlidText};
pub use journal::{
    Batch, BlobError, Blobs, Body, Discarded, FORMAT, Head, InMemoryJournal, Journal, JournalError,
    MAX_BATCH_BYTES, MAX_SMALL_BLOB, PlanQuery, PlanRow, Record, SealedRecord, Seq, Store, ToolCall,
    read_blob,
};
pub use plan::{
    ApplyStage, ErrorDetails, ExecutionMode, FailureKind, MAX_REVERSIONS, Move, OpenCall, Phase, PlanFailure,
    PlanRoot, PlanSpec, PlanState, PlanView, ProcessingState, TransitionError, ViewError,
};
pub use policy::{Answer, Gate, Limits, PROFILE_NAMES, Policy, Profile};
pub use validation::{Issue, ValidationError};

pub use ulid::Ulid;
