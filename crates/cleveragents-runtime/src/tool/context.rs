//! What a running tool is given: no more than its call was granted.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use cleveragents_domain::{Gate, Phase, RelPath};

use super::ToolError;
use crate::workspace::{Attempt, CommandRoot, FileError, Files, ReadOnlyFiles};

/// What a tool may use during one call.
pub struct ToolContext {
    pub(crate) phase: Phase,
    pub(crate) granted: BTreeSet<Gate>,
    pub(crate) attempt: Option<Arc<dyn Attempt>>,
    pub(crate) cancel: CancellationToken,
    pub(crate) time_left: Duration,
    pub(crate) output_limit: u64,
}

impl ToolContext {
    /// The phase of the plan.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether this call was granted a gate.
    pub fn granted(&self, gate: Gate) -> bool {
        self.granted.contains(&gate)
    }

    /// The workspace's files; read-only unless the write gate was granted to this call.
    pub fn files(&self) -> Result<Arc<dyn Files>, ToolError> {
        let attempt = self.attempt.as_ref().ok_or(ToolError::NoWorkspace)?;
        let files = attempt.files();
        Ok(if self.granted(Gate::Write) { files } else { Arc::new(ReadOnlyFiles(files)) })
    }

    /// Where a command may run. Refused unless the shell gate was granted to this call.
    pub fn command_root(&self) -> Result<CommandRoot, ToolError> {
        let attempt = self.attempt.as_ref().ok_or(ToolError::NoWorkspace)?;
        if !self.granted(Gate::Shell) {
            return Err(ToolError::NotGranted(Gate::Shell));
        }
        Ok(attempt.command_root()?)
    }

    /// Says that the command may have left processes behind.
    pub fn distrust(&self) {
        if let Some(attempt) = &self.attempt {
            attempt.distrust();
        }
    }

    /// Cancelled when the call must stop: by a person, or because its time is up.
    pub fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// How long the call may take from its start.
    pub fn time_left(&self) -> Duration {
        self.time_left
    }

    /// How many bytes of output the call may return.
    pub fn output_limit(&self) -> u64 {
        self.output_limit
    }
}

/// A path from a tool's input.
pub fn input_path(text: &str) -> Result<RelPath, ToolError> {
    RelPath::from_text(text).map_err(|e| ToolError::Failed { message: format!("{text}: {e}"), output: None })
}

impl From<FileError> for ToolError {
    fn from(error: FileError) -> Self {
        Self::Failed { message: error.to_string(), output: None }
    }
}
