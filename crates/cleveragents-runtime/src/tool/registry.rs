//! Where tools are found by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use super::{Tool, ToolSpec};

/// A tool that cannot be registered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name is taken.
    #[error("there is already a tool named {0}")]
    Duplicate(String),
    /// The name is not allowed.
    #[error("{0:?} is no tool name: use 1 to 64 characters of a-z, 0-9, `_`, `-` and `.`")]
    Name(String),
    /// The input schema is no valid JSON Schema of an object.
    #[error("the input schema of {tool} is not valid: {reason}")]
    Schema {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
}

pub(crate) struct Registered {
    pub(crate) tool: Arc<dyn Tool>,
    validator: jsonschema::Validator,
}

impl Registered {
    /// What is wrong with an input, each with its place; empty when nothing is.
    pub(crate) fn problems(&self, input: &Value) -> Vec<String> {
        if self.validator.is_valid(input) {
            return self.tool.problems(input);
        }
        self.validator
            .iter_errors(input)
            .map(|e| {
                let place = e.instance_path().to_string();
                // Masked: an input may hold secrets, and the text is stored.
                let words = e.masked_with("the value").to_string();
                if place.is_empty() { words } else { format!("{place}: {words}") }
            })
            .collect()
    }
}

/// Tools by name. Schemas are compiled once, here.
#[derive(Default)]
pub struct ToolRegistry {
    tools: BTreeMap<String, Registered>,
}

impl ToolRegistry {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        let spec = tool.spec();
        let name = spec.name.clone();
        let legal = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
        if !(1..=64).contains(&name.len()) || !name.bytes().all(legal) {
            return Err(RegistryError::Name(name));
        }
        let validator = jsonschema::validator_for(&spec.input_schema)
            .map_err(|e| RegistryError::Schema { tool: name.clone(), reason: e.to_string() })?;
        if self.tools.contains_key(&name) {
            return Err(RegistryError::Duplicate(name));
        }
        self.tools.insert(name, Registered { tool, validator });
        Ok(())
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Registered> {
        self.tools.get(name)
    }

    /// The spec of a tool.
    pub fn spec(&self, name: &str) -> Option<&ToolSpec> {
        self.find(name).map(|r| r.tool.spec())
    }

    /// All specs, by name.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.values().map(|r| r.tool.spec())
    }

    /// What is wrong with an input, each with its place; `None` when there is no such tool.
    pub fn check_input(&self, name: &str, input: &Value) -> Option<Vec<String>> {
        self.find(name).map(|r| r.problems(input))
    }

    /// The gates that a call would need; `None` when there is no such tool.
    pub fn gates(
        &self,
        name: &str,
        input: &Value,
    ) -> Option<std::collections::BTreeSet<cleveragents_domain::Gate>> {
        self.find(name).map(|r| r.tool.gates(input))
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl std::fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}
