//! `delete_path`: a file, link or directory removed.

use async_trait::async_trait;
use cleveragents_runtime::domain::NodeKind;
use cleveragents_runtime::{
    Capabilities, FileError, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, input_path,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::input;

#[derive(Deserialize)]
struct Input {
    path: String,
    #[serde(default)]
    recursive: bool,
}

/// See the module.
pub(crate) struct DeletePath(ToolSpec);

impl DeletePath {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "path": input::path("What to delete"),
            "recursive": {
                "type": "boolean",
                "description": "true deletes a directory with all it holds. Default false: only an empty one."
            },
        });
        Self(ToolSpec {
            name: "delete_path".to_owned(),
            description:
                "Deletes a file, a symbolic link (not what it points to) or a directory of the project."
                    .to_owned(),
            input_schema: input::object(&["path"], properties),
            capabilities: Capabilities::WRITE,
        })
    }
}

#[async_trait]
impl Tool for DeletePath {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        input::path_problems(input, &["path"])
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path, recursive } = input::parse(input)?;
        let (path, files) = (input_path(&path)?, context.files()?);
        let info = files.info(&path)?.ok_or_else(|| FileError::NotFound(path.clone()))?;
        files.remove(&path, recursive)?;
        let kind = match info.kind {
            NodeKind::File => "file",
            NodeKind::Symlink => "symlink",
            NodeKind::Directory => "directory",
            NodeKind::Special => "special",
        };
        Ok(ToolOutput::new(
            json!({ "path": path.to_text(), "kind": kind, "bytes": info.size, "deleted": true }),
        ))
    }
}
