//! Toy tools: small, and they count their calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use cleveragents_runtime::{
    Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, WriteMode, input_path,
};
use serde_json::{Value, json};

/// How often each toy ran.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallCount(Arc<Mutex<BTreeMap<String, usize>>>);

impl CallCount {
    pub(crate) fn of(&self, tool: &str) -> usize {
        self.0.lock().unwrap().get(tool).copied().unwrap_or_default()
    }

    fn add(&self, tool: &str) -> usize {
        let mut counts = self.0.lock().unwrap();
        let count = counts.entry(tool.to_owned()).or_default();
        *count += 1;
        *count
    }
}

/// What a toy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Nothing, and succeeds.
    Nothing,
    /// Writes `path`.
    Write,
    /// Writes `path` and a file beside it, then fails.
    WriteThenFail,
    /// The same the first time; later it only writes `path`.
    WriteThenFailOnce,
    Fail,
    Panic,
    Sleep,
}

/// A tool with a given capability and a given behaviour.
pub(crate) struct Toy {
    spec: ToolSpec,
    act: Act,
    count: CallCount,
}

impl Toy {
    /// A toy that needs what `needs` says (`nothing`, or gates joined by `and`) and does what `does` says.
    pub(crate) fn new(name: &str, needs: &str, does: &str, count: CallCount) -> Self {
        let mut capabilities = Capabilities { read_only: false, idempotent: false, ..Capabilities::READ };
        for need in needs.split(" and ") {
            match need {
                "nothing" => capabilities = Capabilities::READ,
                "write" => capabilities.writes = true,
                "write although read-only" => (capabilities.writes, capabilities.read_only) = (true, true),
                "shell" => capabilities.runs_commands = true,
                "network" => capabilities.network = true,
                "unsafe" => capabilities.unsafe_ = true,
                other => panic!("a toy cannot need {other:?}"),
            }
        }
        let act = match does {
            "nothing" => Act::Nothing,
            "writes" => Act::Write,
            "writes then fails" => Act::WriteThenFail,
            "writes then fails once" => Act::WriteThenFailOnce,
            "fails" => Act::Fail,
            "panics" => Act::Panic,
            "sleeps" => Act::Sleep,
            other => panic!("a toy cannot do {other:?}"),
        };
        let properties = json!({ "path": { "type": "string" }, "content": { "type": "string" } });
        let spec = ToolSpec {
            name: name.to_owned(),
            description: format!("A toy: {does}."),
            input_schema: json!({ "type": "object", "properties": properties, "additionalProperties": false }),
            capabilities,
        };
        Self { spec, act, count }
    }
}

#[async_trait]
impl Tool for Toy {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let count = self.count.add(&self.spec.name);
        let write = |suffix: &str| {
            let path = input_path(&format!("{}{suffix}", input["path"].as_str().unwrap_or("toy.txt")))?;
            let content = input["content"].as_str().unwrap_or("a toy was here\n");
            context.files()?.write(&path, content.as_bytes(), None, WriteMode::CreateOrReplace)?;
            Ok::<(), ToolError>(())
        };
        match self.act {
            Act::Nothing => {}
            Act::Write => write("")?,
            Act::WriteThenFailOnce if count > 1 => write("")?,
            Act::WriteThenFail | Act::WriteThenFailOnce => {
                write("")?;
                write(".partial")?;
                return Err(ToolError::failed("the toy broke half-way"));
            }
            Act::Fail => return Err(ToolError::failed("the toy broke")),
            Act::Panic => panic!("the toy panicked"),
            Act::Sleep => {
                tokio::select! {
                    () = context.cancel().cancelled() => {}
                    () = tokio::time::sleep(Duration::from_secs(30)) => {}
                }
            }
        }
        Ok(ToolOutput::new(json!({ "ran": count })))
    }
}
