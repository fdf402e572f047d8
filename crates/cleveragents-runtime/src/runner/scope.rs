//! Everything around a call, and how it ended.

use tokio_util::sync::CancellationToken;

use cleveragents_domain::{
    CallOutcome, ChangeEntry, ChangeSetId, Clock, Discarded, Phase, PlanId, Policy, RootId, Timestamp,
    ToolInvocation,
};

use super::{Approver, CallLog, Refusal, Usage};
use crate::workspace::Workspace;

/// What happens to the changes of a call that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// They are taken back at once, and listed: for calls that were written down beforehand.
    Discard,
    /// They stay, and a model sees the failure and goes on from there.
    Keep,
}

/// Everything around a call. Nothing that a law needs is optional; a plan without a workspace cannot write.
pub struct Scope<'a> {
    /// The plan.
    pub plan_id: PlanId,
    /// Its phase; only `execute` may write.
    pub phase: Phase,
    /// Its policy.
    pub policy: &'a Policy,
    /// What it has used so far.
    pub usage: &'a Usage,
    /// When the phase began.
    pub started: Timestamp,
    /// Who answers `ask`.
    pub approver: &'a dyn Approver,
    /// The changeset that entries belong to.
    pub changeset_id: ChangeSetId,
    /// The bound resource that tools act in.
    pub root: RootId,
    /// Its private copy.
    pub workspace: Option<&'a dyn Workspace>,
    /// Where calls are recorded.
    pub log: &'a dyn CallLog,
    /// Time and ids.
    pub clock: &'a dyn Clock,
    /// Cancelled when the plan must stop.
    pub cancel: CancellationToken,
    /// What happens to the changes of a call that fails.
    pub on_failure: OnFailure,
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct CallReport {
    /// The call as it ended.
    pub invocation: ToolInvocation,
    /// What it changed.
    pub entries: Vec<ChangeEntry>,
    /// What was found changed by nobody's call.
    pub outside: Vec<ChangeEntry>,
    /// What was taken back.
    pub discarded: Vec<Discarded>,
    /// Why it was refused, when it was.
    pub refusal: Option<Refusal>,
}

impl CallReport {
    /// True when the call did what it was asked.
    pub fn succeeded(&self) -> bool {
        self.invocation.outcome == CallOutcome::Succeeded
    }
}
