//! The rules that make a list of decisions a tree.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{DecisionKind, StrategyDecision};
use crate::DecisionId;

/// A list of decisions that is no tree.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecisionTreeError {
    /// There must be exactly one root.
    #[error("a decision tree has exactly one root of kind prompt_definition, this one has {0}")]
    Roots(usize),
    /// Two decisions share an id.
    #[error("decision {0} appears twice")]
    Duplicate(DecisionId),
    /// A parent or dependency that does not stand earlier in the list.
    #[error("decision {id} names {other} as {role}, which does not stand before it")]
    Unknown {
        /// The decision.
        id: DecisionId,
        /// What it names.
        other: DecisionId,
        /// `parent` or `dependency`.
        role: &'static str,
    },
    /// Only the root has no parent, and only the root is a `prompt_definition`.
    #[error("decision {0} has no parent although it is not the root")]
    Orphan(DecisionId),
}

/// A plan's decisions, checked: one root first, every parent and dependency before its child.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecisionTree {
    decisions: Vec<StrategyDecision>,
}

impl DecisionTree {
    /// Checks the rules. The order of the list is the order of execution.
    pub fn new(decisions: Vec<StrategyDecision>) -> Result<Self, DecisionTreeError> {
        let roots = decisions.iter().filter(|d| d.kind == DecisionKind::PromptDefinition).count();
        if roots != 1 {
            return Err(DecisionTreeError::Roots(roots));
        }
        let mut seen = BTreeSet::new();
        for decision in &decisions {
            let id = decision.id;
            let is_root = decision.kind == DecisionKind::PromptDefinition;
            if decision.parent.is_none() != is_root {
                return Err(DecisionTreeError::Orphan(id));
            }
            let named = decision.parent.iter().map(|p| (p, "parent"));
            for (other, role) in named.chain(decision.depends_on.iter().map(|d| (d, "dependency"))) {
                if !seen.contains(other) {
                    return Err(DecisionTreeError::Unknown { id, other: *other, role });
                }
            }
            if !seen.insert(id) {
                return Err(DecisionTreeError::Duplicate(id));
            }
        }
        Ok(Self { decisions })
    }

    /// The decisions in order of execution; the root first.
    pub fn decisions(&self) -> &[StrategyDecision] {
        &self.decisions
    }

    /// The root, absent only in a tree that was never filled.
    pub fn root(&self) -> Option<&StrategyDecision> {
        self.decisions.first()
    }

    /// Depth of a decision: 0 for the root.
    pub fn depth(&self, decision: &StrategyDecision) -> usize {
        let mut depth = 0;
        let mut parent = decision.parent;
        while let Some(id) = parent {
            depth += 1;
            parent = self.decisions.iter().find(|d| d.id == id).and_then(|d| d.parent);
        }
        depth
    }
}
