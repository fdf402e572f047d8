//! What the runner tells the record keeper: intent before, outcome after.

use std::collections::BTreeSet;

use async_trait::async_trait;

use cleveragents_domain::{ChangeEntry, Discarded, Gate, ToolCall, ToolInvocation};

use crate::workspace::Content;

/// Where a failure to record comes from; its text reaches the user.
pub type LogError = Box<dyn std::error::Error + Send + Sync>;

/// A call that ended, with everything that must be recorded in one piece.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The call as it ended.
    pub invocation: ToolInvocation,
    /// What it changed.
    pub entries: Vec<ChangeEntry>,
    /// What nobody's call changed, found on the way.
    pub outside: Vec<ChangeEntry>,
    /// What was taken back, for a failed call.
    pub discarded: Vec<Discarded>,
    /// Every content that the entries name, both sides.
    pub contents: Vec<Content>,
}

/// Records calls. The runner acknowledges nothing that this has not accepted.
#[async_trait]
pub trait CallLog: Send + Sync {
    /// A call is about to run, with these gates open to it. It runs only if this returns `Ok`.
    async fn intent(&self, call: &ToolCall, granted: &BTreeSet<Gate>) -> Result<(), LogError>;
    /// A call ended. If this fails, what the call did is taken back.
    async fn outcome(&self, finished: Finished) -> Result<(), LogError>;
    /// A call was refused, or could not be started: it never ran and has no intent.
    async fn refused(&self, invocation: ToolInvocation) -> Result<(), LogError>;
}

/// Records nothing: for calls that belong to no plan, and for measuring the runner alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLog;

#[async_trait]
impl CallLog for NoLog {
    async fn intent(&self, _: &ToolCall, _: &BTreeSet<Gate>) -> Result<(), LogError> {
        Ok(())
    }
    async fn outcome(&self, _: Finished) -> Result<(), LogError> {
        Ok(())
    }
    async fn refused(&self, _: ToolInvocation) -> Result<(), LogError> {
        Ok(())
    }
}
