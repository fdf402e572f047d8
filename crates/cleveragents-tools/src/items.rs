//! A list in an answer, bounded in number and in bytes.

use cleveragents_runtime::{ToolContext, ToolError, ToolOutput};
use serde_json::{Map, Value};

use crate::pace::Stopped;

/// What the answer holds beside the list.
const OVERHEAD: u64 = 1024;

/// As many as may stand in the answer: the first ones, without a gap.
pub(crate) struct Items {
    kept: Vec<Value>,
    limit: usize,
    room: u64,
    full: bool,
}

impl Items {
    /// An empty list for at most `limit` items. `beside` is how much of the answer is taken already.
    pub(crate) fn new(limit: usize, context: &ToolContext, beside: usize) -> Self {
        let room = context.output_limit().saturating_sub(OVERHEAD + beside as u64);
        Self { kept: Vec::new(), limit, room, full: false }
    }

    /// Adds one; false when it is one too many.
    pub(crate) fn push(&mut self, item: impl FnOnce() -> Value) -> bool {
        if self.full || self.kept.len() == self.limit {
            self.full = true;
            return false;
        }
        let item = item();
        let weighs = item.to_string().len() as u64 + 1;
        if weighs > self.room {
            self.full = true;
            return false;
        }
        self.room -= weighs;
        self.kept.push(item);
        true
    }

    /// Whether one had to be left out.
    pub(crate) fn full(&self) -> bool {
        self.full
    }

    /// Puts the list into an answer.
    pub(crate) fn insert(self, name: &str, output: &mut Map<String, Value>) {
        output.insert(name.to_owned(), Value::Array(self.kept));
    }
}

/// The answer; that of a call that had to stop holds what it had found by then.
pub(crate) fn answer(output: Map<String, Value>, went: Result<(), Stopped>) -> Result<ToolOutput, ToolError> {
    let output = ToolOutput::new(Value::Object(output));
    match went {
        Ok(()) => Ok(output),
        Err(Stopped) => Err(ToolError::Failed {
            message: "was stopped before its end; what it had found by then is in the output".to_owned(),
            output: Some(Box::new(output)),
        }),
    }
}
