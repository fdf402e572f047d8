//! Who answers when a profile says `ask`.

use async_trait::async_trait;
use serde_json::Value;

use cleveragents_domain::{Gate, PlanId};

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalRequest {
    /// The plan.
    pub plan_id: PlanId,
    /// The gate that is closed.
    pub gate: Gate,
    /// The tool that would run, when it is about a call.
    pub tool: Option<String>,
    /// Its input.
    pub input: Option<Value>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    /// Yes.
    Approved,
    /// No, and why.
    Denied {
        /// The person's words.
        reason: String,
    },
    /// Nobody was there to ask. It is a refusal, never a yes.
    Nobody,
}

/// Asks a person. Required wherever a gate can ask, so that a missing one is not a yes.
#[async_trait]
pub trait Approver: Send + Sync {
    /// Asks, and waits for the answer.
    async fn approve(&self, request: &ApprovalRequest) -> Approval;
}

/// Nobody is there: every question is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoApprover;

#[async_trait]
impl Approver for NoApprover {
    async fn approve(&self, _: &ApprovalRequest) -> Approval {
        Approval::Nobody
    }
}
