//! The stub executor: walks the decisions and runs no tool.

use serde::Serialize;

use cleveragents_domain::{ChangeSetId, DecisionId, StrategyDecision};

/// What the stub did: nothing, and it says so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExecuteResult {
    /// The changeset it produced; empty.
    pub changeset_id: ChangeSetId,
    /// Tool calls that ran: 0.
    pub tool_call_count: u64,
    /// Sandboxes that were used: none.
    pub sandbox_refs: Vec<String>,
    /// The decisions it walked, the root apart.
    pub decision_ids_processed: Vec<DecisionId>,
    /// Always true: no decision was carried out.
    pub stub: bool,
}

/// Local only: no tool runs, no sandbox is opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExecuteStubActor;

impl ExecuteStubActor {
    /// Walks the decisions.
    pub fn execute(self, changeset_id: ChangeSetId, decisions: &[StrategyDecision]) -> ExecuteResult {
        ExecuteResult {
            changeset_id,
            tool_call_count: 0,
            sandbox_refs: Vec::new(),
            decision_ids_processed: super::runtime_execute::steps(decisions).map(|d| d.id).collect(),
            stub: true,
        }
    }
}
