//! What the execute phase returned: the seed's two results in one.

use serde::Serialize;

use cleveragents_domain::{ChangeSetId, DecisionId};

use crate::{ExecuteResult, RuntimeExecuteResult};

/// The result of [`crate::PlanExecutor::run_execute`], which says whether tools ran.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum ExecuteOutcome {
    /// Tools ran.
    Runtime(RuntimeExecuteResult),
    /// The stub ran; no tool did.
    Stub(ExecuteResult),
}

impl ExecuteOutcome {
    /// The changeset.
    pub fn changeset_id(&self) -> ChangeSetId {
        match self {
            Self::Runtime(result) => result.changeset_id,
            Self::Stub(result) => result.changeset_id,
        }
    }

    /// Tool calls that were made.
    pub fn tool_call_count(&self) -> u64 {
        match self {
            Self::Runtime(result) => result.tool_call_count,
            Self::Stub(result) => result.tool_call_count,
        }
    }

    /// The decisions that were carried out, or walked by the stub.
    pub fn decision_ids_processed(&self) -> &[DecisionId] {
        match self {
            Self::Runtime(result) => &result.decision_ids_processed,
            Self::Stub(result) => &result.decision_ids_processed,
        }
    }
}
