//! Tools that do one thing each, and do not always tell the truth about it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cleveragents_runtime::domain::{Gate, RelPath};
use cleveragents_runtime::{
    Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolRegistry, ToolSpec, WriteMode,
};
use cleveragents_testkit::fake::Scene;
use serde_json::{Value, json};

/// What a toy does when it is called.
pub(crate) enum Act {
    /// Writes `made` through the handle.
    Write,
    /// Writes `made` through the handle, then fails.
    WriteAndFail,
    /// Writes `made`, then panics.
    WriteAndPanic,
    /// Writes `made`, then waits until it is told to stop.
    WriteAndWait,
    /// Writes `made`, then does not stop.
    WriteAndHang,
    /// Writes below a path that it kept, past every handle.
    WriteTo(PathBuf),
    /// Asks for a place to run commands.
    CommandRoot,
    /// Returns this.
    Return(Value),
}

pub(crate) struct Toy {
    spec: ToolSpec,
    gates: Option<BTreeSet<Gate>>,
    act: Act,
}

impl Toy {
    pub(crate) fn new(capabilities: Capabilities, act: Act) -> Self {
        let spec = ToolSpec {
            name: "toy".to_owned(),
            description: "plays".to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": { "times": { "type": "integer" } },
                "additionalProperties": false
            }),
            capabilities,
        };
        Self { spec, gates: None, act }
    }

    /// Asks for these gates, whatever its capabilities say.
    pub(crate) fn asks(mut self, gates: impl IntoIterator<Item = Gate>) -> Self {
        self.gates = Some(gates.into_iter().collect());
        self
    }

    pub(crate) fn scene(self) -> Scene {
        let mut tools = ToolRegistry::new();
        tools.register(Arc::new(self)).unwrap();
        Scene::new(tools)
    }
}

fn write(context: &ToolContext) -> Result<(), ToolError> {
    let path = RelPath::from_text("made").unwrap();
    Ok(context.files()?.write(&path, b"by the toy", None, WriteMode::CreateOrReplace)?)
}

#[async_trait]
impl Tool for Toy {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn gates(&self, _: &Value) -> BTreeSet<Gate> {
        let can = self.spec.capabilities;
        self.gates.clone().unwrap_or_else(|| can.writes.then_some(Gate::Write).into_iter().collect())
    }

    async fn call(&self, _: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        match &self.act {
            Act::Write => write(context)?,
            Act::WriteAndFail => {
                write(context)?;
                let output = Some(Box::new(ToolOutput::new(json!("what there was to show"))));
                return Err(ToolError::Failed { message: "it did not work".to_owned(), output });
            }
            Act::WriteAndPanic => {
                write(context)?;
                panic!("the toy broke");
            }
            Act::WriteAndWait => {
                write(context)?;
                context.cancel().cancelled().await;
                return Err(ToolError::failed("was told to stop"));
            }
            Act::WriteAndHang => {
                write(context)?;
                tokio::time::sleep(Duration::from_hours(1)).await;
            }
            Act::WriteTo(dir) => std::fs::write(dir.join("made"), "past the handle").unwrap(),
            Act::CommandRoot => drop(context.command_root()?),
            Act::Return(value) => return Ok(ToolOutput::new(value.clone())),
        }
        Ok(ToolOutput::new(json!("done")))
    }
}
