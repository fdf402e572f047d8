//! One tool call, as it is kept with the changeset.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{DecisionId, Timestamp, ToolCallId};

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallOutcome {
    /// It did what it was asked.
    Succeeded,
    /// The tool reported an error.
    Failed,
    /// A gate refused it; it never ran.
    Refused,
    /// It ran out of time.
    TimedOut,
    /// It was cancelled.
    Cancelled,
    /// Its process died; what it did was taken back.
    Interrupted,
}

impl CallOutcome {
    /// The stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A tool call that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolInvocation {
    /// The call's id.
    pub id: ToolCallId,
    /// The decision it served.
    pub decision_id: DecisionId,
    /// Position among the decision's calls, from 0.
    pub index: u32,
    /// The tool's name.
    pub tool: String,
    /// The input it was given.
    pub input: Value,
    /// How it ended.
    pub outcome: CallOutcome,
    /// What it returned, bounded; null when nothing.
    pub output: Value,
    /// Why it did not succeed.
    pub error: Option<String>,
    /// `confined`, `unconfined`, or `None` when it started no process.
    pub confinement: Option<String>,
    /// When it started.
    pub started_at: Timestamp,
    /// How long it took, in microseconds.
    pub duration_us: u64,
}
