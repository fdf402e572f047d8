//! Errors as a user meets them: what, where, what to do, and the exit code.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::render::{shown, shown_lines};
use cleveragents_application::domain::{JournalError, ValidationError};
use cleveragents_application::runtime::{RegistryError, WorkspaceError};
use cleveragents_application::{PlanError, PlanErrorKind, PlanFileError};

pub(crate) const FAILED: u8 = 1;
pub(crate) const USAGE: u8 = 2;
pub(crate) const REFUSED: u8 = 3;
pub(crate) const CONFLICT: u8 = 4;
pub(crate) const EVIDENCE: u8 = 5;
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) exit: u8,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) detail: Value,
    pub(crate) suggestions: Vec<String>,
    /// What is known all the same, such as the plan's id and state.
    pub(crate) data: Value,
}

impl Fault {
    pub(crate) fn new(exit: u8, code: &str, message: impl Into<String>) -> Self {
        Self {
            exit,
            code: code.to_owned(),
            message: message.into(),
            detail: Value::Null,
            suggestions: Vec::new(),
            data: Value::Null,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(USAGE, "usage", message)
    }

    /// A failing file operation.
    pub(crate) fn io(what: &str, path: &Path, error: &std::io::Error) -> Self {
        let code = if error.kind() == std::io::ErrorKind::NotFound { USAGE } else { FAILED };
        Self::new(code, "io", format!("cannot {what} {}: {error}", path.display()))
    }

    pub(crate) fn hint(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestions.push(suggestion.into());
        self
    }

    /// Names the file that it is about.
    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        self.message = format!("{}: {}", path.display(), self.message);
        self
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    /// The words for a person, on stderr.
    pub(crate) fn to_text(&self) -> String {
        // Only a plan file's error has lines of its own: it shows where in the file it is.
        let message =
            if self.code == "plan_file" { shown_lines(&self.message) } else { shown(&self.message) };
        let mut text = format!("error: {message}\n");
        if let Some(items) = self.detail.as_array() {
            for item in items {
                let words = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                let _ = writeln!(text, "  {}", shown(&words));
            }
        }
        for suggestion in &self.suggestions {
            let _ = writeln!(text, "hint: {}", shown(suggestion));
        }
        text
    }
}

fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.contains(&words) {
            let _ = write!(text, ": {words}");
        }
        cause = inner.source();
    }
    text
}

impl From<ValidationError> for Fault {
    fn from(error: ValidationError) -> Self {
        let mut fault = Self::new(USAGE, "validation", error.to_string());
        fault.detail = json!({ "issues": error.issues() });
        fault
    }
}

impl From<PlanFileError> for Fault {
    fn from(error: PlanFileError) -> Self {
        match error {
            PlanFileError::Invalid(error) => error.into(),
            PlanFileError::NotSupported(_) => Self::new(USAGE, "not_supported", error.to_string()),
            _ => Self::new(USAGE, "plan_file", error.to_string()),
        }
    }
}

impl From<PlanError> for Fault {
    fn from(error: PlanError) -> Self {
        let exit = match error.kind() {
            PlanErrorKind::Invalid => USAGE,
            PlanErrorKind::Refused => REFUSED,
            PlanErrorKind::Conflict => CONFLICT,
            PlanErrorKind::Evidence => EVIDENCE,
            PlanErrorKind::Interrupted => INTERRUPTED,
            _ => FAILED,
        };
        let mut fault = Self::new(exit, error.code(), with_causes(&error));
        match error {
            PlanError::Validation(error) => return error.into(),
            PlanError::Conflicts(conflicts)
            | PlanError::HalfWay(conflicts)
            | PlanError::TargetDiffers(conflicts) => {
                fault.detail =
                    conflicts.iter().map(|c| Value::String(format!("{}: {}", c.path, c.reason))).collect();
                fault
                    .suggestions
                    .push("look at the files, then decide: nothing was written over them".to_owned());
            }
            PlanError::CallFailed(report) => {
                fault.detail = report
                    .discarded
                    .iter()
                    .map(|d| {
                        Value::String(format!(
                            "taken back in the sandbox: {} ({})",
                            d.path,
                            d.operation.as_str()
                        ))
                    })
                    .collect();
                if exit == FAILED {
                    fault.suggestions.push("mend the cause, then go on with `agents plan execute`; a call that is wrong itself needs a new plan".to_owned());
                }
                let cancelled = cleveragents_application::domain::CallOutcome::Cancelled;
                if report.invocation.outcome == cancelled {
                    fault.exit = INTERRUPTED;
                }
            }
            _ => {}
        }
        fault
    }
}

impl From<JournalError> for Fault {
    fn from(error: JournalError) -> Self {
        let exit = if matches!(error, JournalError::Corrupt { .. }) { EVIDENCE } else { FAILED };
        Self::new(exit, "journal", with_causes(&error))
    }
}

impl From<WorkspaceError> for Fault {
    fn from(error: WorkspaceError) -> Self {
        let exit = if matches!(error, WorkspaceError::Refused(_)) { USAGE } else { FAILED };
        Self::new(exit, "workspace", with_causes(&error))
    }
}

impl From<RegistryError> for Fault {
    fn from(error: RegistryError) -> Self {
        Self::new(FAILED, "tools", with_causes(&error))
    }
}
