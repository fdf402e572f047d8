//! Somebody who answers.

use async_trait::async_trait;
use cleveragents_runtime::{Approval, ApprovalRequest, Approver};

/// A person who always gives the same answer.
pub(crate) struct Person(pub(crate) Approval);

#[async_trait]
impl Approver for Person {
    async fn approve(&self, _: &ApprovalRequest) -> Approval {
        self.0.clone()
    }
}
