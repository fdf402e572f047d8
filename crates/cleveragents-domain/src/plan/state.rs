//! Phases, states, and the one table of legal transitions.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The phases of a plan, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The goal is being stated.
    Action,
    /// Decisions are made; read-only.
    Strategize,
    /// Decisions run as tool calls in a private copy.
    Execute,
    /// The reviewed changes go to the real project.
    Apply,
}

/// Where a plan stands within its phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessingState {
    /// Waiting to be started.
    Queued,
    /// A process is at work.
    Processing,
    /// The phase is done.
    Complete,
    /// The phase failed; the plan says why.
    Errored,
    /// Given up; final.
    Cancelled,
    /// The changes stand in the real project; final.
    Applied,
    /// A required check failed or policy refuses.
    Constrained,
}

/// Phase and state together; as text and in JSON `phase/state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlanState {
    /// The phase.
    pub phase: Phase,
    /// The state within it.
    pub state: ProcessingState,
}

/// The named moves between states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// Work begins.
    Start,
    /// The phase is done.
    Complete,
    /// The next phase is queued.
    Advance,
    /// The phase failed.
    Fail,
    /// A failed phase is queued again.
    Retry,
    /// Back to strategize, at most [`MAX_REVERSIONS`] times a plan.
    Revert,
    /// Given up.
    Cancel,
    /// Apply is held back.
    Constrain,
    /// What held apply back is gone.
    Release,
    /// The target is not what was reviewed; nothing was written.
    Conflict,
    /// The changes were read back from the target.
    Apply,
    /// A half-done or differing apply was taken back.
    Rollback,
}

/// How often a plan may go back to strategize.
pub const MAX_REVERSIONS: u32 = 3;

/// When an edge exists, seen from the record *apply committed*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Before,
    After,
}

use Move as M;
use Phase as P;
use ProcessingState as S;

/// Every legal edge, cancel and revert apart (they are rules over many states, below).
const EDGES: &[(P, S, M, P, S, When)] = &[
    (P::Action, S::Queued, M::Complete, P::Action, S::Complete, When::Always),
    (P::Action, S::Complete, M::Advance, P::Strategize, S::Queued, When::Always),
    (P::Strategize, S::Queued, M::Start, P::Strategize, S::Processing, When::Always),
    (P::Strategize, S::Processing, M::Complete, P::Strategize, S::Complete, When::Always),
    (P::Strategize, S::Processing, M::Fail, P::Strategize, S::Errored, When::Always),
    (P::Strategize, S::Errored, M::Retry, P::Strategize, S::Queued, When::Always),
    (P::Strategize, S::Complete, M::Advance, P::Execute, S::Queued, When::Always),
    (P::Execute, S::Queued, M::Start, P::Execute, S::Processing, When::Always),
    (P::Execute, S::Processing, M::Complete, P::Execute, S::Complete, When::Always),
    (P::Execute, S::Processing, M::Fail, P::Execute, S::Errored, When::Always),
    (P::Execute, S::Errored, M::Retry, P::Execute, S::Queued, When::Always),
    (P::Execute, S::Complete, M::Advance, P::Apply, S::Queued, When::Always),
    (P::Apply, S::Queued, M::Start, P::Apply, S::Processing, When::Before),
    (P::Apply, S::Queued, M::Constrain, P::Apply, S::Constrained, When::Before),
    (P::Apply, S::Constrained, M::Release, P::Apply, S::Queued, When::Before),
    (P::Apply, S::Processing, M::Conflict, P::Apply, S::Queued, When::Before),
    (P::Apply, S::Processing, M::Fail, P::Apply, S::Errored, When::Always),
    (P::Apply, S::Errored, M::Retry, P::Apply, S::Queued, When::Before),
    (P::Apply, S::Processing, M::Apply, P::Apply, S::Applied, When::After),
    (P::Apply, S::Errored, M::Rollback, P::Apply, S::Queued, When::After),
];

const REVERTIBLE: &[(P, S)] = &[
    (P::Execute, S::Complete),
    (P::Execute, S::Errored),
    (P::Apply, S::Queued),
    (P::Apply, S::Errored),
    (P::Apply, S::Constrained),
];

/// A move that the table does not allow. The plan stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a plan in {from} cannot {movement}{}", self.why())]
pub struct TransitionError {
    /// Where the plan is.
    pub from: PlanState,
    /// What was asked.
    pub movement: Move,
    /// Whether its apply was already committed.
    pub apply_committed: bool,
    /// How often it was reverted.
    pub reversions: u32,
}

impl TransitionError {
    fn why(self) -> &'static str {
        if self.movement == Move::Revert && self.reversions >= MAX_REVERSIONS {
            ": it was reverted 3 times already"
        } else if self.from.is_terminal() {
            ": that state is final"
        } else if self.apply_committed && self.from.phase == Phase::Apply {
            ": its apply is committed, only recovery or rollback moves it"
        } else {
            ""
        }
    }
}

impl PlanState {
    /// A pair.
    pub const fn new(phase: Phase, state: ProcessingState) -> Self {
        Self { phase, state }
    }

    /// Where every plan begins: action/queued.
    pub const fn initial() -> Self {
        Self::new(Phase::Action, ProcessingState::Queued)
    }

    /// True for `applied` and `cancelled`.
    pub const fn is_terminal(self) -> bool {
        matches!(self.state, ProcessingState::Applied | ProcessingState::Cancelled)
    }

    /// The state after `movement`: pure and total, the only way from one state to another.
    ///
    /// `apply_committed` says whether the record *apply committed* stands and was not rolled back; `reversions`, how
    /// often the plan was reverted.
    pub fn after(
        self,
        movement: Move,
        apply_committed: bool,
        reversions: u32,
    ) -> Result<Self, TransitionError> {
        let committed = apply_committed && self.phase == Phase::Apply;
        let refused = TransitionError { from: self, movement, apply_committed, reversions };
        match movement {
            Move::Cancel if self.is_terminal() || committed => Err(refused),
            Move::Cancel => Ok(Self::new(self.phase, S::Cancelled)),
            Move::Revert => {
                let allowed = REVERTIBLE.contains(&(self.phase, self.state))
                    && !committed
                    && reversions < MAX_REVERSIONS;
                if allowed { Ok(Self::new(P::Strategize, S::Queued)) } else { Err(refused) }
            }
            _ => EDGES
                .iter()
                .find(|(p, s, m, _, _, when)| {
                    let fits = match when {
                        When::Always => true,
                        When::Before => !committed,
                        When::After => committed,
                    };
                    fits && (*p, *s, *m) == (self.phase, self.state, movement)
                })
                .map(|(_, _, _, phase, state, _)| Self::new(*phase, *state))
                .ok_or(refused),
        }
    }
}

/// Names that are the same in text, JSON and tables.
macro_rules! names {
    ($type:ty { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The stable lower-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

names!(Phase { Action = "action", Strategize = "strategize", Execute = "execute", Apply = "apply" });
names!(ProcessingState {
    Queued = "queued",
    Processing = "processing",
    Complete = "complete",
    Errored = "errored",
    Cancelled = "cancelled",
    Applied = "applied",
    Constrained = "constrained",
});
names!(Move {
    Start = "start",
    Complete = "complete",
    Advance = "advance",
    Fail = "fail",
    Retry = "retry",
    Revert = "revert",
    Cancel = "cancel",
    Constrain = "constrain",
    Release = "release",
    Conflict = "conflict",
    Apply = "apply",
    Rollback = "rollback",
});

impl Serialize for PlanState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PlanState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let find = || {
            let (phase, state) = text.split_once('/')?;
            let phase = Phase::ALL.iter().find(|p| p.as_str() == phase)?;
            let state = ProcessingState::ALL.iter().find(|s| s.as_str() == state)?;
            Some(Self::new(*phase, *state))
        };
        find().ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no plan state")))
    }
}

impl fmt::Display for PlanState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.phase, self.state)
    }
}
