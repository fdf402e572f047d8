//! Records: what happened, in order, chained by hash.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Head, JournalError, Seq};
use crate::{
    ChangeEntry, ChangeSetId, Conflict, DecisionId, Digest, ExecutionMode, Gate, Move, Operation,
    PlanFailure, PlanId, PlanSpec, PlanState, RelPath, RootId, StrategyDecision, Timestamp, ToolCallId,
    ToolInvocation,
};

/// The version of the record format that this code writes. A reader refuses a greater one.
pub const FORMAT: u32 = 0;

/// A tool call that is about to run: the intent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its id.
    pub id: ToolCallId,
    /// The decision it serves.
    pub decision_id: DecisionId,
    /// Position among the decision's calls, from 0.
    pub index: u32,
    /// The tool's name.
    pub tool: String,
    /// The input.
    pub input: Value,
    /// When it was asked for.
    pub requested_at: Timestamp,
}

/// A change of a failed call that was taken back in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discarded {
    /// Which bound resource.
    pub root: RootId,
    /// The path below it.
    pub path: RelPath,
    /// What the call had done there.
    pub operation: Operation,
}

/// What a record says. Stable names, so that a store can be read without this code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Body {
    /// The plan exists. Always the first record.
    PlanCreated {
        /// What it is asked to do.
        spec: Box<PlanSpec>,
    },
    /// The plan moved from one state to another.
    Transition {
        /// The move.
        movement: Move,
        /// Where it was.
        from: PlanState,
        /// Where it is.
        to: PlanState,
        /// Which actor the phase runs with, when the move begins or ends one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<ExecutionMode>,
        /// Why, when the move is a failure.
        failure: Option<Box<PlanFailure>>,
        /// The conflicts, when the move is one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<Conflict>,
    },
    /// The decision tree, committed together with the phase that made it.
    Decisions {
        /// Root first, in order of execution.
        decisions: Vec<StrategyDecision>,
    },
    /// The execute phase comes to a decision. Committed together with the decision's first call.
    Step {
        /// The decision.
        decision_id: DecisionId,
        /// Stub or runtime.
        mode: ExecutionMode,
    },
    /// A changeset was started.
    ChangeSetStarted {
        /// Its id.
        changeset_id: ChangeSetId,
    },
    /// A call is about to run.
    Intent {
        /// The call.
        call: ToolCall,
        /// The gates that were open to it.
        granted: BTreeSet<Gate>,
    },
    /// A call ended, with all that it changed.
    Outcome {
        /// The call as it ended.
        invocation: Box<ToolInvocation>,
        /// The changeset its changes belong to.
        changeset_id: ChangeSetId,
        /// What really changed.
        entries: Vec<ChangeEntry>,
        /// What was taken back, for a failed call.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        discarded: Vec<Discarded>,
    },
    /// Changes in the sandbox that nobody's call made.
    Outside {
        /// The changeset that shows them.
        changeset_id: ChangeSetId,
        /// The changes.
        entries: Vec<ChangeEntry>,
    },
    /// The changeset is complete; this digest names exactly its entries.
    Sealed {
        /// The changeset.
        changeset_id: ChangeSetId,
        /// Its digest.
        digest: Digest,
    },
    /// From here on the target is written: the redo record.
    ApplyCommitted {
        /// The changeset.
        changeset_id: ChangeSetId,
        /// The seal that was checked.
        digest: Digest,
    },
    /// From here on the target is written back.
    RollbackCommitted {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// A committed rollback wrote nothing, or took back what it wrote: the applied state stands.
    RollbackWithdrawn {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// The target was read back and holds the state before the plan.
    RolledBack {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// Another process goes on with the plan; the one before it can commit nothing more.
    TakeOver {
        /// Why.
        reason: String,
    },
    /// Words for the log.
    Note {
        /// The words.
        text: String,
    },
}

impl Body {
    /// The content hashes that must be in the blob store when this record is committed.
    pub fn references(&self) -> impl Iterator<Item = Digest> {
        let entries: &[ChangeEntry] = match self {
            Self::Outcome { entries, .. } | Self::Outside { entries, .. } => entries,
            _ => &[],
        };
        entries.iter().flat_map(|e| [&e.before, &e.after]).flatten().filter_map(|state| state.content)
    }
}

/// A committed record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The format version it was written with.
    pub format: u32,
    /// The plan.
    pub plan_id: PlanId,
    /// Position in the plan's log, from 1, without gaps.
    pub seq: Seq,
    /// Digest of the record before it; of nothing for the first.
    pub prev: Digest,
    /// When it was committed.
    pub recorded_at: Timestamp,
    /// What it says.
    pub body: Body,
}

/// A record with the exact bytes that are stored and their digest.
#[derive(Debug, Clone, PartialEq)]
pub struct SealedRecord {
    /// The record.
    pub record: Record,
    /// Its JSON: the bytes to store.
    pub payload: Vec<u8>,
    /// BLAKE3 of the payload.
    pub digest: Digest,
}

/// What every format has in common.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl Record {
    /// Turns bodies into records that follow `head`. The only way records are made.
    pub fn chain(
        plan_id: PlanId,
        head: Option<Head>,
        recorded_at: Timestamp,
        bodies: Vec<Body>,
    ) -> Result<Vec<SealedRecord>, JournalError> {
        let (mut seq, mut prev) = head.map_or((0, Digest::of(b"")), |h| (h.seq, h.digest));
        bodies
            .into_iter()
            .map(|body| {
                seq += 1;
                let record = Self { format: FORMAT, plan_id, seq, prev, recorded_at, body };
                let payload = serde_json::to_vec(&record).map_err(JournalError::backend)?;
                prev = Digest::of(&payload);
                Ok(SealedRecord { record, payload, digest: prev })
            })
            .collect()
    }

    /// Reads a stored payload back and checks it against its digest, its place and the format version.
    pub fn decode(plan_id: &PlanId, seq: Seq, payload: &[u8], digest: &Digest) -> Result<Self, JournalError> {
        let corrupt = |what: &str| JournalError::Corrupt { plan_id: *plan_id, seq, what: what.to_owned() };
        if Digest::of(payload) != *digest {
            return Err(corrupt("its bytes do not match its digest"));
        }
        let version: Version =
            serde_json::from_slice(payload).map_err(|e| corrupt(&format!("it is not a record: {e}")))?;
        if version.format > FORMAT {
            return Err(JournalError::Newer { found: version.format, supported: FORMAT });
        }
        let record: Self =
            serde_json::from_slice(payload).map_err(|e| corrupt(&format!("it cannot be read: {e}")))?;
        if record.plan_id != *plan_id || record.seq != seq {
            return Err(corrupt("it belongs to another place in the log"));
        }
        Ok(record)
    }
}
