//! `create_dir`: a directory.

use async_trait::async_trait;
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, input_path};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{input, link};

#[derive(Deserialize)]
struct Input {
    path: String,
}

/// See the module.
pub(crate) struct CreateDir(ToolSpec);

impl CreateDir {
    pub(crate) fn new() -> Self {
        Self(ToolSpec {
            name: "create_dir".to_owned(),
            description: "Makes a directory of the project, and those above it that are missing. Fine when it is there \
                          already. Use it only for a directory that stays empty: write_file and move_path make the \
                          directories they need."
                .to_owned(),
            input_schema: input::object(&["path"], json!({ "path": input::path("The directory to make") })),
            capabilities: Capabilities { idempotent: true, ..Capabilities::WRITE },
        })
    }
}

#[async_trait]
impl Tool for CreateDir {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        input::path_problems(input, &["path"])
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path } = input::parse(input)?;
        let (path, files) = (input_path(&path)?, context.files()?);
        let created = files.info(&path)?.is_none();
        files.create_dir(&path)?;
        let mut output = Map::new();
        link::resolved(&*files, &path, &mut output)?;
        output.insert("created".to_owned(), created.into());
        Ok(ToolOutput::new(Value::Object(output)))
    }
}
