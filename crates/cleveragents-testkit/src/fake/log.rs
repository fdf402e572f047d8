//! A log that remembers what it was told, and refuses on demand.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use cleveragents_domain::{ToolCall, ToolInvocation};
use cleveragents_runtime::{CallLog, Finished, LogError};

/// What the log was told.
#[derive(Debug, Clone)]
pub enum Logged {
    /// A call is about to run.
    Intent(ToolCall),
    /// A call ended.
    Outcome(Box<Finished>),
    /// A call did not run.
    Refused(ToolInvocation),
}

/// See the module.
#[derive(Debug, Default)]
pub struct RecordingLog {
    told: Mutex<Vec<Logged>>,
    /// Refuses every intent.
    pub fail_intent: AtomicBool,
    /// Refuses every outcome.
    pub fail_outcome: AtomicBool,
}

impl RecordingLog {
    /// What it accepted so far, in order.
    pub fn told(&self) -> Vec<Logged> {
        self.told.lock().unwrap().clone()
    }

    /// The same, as words: `intent`, `outcome`, `refused`.
    pub fn words(&self) -> Vec<&'static str> {
        let word = |logged: &Logged| match logged {
            Logged::Intent(_) => "intent",
            Logged::Outcome(_) => "outcome",
            Logged::Refused(_) => "refused",
        };
        self.told.lock().unwrap().iter().map(word).collect()
    }

    fn tell(&self, logged: Logged, fails: bool) -> Result<(), LogError> {
        if fails {
            return Err("the log is full".into());
        }
        self.told.lock().unwrap().push(logged);
        Ok(())
    }
}

#[async_trait]
impl CallLog for RecordingLog {
    async fn intent(
        &self,
        call: &ToolCall,
        _: &std::collections::BTreeSet<cleveragents_domain::Gate>,
    ) -> Result<(), LogError> {
        self.tell(Logged::Intent(call.clone()), self.fail_intent.load(Ordering::SeqCst))
    }

    async fn outcome(&self, finished: Finished) -> Result<(), LogError> {
        self.tell(Logged::Outcome(Box::new(finished)), self.fail_outcome.load(Ordering::SeqCst))
    }

    async fn refused(&self, invocation: ToolInvocation) -> Result<(), LogError> {
        self.tell(Logged::Refused(invocation), false)
    }
}
