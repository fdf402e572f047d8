//! The one error of plan operations: variants by what a caller can do next.

use thiserror::Error;

use cleveragents_domain::{
    BlobError, ChangeSetStoreError, Conflict, DecisionTreeError, ErrorDetails, ExecutionMode, FailureKind,
    JournalError, PlanFailure, PlanId, PlanState, TransitionError, ValidationError, ViewError,
};
use cleveragents_runtime::{CallReport, Refusal, RunnerError, TargetError, WorkspaceError};

/// Why a plan operation was refused or failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Input is not acceptable.
    #[error(transparent)]
    Validation(#[from] ValidationError),
    /// There is no such plan.
    #[error("no plan {0}; `agents plan list` shows the plans of this project")]
    UnknownPlan(PlanId),
    /// A change was to be recorded and no changeset was started.
    #[error("there is no active changeset: call start_changeset first")]
    NoActiveChangeset,
    /// The context's plan is journaled: its changes come from tool calls alone.
    #[error("changes of a journaled plan are recorded by its tool calls, not by hand")]
    Journaled,
    /// The plan's state does not allow this.
    #[error(transparent)]
    Transition(#[from] TransitionError),
    /// The plan is in a state in which this makes no sense.
    #[error("the plan is in {state}: {advice}")]
    State {
        /// Where it is.
        state: PlanState,
        /// What to do.
        advice: String,
    },
    /// Policy or a person said no.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// A call did not succeed; the report says how.
    #[error("decision {} call {} ({}) {}: {}", .0.invocation.decision_id, .0.invocation.index, .0.invocation.tool, .0.invocation.outcome.as_str(), .0.invocation.error.as_deref().unwrap_or("no reason given"))]
    CallFailed(Box<CallReport>),
    /// The plan was told to stop.
    #[error("stopped; `agents plan execute` goes on with it")]
    Stopped,
    /// A call was cut short, ran unconfined, and may have done something that cannot be seen from here.
    #[error(
        "call {index} of decision {decision} ({tool}) was cut short while it ran unconfined: what it did outside the sandbox is not known; look, then execute again with --repeat-interrupted"
    )]
    Parked {
        /// The decision.
        decision: String,
        /// The call's position.
        index: u32,
        /// The tool.
        tool: String,
    },
    /// Paths of the target are not what was recorded. Nothing was written.
    #[error("{} path(s) of the project are not what was recorded; nothing was written", .0.len())]
    Conflicts(Vec<Conflict>),
    /// A committed write was cut short, and somebody has changed paths since. Nothing was written over them; the write
    /// is still to be finished.
    #[error("a write of the project was cut short, and {} path(s) were changed by somebody since; put them back and run the command again", .0.len())]
    HalfWay(Vec<Conflict>),
    /// After the swap the target did not read back as written.
    #[error("{} path(s) of the project did not read back as written; roll back with `agents plan rollback`", .0.len())]
    TargetDiffers(Vec<Conflict>),
    /// The changeset is not the one that was sealed.
    #[error("the changeset does not match its seal: it must not be applied")]
    SealBroken,
    /// Somebody else moved the plan meanwhile: look again.
    #[error("another process has moved this plan on; look at it again with `agents plan status`")]
    Moved,
    /// The actor failed.
    #[error("{what}")]
    Actor {
        /// In words.
        what: String,
        /// The cause.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The records do not make sense.
    #[error("the plan's log cannot be read")]
    View(#[from] ViewError),
    /// The decisions are no tree.
    #[error(transparent)]
    Decisions(#[from] DecisionTreeError),
    /// The journal failed.
    #[error(transparent)]
    Journal(JournalError),
    /// The changeset store failed.
    #[error(transparent)]
    ChangeSetStore(#[from] ChangeSetStoreError),
    /// The workspace failed.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The target failed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// Content is missing or damaged.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The machinery around a call failed.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}

/// What a caller can do about a [`PlanError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlanErrorKind {
    /// Correct the input.
    Invalid,
    /// Change the policy or ask a person.
    Refused,
    /// Settle the conflict.
    Conflict,
    /// Nothing: the evidence does not fit.
    Evidence,
    /// It was stopped; go on.
    Interrupted,
    /// Look at the cause, then try again.
    Failed,
}

impl PlanError {
    /// What a caller can do.
    pub fn kind(&self) -> PlanErrorKind {
        match self {
            Self::Validation(_) | Self::UnknownPlan(_) | Self::NoActiveChangeset | Self::Journaled => {
                PlanErrorKind::Invalid
            }
            Self::Refused(_) | Self::Parked { .. } | Self::Target(TargetError::Refused { .. }) => {
                PlanErrorKind::Refused
            }
            Self::CallFailed(report) if report.refusal.is_some() => PlanErrorKind::Refused,
            Self::Conflicts(_) | Self::HalfWay(_) | Self::Moved => PlanErrorKind::Conflict,
            Self::Blob(BlobError::Missing(_) | BlobError::Corrupt(_))
            | Self::Target(TargetError::Blob(BlobError::Missing(_) | BlobError::Corrupt(_)))
            | Self::SealBroken
            | Self::Journal(JournalError::Corrupt { .. })
            | Self::View(_) => PlanErrorKind::Evidence,
            Self::Stopped => PlanErrorKind::Interrupted,
            _ => PlanErrorKind::Failed,
        }
    }

    /// True when the same call may succeed later unchanged.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Moved | Self::Target(TargetError::Busy) => true,
            Self::Journal(error) => error.is_retryable(),
            Self::ChangeSetStore(error) => error.is_retryable(),
            _ => false,
        }
    }

    /// A stable name for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Validation(_) => "validation",
            Self::UnknownPlan(_) => "unknown_plan",
            Self::NoActiveChangeset => "no_active_changeset",
            Self::Journaled => "journaled",
            Self::Transition(_) | Self::State { .. } => "state",
            Self::Refused(_) => "refused",
            Self::CallFailed(report) if report.refusal.is_some() => "refused",
            Self::CallFailed(_) => "call_failed",
            Self::Stopped => "interrupted",
            Self::Parked { .. } => "parked",
            Self::Conflicts(_) => "conflict",
            Self::HalfWay(_) => "half_way",
            Self::TargetDiffers(_) => "target_differs",
            Self::SealBroken => "seal_broken",
            Self::Moved => "moved",
            Self::Actor { .. } => "actor",
            Self::View(_) | Self::Decisions(_) => "log",
            Self::Journal(_) => "journal",
            Self::ChangeSetStore(_) => "changeset_store",
            Self::Workspace(_) => "workspace",
            Self::Target(_) => "target",
            Self::Blob(_) => "blob",
            Self::Runner(_) => "runner",
        }
    }

    /// The name of the variant, for `error_details.exception_type`.
    fn type_name(&self) -> &'static str {
        match self {
            Self::Validation(_) => "ValidationError",
            Self::CallFailed(report) if report.refusal.is_some() => "Refusal",
            Self::CallFailed(_) => "ToolError",
            Self::Refused(_) => "Refusal",
            Self::Journal(_) => "JournalError",
            Self::ChangeSetStore(_) => "ChangeSetStoreError",
            Self::Workspace(_) => "WorkspaceError",
            Self::Target(_) => "TargetError",
            Self::Blob(_) => "BlobError",
            Self::Runner(_) => "RunnerError",
            _ => "PlanError",
        }
    }

    /// What is stored with an errored plan.
    pub(crate) fn to_failure(&self, mode: ExecutionMode) -> PlanFailure {
        let mut chain = vec![self.to_string()];
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            chain.push(error.to_string());
            cause = error.source();
        }
        let kind = match self {
            Self::CallFailed(report) => match &report.refusal {
                Some(Refusal::Limit { .. }) => FailureKind::Limit,
                Some(_) => FailureKind::Refused,
                None if report.invocation.outcome == cleveragents_domain::CallOutcome::Cancelled => {
                    FailureKind::Interrupted
                }
                None => FailureKind::Failed,
            },
            Self::Refused(_) | Self::Parked { .. } => FailureKind::Refused,
            Self::Stopped => FailureKind::Interrupted,
            Self::TargetDiffers(_) => FailureKind::TargetDiffers,
            _ => FailureKind::Failed,
        };
        PlanFailure {
            kind,
            error_message: self.to_string(),
            error_details: ErrorDetails { exception_type: self.type_name().to_owned(), chain, mode },
        }
    }
}

impl From<JournalError> for PlanError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Conflict { .. } => Self::Moved,
            other => Self::Journal(other),
        }
    }
}
