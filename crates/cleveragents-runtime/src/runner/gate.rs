//! The gate: whether a call may run. Everything here answers before anything is done.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use thiserror::Error;

use cleveragents_domain::{Answer, Gate, Phase, PlanId, Policy, Timestamp};

use super::{Approval, ApprovalRequest, Approver};
use crate::tool::ToolSpec;

/// Why a call was refused. It never ran.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The tool is on the deny list, or not on the allow list.
    #[error("policy does not let this plan use {tool}")]
    Listed {
        /// The tool.
        tool: String,
    },
    /// The tool says that it only reads, and asks to write.
    #[error("{tool} says it is read-only but asks for the {gate} gate")]
    Capability {
        /// The tool.
        tool: String,
        /// What it asks for.
        gate: Gate,
    },
    /// The phase is read-only.
    #[error("{tool} needs the {gate} gate, and the {phase} phase is read-only")]
    Phase {
        /// The tool.
        tool: String,
        /// What it asks for.
        gate: Gate,
        /// The phase.
        phase: Phase,
    },
    /// A limit is used up.
    #[error("the limit of {limit} {what} is used up")]
    Limit {
        /// What is counted.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// The profile says no.
    #[error("profile {profile} denies {gate}{}", hint(*.gate))]
    Denied {
        /// The profile.
        profile: String,
        /// The gate.
        gate: Gate,
    },
    /// The profile says ask, and nobody was there to answer.
    #[error("profile {profile} asks before {gate}, and nobody is there to answer{}", hint(*.gate))]
    Unanswered {
        /// The profile.
        profile: String,
        /// The gate.
        gate: Gate,
    },
    /// A person said no.
    #[error("{gate} was refused: {reason}")]
    ByPerson {
        /// The gate.
        gate: Gate,
        /// The person's words.
        reason: String,
    },
    /// A call that was not granted a way to write changed files all the same; they were put back.
    #[error("{tool} changed files without being allowed to; they were put back")]
    WroteAnyway {
        /// The tool.
        tool: String,
    },
}

fn hint(gate: Gate) -> &'static str {
    match gate {
        Gate::Shell => " (open it for this plan with --allow shell)",
        Gate::Network => " (open it for this plan with --allow network)",
        Gate::Unsafe => " (open it for this plan with --allow unsafe)",
        Gate::Write => " (choose a profile that writes, such as supervised)",
        _ => "",
    }
}

/// What a plan has used so far.
#[derive(Debug, Default)]
pub struct Usage {
    plan_calls: AtomicU64,
    decision_calls: AtomicU64,
}

impl Usage {
    /// Counts on from calls that ran before.
    pub fn from_calls(plan_calls: u64) -> Self {
        Self { plan_calls: AtomicU64::new(plan_calls), decision_calls: AtomicU64::new(0) }
    }

    /// A new decision begins.
    pub fn begin_decision(&self, calls: u64) {
        self.decision_calls.store(calls, Ordering::Relaxed);
    }

    /// Calls that ran in this plan.
    pub fn plan_calls(&self) -> u64 {
        self.plan_calls.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self) {
        self.plan_calls.fetch_add(1, Ordering::Relaxed);
        self.decision_calls.fetch_add(1, Ordering::Relaxed);
    }

    fn check(&self, policy: &Policy, now: Timestamp, started: Timestamp) -> Result<(), Refusal> {
        let limits = &policy.limits;
        let spent_ms = now.since(started) / 1_000;
        let rows = [
            (limits.tool_calls, self.plan_calls(), "tool calls in the plan"),
            (
                limits.tool_calls_per_decision,
                self.decision_calls.load(Ordering::Relaxed),
                "tool calls in this decision",
            ),
            (limits.wall_time_ms, spent_ms, "milliseconds of wall time"),
        ];
        for (limit, used, what) in rows {
            if let Some(limit) = limit
                && used >= limit
            {
                return Err(Refusal::Limit { what, limit });
            }
        }
        Ok(())
    }
}

/// What the gate looks at.
pub(crate) struct Question<'a> {
    pub(crate) plan_id: PlanId,
    pub(crate) spec: &'a ToolSpec,
    pub(crate) input: &'a Value,
    pub(crate) gates: &'a BTreeSet<Gate>,
    pub(crate) phase: Phase,
    pub(crate) policy: &'a Policy,
    pub(crate) usage: &'a Usage,
    pub(crate) now: Timestamp,
    pub(crate) started: Timestamp,
}

/// Deny list, allow list, capability and phase, limits, approval: in that order.
pub(crate) async fn pass(question: Question<'_>, approver: &dyn Approver) -> Result<(), Refusal> {
    let Question { plan_id, spec, input, gates, phase, policy, usage, now, started } = question;
    let tool = || spec.name.clone();
    if !policy.lists_allow(&spec.name) {
        return Err(Refusal::Listed { tool: tool() });
    }
    if let Some(&gate) = gates.first() {
        if spec.capabilities.read_only {
            return Err(Refusal::Capability { tool: tool(), gate });
        }
        if phase != Phase::Execute {
            return Err(Refusal::Phase { tool: tool(), gate, phase });
        }
    }
    usage.check(policy, now, started)?;
    for &gate in gates {
        let profile = || policy.profile.name.clone();
        match policy.answer(gate) {
            Answer::Auto => {}
            Answer::Deny => return Err(Refusal::Denied { profile: profile(), gate }),
            Answer::Ask => {
                let request =
                    ApprovalRequest { plan_id, gate, tool: Some(tool()), input: Some(input.clone()) };
                match approver.approve(&request).await {
                    Approval::Approved => {}
                    Approval::Denied { reason } => return Err(Refusal::ByPerson { gate, reason }),
                    Approval::Nobody => return Err(Refusal::Unanswered { profile: profile(), gate }),
                }
            }
        }
    }
    Ok(())
}
