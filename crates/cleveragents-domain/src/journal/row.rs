//! One line about a plan: what lists show, and what a store may keep in a table.

use serde::{Deserialize, Serialize};

use super::{Body, Head, SealedRecord};
use crate::{Move, PlanId, PlanState, Timestamp};

/// Which plans to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanQuery {
    /// Only plans in this state.
    pub state: Option<PlanState>,
    /// At most so many; `None` is all.
    pub limit: Option<usize>,
}

/// One plan in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRow {
    /// The plan.
    pub plan_id: PlanId,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: PlanState,
    /// True when it runs stubs.
    pub stub: bool,
    /// True while a committed apply or rollback is not finished: the target may be half-way.
    pub writing: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its last record was committed.
    pub updated_at: Timestamp,
    /// Its last record.
    pub head: Head,
}

impl PlanRow {
    /// Folds one record into the row. `None` before the first record, and for a log that does not begin with one.
    pub fn fold(row: Option<Self>, sealed: &SealedRecord) -> Option<Self> {
        let record = &sealed.record;
        let head = Head { seq: record.seq, digest: sealed.digest };
        let mut row = match (row, &record.body) {
            (None, Body::PlanCreated { spec }) => Self {
                plan_id: record.plan_id,
                name: spec.name.clone(),
                state: PlanState::initial(),
                stub: spec.stub,
                writing: false,
                created_at: record.recorded_at,
                updated_at: record.recorded_at,
                head,
            },
            (row, _) => row?,
        };
        match &record.body {
            Body::Transition { movement, to, .. } => {
                row.state = *to;
                // A failure after the commit is no half-way state that anybody finishes: rollback leads out of it.
                row.writing &= !matches!(movement, Move::Apply | Move::Rollback | Move::Fail);
            }
            Body::ApplyCommitted { .. } | Body::RollbackCommitted { .. } => row.writing = true,
            Body::RollbackWithdrawn { .. } | Body::RolledBack { .. } => row.writing = false,
            _ => {}
        }
        row.updated_at = record.recorded_at;
        row.head = head;
        Some(row)
    }
}

impl PlanQuery {
    /// Whether a row matches, the limit apart.
    pub fn matches(&self, row: &PlanRow) -> bool {
        self.state.is_none_or(|state| state == row.state)
    }
}
