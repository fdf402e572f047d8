//! What a plan is asked to do, frozen when it is created.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Policy, RootId};

/// One bound resource of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRoot {
    /// The name that entries use.
    pub id: RootId,
    /// Where it is, for display: the reversible text form of a path.
    pub location: String,
}

/// The goal, the rules and the resources of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanSpec {
    /// Its short name.
    pub name: String,
    /// One line about it; may be empty.
    pub description: String,
    /// One criterion an item; at least one.
    pub definition_of_done: Vec<String>,
    /// What must stay true.
    pub invariants: Vec<String>,
    /// Profile, opened gates and limits.
    pub policy: Policy,
    /// The bound resources.
    pub roots: Vec<PlanRoot>,
    /// True when the plan runs stubs: decisions without calls, labelled in every output.
    pub stub: bool,
    /// The plan file as it was read, so that a later process can go on with it.
    pub source: Value,
}
