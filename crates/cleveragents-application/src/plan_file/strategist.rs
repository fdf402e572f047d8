//! The strategist of a plan file: its own decisions, in an order that respects `depends_on`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;

use cleveragents_domain::{Clock, DecisionId, DecisionKind, PlanId, PlanSpec, PlannedCall, StrategyDecision};

use super::raw::RawDecision;
use crate::actor::{noted, root_decision};
use crate::{PlanError, Strategist, StrategizeResult};

/// Yields the decisions that a plan file holds. No model is asked.
#[derive(Debug, Clone)]
pub struct FileStrategist {
    decisions: Vec<RawDecision>,
}

impl FileStrategist {
    pub(super) fn new(decisions: Vec<RawDecision>) -> Self {
        Self { decisions }
    }
}

/// Positions in an order that respects `parent` and `depends_on`: of all that are ready, the first in the file. An
/// error names a position on a cycle.
pub(super) fn order(decisions: &[RawDecision]) -> Result<Vec<usize>, usize> {
    let positions: HashMap<String, usize> =
        decisions.iter().enumerate().map(|(i, d)| (d.name(i), i)).collect();
    let mut waiting_for = vec![0_usize; decisions.len()];
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); decisions.len()];
    for (index, decision) in decisions.iter().enumerate() {
        for at in decision.parent.iter().chain(&decision.depends_on).filter_map(|name| positions.get(name)) {
            waiting_for[index] += 1;
            followers[*at].push(index);
        }
    }
    let mut ready: BTreeSet<usize> = (0..decisions.len()).filter(|i| waiting_for[*i] == 0).collect();
    let mut ordered = Vec::with_capacity(decisions.len());
    while let Some(index) = ready.pop_first() {
        ordered.push(index);
        for &follower in &followers[index] {
            waiting_for[follower] -= 1;
            if waiting_for[follower] == 0 {
                ready.insert(follower);
            }
        }
    }
    match waiting_for.iter().position(|n| *n > 0) {
        Some(stuck) => Err(stuck),
        None => Ok(ordered),
    }
}

/// How many parents are above a decision, counted no further than `MAX_DEPTH` and one.
pub(super) fn depth(decisions: &[RawDecision], names: &BTreeMap<String, usize>, index: usize) -> usize {
    let mut depth = 0;
    let mut at = index;
    while let Some(parent) = decisions[at].parent.as_ref().and_then(|name| names.get(name)) {
        depth += 1;
        if depth > super::MAX_DEPTH {
            break;
        }
        at = *parent;
    }
    depth
}

#[async_trait]
impl Strategist for FileStrategist {
    async fn strategize(
        &self,
        plan_id: &PlanId,
        spec: &PlanSpec,
        clock: &dyn Clock,
    ) -> Result<StrategizeResult, PlanError> {
        let order = order(&self.decisions).map_err(|at| PlanError::Actor {
            what: format!("decisions[{at}] depends on itself"),
            source: None,
        })?;
        let root = root_decision(plan_id, spec, clock);
        let mut ids: HashMap<String, DecisionId> = HashMap::new();
        let mut decisions = vec![root.clone()];
        for (sequence, index) in (1..).zip(order) {
            let raw = &self.decisions[index];
            let id = DecisionId::new(clock.new_id());
            let known = |name: &String| ids.get(name).copied();
            decisions.push(StrategyDecision {
                id,
                plan_id: *plan_id,
                parent: raw.parent.as_ref().and_then(known).or(Some(root.id)),
                sequence,
                kind: raw.kind.unwrap_or(DecisionKind::ImplementationChoice),
                question: raw.question.clone().unwrap_or_else(|| raw.title.clone()),
                chosen: raw.chosen.clone().unwrap_or_else(|| raw.title.clone()),
                alternatives: raw.alternatives.clone(),
                rationale: raw.rationale.clone(),
                depends_on: raw.depends_on.iter().filter_map(known).collect(),
                calls: raw
                    .calls
                    .iter()
                    .map(|c| PlannedCall { tool: c.tool.clone(), input: c.with.clone() })
                    .collect(),
                superseded: false,
            });
            ids.insert(raw.name(index), id);
        }
        Ok(StrategizeResult { decisions, invariants: noted(spec) })
    }
}
