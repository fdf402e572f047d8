//! Where a plan stands: one pure fold over its records.

use std::collections::BTreeSet;

use serde::Serialize;
use thiserror::Error;

use super::{Move, PlanFailure, PlanSpec, PlanState, ProcessingState};
use crate::{
    Body, ChangeSetId, Conflict, DecisionTree, DecisionTreeError, Gate, PlanId, Record, Seq, SpecChangeSet,
    Timestamp, ToolCall, TransitionError, ValidationError,
};

/// A log that cannot have been written by this code.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ViewError {
    /// No record at all: there is no such plan.
    #[error("no plan {0}")]
    UnknownPlan(PlanId),
    /// The records are not in order, or do not begin with the plan's creation.
    #[error("record {0} does not follow the one before it")]
    OutOfOrder(Seq),
    /// A record belongs to a changeset that was not started.
    #[error("record {seq} names changeset {changeset_id}, which was not started")]
    UnknownChangeSet {
        /// The record.
        seq: Seq,
        /// What it names.
        changeset_id: ChangeSetId,
    },
    /// A transition that the table does not allow.
    #[error("record {seq}: {source}")]
    Transition {
        /// The record.
        seq: Seq,
        /// Why.
        source: TransitionError,
    },
    /// An entry that no changeset accepts.
    #[error("record {seq}: {source}")]
    Entry {
        /// The record.
        seq: Seq,
        /// Why.
        source: ValidationError,
    },
    /// Decisions that are no tree.
    #[error("record {seq}: {source}")]
    Decisions {
        /// The record.
        seq: Seq,
        /// Why.
        source: DecisionTreeError,
    },
}

/// How far the writing of the target has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplyStage {
    /// The target was never written, or was written back.
    None,
    /// *apply committed* stands; the target may be half-way.
    ApplyCommitted,
    /// The changes were read back from the target.
    Applied,
    /// *rollback committed* stands; the target may be half-way.
    RollbackCommitted,
    /// The state before was read back from the target.
    RolledBack,
}

/// A call whose intent stands without an outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// The call.
    pub call: ToolCall,
    /// The gates that were open to it.
    pub granted: BTreeSet<Gate>,
}

/// Everything that a plan's records say.
#[derive(Debug, Clone)]
pub struct PlanView {
    /// The plan.
    pub plan_id: PlanId,
    /// What it is asked to do.
    pub spec: PlanSpec,
    /// Where it stands.
    pub state: PlanState,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its last record was committed.
    pub updated_at: Timestamp,
    /// Position of its last record.
    pub seq: Seq,
    /// Its decisions; empty before strategize is complete.
    pub decisions: DecisionTree,
    /// Its changesets, oldest first.
    pub changesets: Vec<SpecChangeSet>,
    /// Calls whose intent stands without an outcome.
    pub open_calls: Vec<OpenCall>,
    /// Why it is errored; kept until the next success of that phase.
    pub failure: Option<PlanFailure>,
    /// The conflicts of the last apply that met some.
    pub conflicts: Vec<Conflict>,
    /// How often it went back to strategize.
    pub reversions: u32,
    /// How often a failed phase was queued again.
    pub retries: u32,
    /// How far the target was written.
    pub apply: ApplyStage,
}

impl PlanView {
    /// Folds a whole log.
    pub fn of(plan_id: PlanId, records: &[Record]) -> Result<Self, ViewError> {
        let (first, rest) = records.split_first().ok_or(ViewError::UnknownPlan(plan_id))?;
        let mut view = Self::first(first)?;
        for record in rest {
            view.fold(record)?;
        }
        Ok(view)
    }

    fn first(record: &Record) -> Result<Self, ViewError> {
        let Body::PlanCreated { spec } = &record.body else { return Err(ViewError::OutOfOrder(record.seq)) };
        if record.seq != 1 {
            return Err(ViewError::OutOfOrder(record.seq));
        }
        Ok(Self {
            plan_id: record.plan_id,
            spec: (**spec).clone(),
            state: PlanState::initial(),
            created_at: record.recorded_at,
            updated_at: record.recorded_at,
            seq: 1,
            decisions: DecisionTree::default(),
            changesets: Vec::new(),
            open_calls: Vec::new(),
            failure: None,
            conflicts: Vec::new(),
            reversions: 0,
            retries: 0,
            apply: ApplyStage::None,
        })
    }

    /// True while *apply committed* stands and was not rolled back.
    pub fn apply_committed(&self) -> bool {
        matches!(self.apply, ApplyStage::ApplyCommitted | ApplyStage::Applied | ApplyStage::RollbackCommitted)
    }

    /// The state that `movement` would lead to.
    pub fn after(&self, movement: Move) -> Result<PlanState, TransitionError> {
        self.state.after(movement, self.apply_committed(), self.reversions)
    }

    /// The newest changeset.
    pub fn changeset(&self) -> Option<&SpecChangeSet> {
        self.changesets.last()
    }

    /// Folds the next record.
    pub fn fold(&mut self, record: &Record) -> Result<(), ViewError> {
        if record.plan_id != self.plan_id {
            return Err(ViewError::OutOfOrder(record.seq));
        }
        self.fold_body(record.seq, record.recorded_at, &record.body)
    }

    /// Folds what the record at position `seq` says: for the one who has just committed it.
    pub fn fold_body(&mut self, seq: Seq, recorded_at: Timestamp, body: &Body) -> Result<(), ViewError> {
        if seq != self.seq + 1 {
            return Err(ViewError::OutOfOrder(seq));
        }
        match body {
            Body::PlanCreated { .. } => return Err(ViewError::OutOfOrder(seq)),
            Body::Transition { movement, to, failure, conflicts, .. } => {
                let expected =
                    self.after(*movement).map_err(|source| ViewError::Transition { seq, source })?;
                if expected != *to {
                    return Err(ViewError::OutOfOrder(seq));
                }
                self.fold_transition(*movement, *to, failure.as_deref(), conflicts);
            }
            Body::Decisions { decisions } => {
                self.decisions = DecisionTree::new(decisions.clone())
                    .map_err(|source| ViewError::Decisions { seq, source })?;
            }
            Body::ChangeSetStarted { changeset_id } => {
                self.changesets.push(SpecChangeSet::new(*changeset_id, self.plan_id, recorded_at));
            }
            Body::Intent { call, granted } => {
                self.open_calls.push(OpenCall { call: call.clone(), granted: granted.clone() });
            }
            Body::Outcome { invocation, changeset_id, entries, .. } => {
                self.open_calls.retain(|open| open.call.id != invocation.id);
                let set = self.changeset_mut(seq, changeset_id)?;
                set.record_invocation((**invocation).clone());
                for entry in entries {
                    set.record(entry.clone()).map_err(|source| ViewError::Entry { seq, source })?;
                }
            }
            Body::Outside { changeset_id, entries } => {
                let set = self.changeset_mut(seq, changeset_id)?;
                for entry in entries {
                    set.record(entry.clone()).map_err(|source| ViewError::Entry { seq, source })?;
                }
            }
            Body::Sealed { changeset_id, digest } => self.changeset_mut(seq, changeset_id)?.close(*digest),
            Body::ApplyCommitted { .. } => self.apply = ApplyStage::ApplyCommitted,
            Body::RollbackCommitted { .. } => self.apply = ApplyStage::RollbackCommitted,
            Body::RollbackWithdrawn { .. } => {
                let applied = self.state.state == ProcessingState::Applied;
                self.apply = if applied { ApplyStage::Applied } else { ApplyStage::ApplyCommitted };
            }
            Body::RolledBack { .. } => self.apply = ApplyStage::RolledBack,
            Body::Step { .. } | Body::TakeOver { .. } | Body::Note { .. } => {}
        }
        self.seq = seq;
        self.updated_at = recorded_at;
        Ok(())
    }

    fn fold_transition(
        &mut self,
        movement: Move,
        to: PlanState,
        failure: Option<&PlanFailure>,
        conflicts: &[Conflict],
    ) {
        self.state = to;
        match movement {
            Move::Fail => self.failure = failure.cloned(),
            Move::Complete => self.failure = None,
            Move::Conflict => conflicts.clone_into(&mut self.conflicts),
            Move::Apply => {
                self.failure = None;
                self.conflicts.clear();
                self.apply = ApplyStage::Applied;
            }
            Move::Revert => self.reversions += 1,
            Move::Retry => self.retries += 1,
            Move::Rollback => {
                self.failure = None;
                self.apply = ApplyStage::None;
            }
            _ => {}
        }
    }

    fn changeset_mut(&mut self, seq: Seq, id: &ChangeSetId) -> Result<&mut SpecChangeSet, ViewError> {
        self.changesets
            .iter_mut()
            .find(|set| set.id() == *id)
            .ok_or(ViewError::UnknownChangeSet { seq, changeset_id: *id })
    }
}
