//! What a tool says of itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a tool can do. Hints for people and models; the boundary is what the runner hands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // six independent facts, named in the contracts
pub struct Capabilities {
    /// It changes nothing.
    pub read_only: bool,
    /// It changes files through the workspace's handle.
    pub writes: bool,
    /// It runs commands in the workspace.
    pub runs_commands: bool,
    /// Twice is the same as once.
    pub idempotent: bool,
    /// It can act outside the sandbox.
    #[serde(rename = "unsafe")]
    pub unsafe_: bool,
    /// It can reach the network.
    pub network: bool,
}

impl Capabilities {
    /// A tool that only reads.
    pub const READ: Self = Self {
        read_only: true,
        writes: false,
        runs_commands: false,
        idempotent: true,
        unsafe_: false,
        network: false,
    };

    /// A tool that changes files through the handle.
    pub const WRITE: Self = Self { read_only: false, writes: true, idempotent: false, ..Self::READ };
}

/// Name, input schema, capabilities and a description written for a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolSpec {
    /// The name: 1 to 64 characters of `a-z`, `0-9`, `_`, `-` and `.`.
    pub name: String,
    /// What it does and when to use it, written for a model.
    pub description: String,
    /// JSON Schema (2020-12) of the input, an object.
    pub input_schema: Value,
    /// What it can do.
    pub capabilities: Capabilities,
}
