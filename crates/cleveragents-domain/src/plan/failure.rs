//! Why a phase failed.

use serde::{Deserialize, Serialize};

/// What kind of failure it was: what a person or a caller can do next depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Something went wrong; fix it and execute again.
    Failed,
    /// Policy or a missing approval refused a call.
    Refused,
    /// A limit was used up.
    Limit,
    /// The process died or was stopped; execute again to go on.
    Interrupted,
    /// After the swap the target did not read back as written; roll back.
    TargetDiffers,
}

impl FailureKind {
    /// The stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Limit => "limit",
            Self::Interrupted => "interrupted",
            Self::TargetDiffers => "target_differs",
        }
    }
}

/// Which actor a phase ran with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionMode {
    /// A stub: no tool ran.
    Stub,
    /// The runtime: tools ran.
    Runtime,
}

/// The seed's `error_details`, in typed fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorDetails {
    /// The error type's name.
    pub exception_type: String,
    /// The error and its causes, outermost first.
    pub chain: Vec<String>,
    /// Stub or runtime.
    pub mode: ExecutionMode,
}

/// Why a phase is errored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanFailure {
    /// What kind.
    pub kind: FailureKind,
    /// In words.
    pub error_message: String,
    /// Type, causes and mode.
    pub error_details: ErrorDetails,
}
