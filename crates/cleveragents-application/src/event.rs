//! Events: the records of a plan, told in words that a listener needs. One closed enum with stable names.

use std::sync::Arc;

use serde::Serialize;

use cleveragents_domain::{
    Attribution, Body, CallOutcome, ChangeSetId, Conflict, DecisionId, Digest, ExecutionMode, Move,
    Operation, Phase, PlanFailure, PlanId, PlanState, RelPath, RootId, Seq, Timestamp, ToolCallId,
};

/// Receives events, after the commit of the record that they come from. Must be quick.
pub type StreamCallback = Arc<dyn Fn(&Event) + Send + Sync>;

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// The plan.
    pub plan_id: PlanId,
    /// The record it comes from, and its index within that record; `None` for a context without a journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<(Seq, u32)>,
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened. The first nine names are the seed's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// The strategize phase began.
    StrategizeStarted,
    /// Decisions were made.
    StrategizeDecisions {
        /// How many, the root included.
        count: usize,
    },
    /// The strategize phase is done.
    StrategizeComplete,
    /// The execute phase began with the stub.
    ExecuteStarted,
    /// The stub came to a decision.
    ExecuteStep {
        /// The decision.
        decision_id: DecisionId,
    },
    /// The stub is done.
    ExecuteComplete,
    /// The execute phase began with the runtime.
    RuntimeExecuteStarted,
    /// The runtime came to a decision.
    RuntimeExecuteStep {
        /// The decision.
        decision_id: DecisionId,
    },
    /// The runtime is done.
    RuntimeExecuteComplete,
    /// The plan exists.
    PlanCreated {
        /// Its name.
        name: String,
    },
    /// The plan moved.
    PlanMoved {
        /// How.
        movement: Move,
        /// Where it was.
        from: PlanState,
        /// Where it is.
        to: PlanState,
    },
    /// A phase failed.
    PhaseFailed {
        /// The phase.
        phase: Phase,
        /// Why.
        failure: PlanFailure,
    },
    /// A changeset was started.
    ChangesetStarted {
        /// Its id.
        changeset_id: ChangeSetId,
    },
    /// A call passed the gate and starts.
    ToolCallStarted {
        /// The call.
        call_id: ToolCallId,
        /// The decision.
        decision_id: DecisionId,
        /// The tool.
        tool: String,
    },
    /// A call ended.
    ToolCallFinished {
        /// The call.
        call_id: ToolCallId,
        /// The decision.
        decision_id: DecisionId,
        /// The tool.
        tool: String,
        /// How.
        outcome: CallOutcome,
        /// Why it did not succeed.
        error: Option<String>,
        /// How a command was confined.
        confinement: Option<String>,
        /// How long it took.
        duration_us: u64,
        /// Paths that it changed.
        changed: usize,
        /// Paths whose change was taken back.
        discarded: usize,
    },
    /// A path changed.
    ChangeCaptured {
        /// Which bound resource.
        root: RootId,
        /// The path.
        path: RelPath,
        /// What was done; `None` never occurs in a sound log.
        operation: Option<Operation>,
        /// By whom.
        attribution: Attribution,
    },
    /// The changeset is complete.
    ChangesetSealed {
        /// Its id.
        changeset_id: ChangeSetId,
        /// Its digest.
        digest: Digest,
    },
    /// The target is being written.
    ApplyStarted {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// The target was read back.
    ApplyApplied,
    /// The target is not what was recorded; nothing was written.
    ApplyConflicted {
        /// Where.
        conflicts: Vec<Conflict>,
    },
    /// The target is being written back.
    RollbackStarted {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// The rollback wrote nothing, or took back what it wrote.
    RollbackWithdrawn {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// The state before was read back.
    RolledBack {
        /// The changeset.
        changeset_id: ChangeSetId,
    },
    /// Another process goes on.
    TakenOver {
        /// Why.
        reason: String,
    },
    /// Words.
    Note {
        /// The words.
        text: String,
    },
}

/// The events that a record tells, in order: pure, so that a late listener sees what an early one saw.
pub fn events_of(plan_id: PlanId, seq: Seq, at: Timestamp, body: &Body) -> Vec<Event> {
    let kinds = match body {
        Body::PlanCreated { spec } => vec![EventKind::PlanCreated { name: spec.name.clone() }],
        Body::Transition { movement, from, to, mode, failure, conflicts } => {
            transition(*movement, *from, *to, *mode, failure.as_deref(), conflicts)
        }
        Body::Decisions { decisions } => vec![EventKind::StrategizeDecisions { count: decisions.len() }],
        Body::Step { decision_id, mode } => vec![step(*decision_id, *mode)],
        Body::ChangeSetStarted { changeset_id } => {
            vec![EventKind::ChangesetStarted { changeset_id: *changeset_id }]
        }
        Body::Intent { call, .. } => vec![EventKind::ToolCallStarted {
            call_id: call.id,
            decision_id: call.decision_id,
            tool: call.tool.clone(),
        }],
        Body::Outcome { invocation, entries, discarded, .. } => {
            let finished = EventKind::ToolCallFinished {
                call_id: invocation.id,
                decision_id: invocation.decision_id,
                tool: invocation.tool.clone(),
                outcome: invocation.outcome,
                error: invocation.error.clone(),
                confinement: invocation.confinement.clone(),
                duration_us: invocation.duration_us,
                changed: entries.len(),
                discarded: discarded.len(),
            };
            entries.iter().map(change).chain([finished]).collect()
        }
        Body::Outside { entries, .. } => entries.iter().map(change).collect(),
        Body::Sealed { changeset_id, digest } => {
            vec![EventKind::ChangesetSealed { changeset_id: *changeset_id, digest: *digest }]
        }
        Body::ApplyCommitted { changeset_id, .. } => {
            vec![EventKind::ApplyStarted { changeset_id: *changeset_id }]
        }
        Body::RollbackCommitted { changeset_id } => {
            vec![EventKind::RollbackStarted { changeset_id: *changeset_id }]
        }
        Body::RollbackWithdrawn { changeset_id } => {
            vec![EventKind::RollbackWithdrawn { changeset_id: *changeset_id }]
        }
        Body::RolledBack { changeset_id } => vec![EventKind::RolledBack { changeset_id: *changeset_id }],
        Body::TakeOver { reason } => vec![EventKind::TakenOver { reason: reason.clone() }],
        Body::Note { text } => vec![EventKind::Note { text: text.clone() }],
        _ => Vec::new(),
    };
    (0..).zip(kinds).map(|(index, kind)| Event { plan_id, position: Some((seq, index)), at, kind }).collect()
}

pub(crate) fn step(decision_id: DecisionId, mode: ExecutionMode) -> EventKind {
    match mode {
        ExecutionMode::Stub => EventKind::ExecuteStep { decision_id },
        ExecutionMode::Runtime => EventKind::RuntimeExecuteStep { decision_id },
    }
}

fn change(entry: &cleveragents_domain::ChangeEntry) -> EventKind {
    EventKind::ChangeCaptured {
        root: entry.root.clone(),
        path: entry.path.clone(),
        operation: entry.operation(),
        attribution: entry.attribution,
    }
}

fn transition(
    movement: Move,
    from: PlanState,
    to: PlanState,
    mode: Option<ExecutionMode>,
    failure: Option<&PlanFailure>,
    conflicts: &[Conflict],
) -> Vec<EventKind> {
    let stub = mode == Some(ExecutionMode::Stub);
    let named = match (from.phase, movement) {
        (Phase::Strategize, Move::Start) => Some(EventKind::StrategizeStarted),
        (Phase::Strategize, Move::Complete) => Some(EventKind::StrategizeComplete),
        (Phase::Execute, Move::Start) if stub => Some(EventKind::ExecuteStarted),
        (Phase::Execute, Move::Start) => Some(EventKind::RuntimeExecuteStarted),
        (Phase::Execute, Move::Complete) if stub => Some(EventKind::ExecuteComplete),
        (Phase::Execute, Move::Complete) => Some(EventKind::RuntimeExecuteComplete),
        (Phase::Apply, Move::Apply) => Some(EventKind::ApplyApplied),
        (Phase::Apply, Move::Conflict) => Some(EventKind::ApplyConflicted { conflicts: conflicts.to_vec() }),
        (phase, Move::Fail) => failure.map(|f| EventKind::PhaseFailed { phase, failure: f.clone() }),
        _ => None,
    };
    [EventKind::PlanMoved { movement, from, to }].into_iter().chain(named).collect()
}
