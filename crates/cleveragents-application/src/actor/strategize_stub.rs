//! The stub strategist: one decision for each criterion, no calls.

use async_trait::async_trait;

use cleveragents_domain::{Clock, DecisionId, DecisionKind, PlanId, PlanSpec, StrategyDecision};

use super::strategist::noted;
use super::{Strategist, StrategizeResult};
use crate::PlanError;

/// Local only: it asks no model and looks at nothing. Its decisions have no calls, and say that they are stubs.
#[derive(Debug, Clone, Copy, Default)]
pub struct StrategizeStubActor;

#[async_trait]
impl Strategist for StrategizeStubActor {
    async fn strategize(
        &self,
        plan_id: &PlanId,
        spec: &PlanSpec,
        clock: &dyn Clock,
    ) -> Result<StrategizeResult, PlanError> {
        let root = root_decision(plan_id, spec, clock);
        let steps = (1..).zip(&spec.definition_of_done).map(|(sequence, criterion)| StrategyDecision {
            id: DecisionId::new(clock.new_id()),
            plan_id: *plan_id,
            parent: Some(root.id),
            sequence,
            kind: DecisionKind::StrategyChoice,
            question: format!("How is this met: {criterion}"),
            chosen: "stub: not decided".to_owned(),
            alternatives: Vec::new(),
            rationale: "made by the stub, which decides nothing".to_owned(),
            depends_on: Vec::new(),
            calls: Vec::new(),
            superseded: false,
        });
        let decisions = [root.clone()].into_iter().chain(steps).collect();
        Ok(StrategizeResult { decisions, invariants: noted(spec) })
    }
}

/// The root of every tree: the goal itself.
pub(crate) fn root_decision(plan_id: &PlanId, spec: &PlanSpec, clock: &dyn Clock) -> StrategyDecision {
    StrategyDecision {
        id: DecisionId::new(clock.new_id()),
        plan_id: *plan_id,
        parent: None,
        sequence: 0,
        kind: DecisionKind::PromptDefinition,
        question: "What is the goal?".to_owned(),
        chosen: spec.name.clone(),
        alternatives: Vec::new(),
        rationale: if spec.description.is_empty() {
            spec.definition_of_done.join("; ")
        } else {
            spec.description.clone()
        },
        depends_on: Vec::new(),
        calls: Vec::new(),
        superseded: false,
    }
}
