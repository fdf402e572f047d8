//! The strategist port: who makes a plan's decisions.

use async_trait::async_trait;
use serde::Serialize;

use cleveragents_domain::{Clock, PlanId, PlanSpec, StrategyDecision};

use crate::PlanError;

/// An invariant of the plan, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InvariantRecord {
    /// The invariant, as it was stated.
    pub invariant: String,
    /// Whether anything checks it. Without a check it is noted, and said to be only that.
    pub checked: bool,
}

/// What the strategize phase produced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrategizeResult {
    /// The decision tree: the root first, in order of execution.
    pub decisions: Vec<StrategyDecision>,
    /// The plan's invariants.
    pub invariants: Vec<InvariantRecord>,
}

/// Makes decisions. Read-only: it is given no workspace and no tool that could write.
#[async_trait]
pub trait Strategist: Send + Sync {
    /// The decisions for a plan. The ids come from `clock`.
    async fn strategize(
        &self,
        plan_id: &PlanId,
        spec: &PlanSpec,
        clock: &dyn Clock,
    ) -> Result<StrategizeResult, PlanError>;
}

/// The invariants of a plan that nothing checks yet.
pub(crate) fn noted(spec: &PlanSpec) -> Vec<InvariantRecord> {
    spec.invariants.iter().map(|text| InvariantRecord { invariant: text.clone(), checked: false }).collect()
}
