//! Tools: what they are, what they are given, where they are found.

mod context;
mod registry;
mod spec;

pub use context::{ToolContext, input_path};
pub use registry::{RegistryError, ToolRegistry};
pub use spec::{Capabilities, ToolSpec};

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::Value;
use thiserror::Error;

use cleveragents_domain::Gate;

use crate::workspace::WorkspaceError;

/// What a call returned.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolOutput {
    /// The result, for people and models. Output above the limit is cut by the runner, and says so.
    pub value: Value,
    /// How a command was confined, for calls that ran one.
    pub confinement: Option<String>,
}

impl ToolOutput {
    /// A result of a call that ran no command.
    pub fn new(value: Value) -> Self {
        Self { value, confinement: None }
    }
}

/// Why a call did not succeed. The text is written for a model: what, where, what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The tool could not do it.
    #[error("{message}")]
    Failed {
        /// Why.
        message: String,
        /// What it had to show all the same, such as a command's output.
        output: Option<Box<ToolOutput>>,
    },
    /// The call was not granted this gate; the tool should have asked for it in [`Tool::gates`].
    #[error("this call was not granted the {0} gate")]
    NotGranted(Gate),
    /// The plan has no bound resource.
    #[error("this plan has no workspace to act in")]
    NoWorkspace,
    /// The workspace failed.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl ToolError {
    /// A plain failure.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), output: None }
    }
}

/// Something that a decision can call.
///
/// A tool never decides whether it may run, and never records what it did: the runner does both. It acts only through
/// its [`ToolContext`]. When its future is dropped or the context is cancelled it must leave nothing running.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// What it says of itself; the same every time.
    fn spec(&self) -> &ToolSpec;

    /// The gates that a call with this input needs. Whatever is not named here is not granted: a tool that names
    /// nothing can only read.
    fn gates(&self, _input: &Value) -> BTreeSet<Gate> {
        let can = self.spec().capabilities;
        let mut gates = BTreeSet::new();
        let wanted =
            [(can.writes, Gate::Write), (can.runs_commands, Gate::Shell), (can.unsafe_, Gate::Unsafe)];
        gates.extend(wanted.into_iter().filter_map(|(needs, gate)| needs.then_some(gate)));
        if can.network {
            gates.insert(Gate::Network);
        }
        gates
    }

    /// What is wrong with an input that fits the schema: what a schema cannot say, such as that exactly one of two
    /// fields must be there. Looks at nothing but the input. Empty when nothing is wrong.
    fn problems(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    /// Does it. The input has been checked against the schema, and by [`Tool::problems`].
    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError>;
}
