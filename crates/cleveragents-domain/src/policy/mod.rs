//! Policy: gates, profiles, limits. Frozen into a plan when it is created.

mod profile;

pub use profile::{Answer, Gate, PROFILE_NAMES, Profile};

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Bounds on what a plan may use. `None` is no bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Tool calls in the whole plan.
    pub tool_calls: Option<u64>,
    /// Tool calls in one decision.
    pub tool_calls_per_decision: Option<u64>,
    /// Wall time of the execute phase, in milliseconds.
    pub wall_time_ms: Option<u64>,
    /// Wall time of one call, in milliseconds.
    pub call_time_ms: u64,
    /// Bytes of output that one call may return.
    pub output_bytes: u64,
}

impl Default for Limits {
    /// No bound on calls and total time; ten minutes and 256 KiB of output a call.
    fn default() -> Self {
        Self {
            tool_calls: None,
            tool_calls_per_decision: None,
            wall_time_ms: None,
            call_time_ms: 600_000,
            output_bytes: 256 * 1024,
        }
    }
}

/// Everything that decides whether a call may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The profile, by value: a later change of its definition does not reach this plan.
    pub profile: Profile,
    /// Gates that a person opened for this plan (`--allow`).
    pub opened: BTreeSet<Gate>,
    /// Tools that are refused whatever else is said.
    pub deny_tools: BTreeSet<String>,
    /// When given, every other tool is refused.
    pub allow_tools: Option<BTreeSet<String>>,
    /// Bounds.
    pub limits: Limits,
}

impl Policy {
    /// The profile alone, with default limits.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            opened: BTreeSet::new(),
            deny_tools: BTreeSet::new(),
            allow_tools: None,
            limits: Limits::default(),
        }
    }

    /// What the policy says of a gate: `auto` where a person opened it, else the profile's answer.
    pub fn answer(&self, gate: Gate) -> Answer {
        if self.opened.contains(&gate) { Answer::Auto } else { self.profile.answer(gate) }
    }

    /// Whether the lists let a tool through; the deny list is read first.
    pub fn lists_allow(&self, tool: &str) -> bool {
        !self.deny_tools.contains(tool) && self.allow_tools.as_ref().is_none_or(|list| list.contains(tool))
    }
}
