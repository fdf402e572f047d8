//! Decisions: the tree of what was chosen and why.

mod tree;

pub use tree::{DecisionTree, DecisionTreeError};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{DecisionId, PlanId};

/// What a decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// The root: the goal itself.
    PromptDefinition,
    /// Which way to go.
    StrategyChoice,
    /// How to do one step.
    ImplementationChoice,
    /// An invariant that is held.
    InvariantEnforced,
    /// Work handed to another plan.
    SubplanSpawn,
    /// What to do after a failure.
    ErrorRecovery,
    /// What a person decided.
    UserIntervention,
}

impl DecisionKind {
    /// The stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PromptDefinition => "prompt_definition",
            Self::StrategyChoice => "strategy_choice",
            Self::ImplementationChoice => "implementation_choice",
            Self::InvariantEnforced => "invariant_enforced",
            Self::SubplanSpawn => "subplan_spawn",
            Self::ErrorRecovery => "error_recovery",
            Self::UserIntervention => "user_intervention",
        }
    }
}

/// A tool call that a decision asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedCall {
    /// The tool's name.
    pub tool: String,
    /// Its JSON input.
    pub input: Value,
}

/// One node of a plan's decision tree. The seed calls it `StrategyDecision`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StrategyDecision {
    /// Its id.
    pub id: DecisionId,
    /// The plan it belongs to.
    pub plan_id: PlanId,
    /// The node above it; `None` only for the root.
    pub parent: Option<DecisionId>,
    /// Its place in the order of execution, from 0 (the root).
    pub sequence: u32,
    /// What it is about.
    pub kind: DecisionKind,
    /// The question.
    pub question: String,
    /// What was chosen.
    pub chosen: String,
    /// What was not.
    pub alternatives: Vec<String>,
    /// Why.
    pub rationale: String,
    /// Decisions that must be carried out before this one.
    pub depends_on: Vec<DecisionId>,
    /// The concrete calls, in order; empty when a model is to find them.
    pub calls: Vec<PlannedCall>,
    /// True when a later decision replaced it.
    pub superseded: bool,
}
