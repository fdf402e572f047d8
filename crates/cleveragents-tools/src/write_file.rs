//! `write_file`: a file's whole content.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cleveragents_runtime::{
    Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, WriteMode, input_path,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{input, link};

#[derive(Deserialize)]
struct Input {
    path: String,
    content: Option<String>,
    content_base64: Option<String>,
    executable: Option<bool>,
    #[serde(default)]
    create_only: bool,
}

/// See the module.
pub(crate) struct WriteFile(ToolSpec);

impl WriteFile {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "path": input::path("The file to write"),
            "content": {
                "type": "string",
                "description": "The whole new content as text. Give exactly one of content and content_base64."
            },
            "content_base64": {
                "type": "string",
                "description": "The whole new content as base64, for bytes that are not UTF-8."
            },
            "executable": {
                "type": "boolean",
                "description": "true makes the file executable (mode 0755), false makes it plain (0644). \
                                Left out, an existing file keeps its mode."
            },
            "create_only": {
                "type": "boolean",
                "description": "true refuses when anything stands at the path. Default false: an existing file is replaced."
            },
        });
        Self(ToolSpec {
            name: "write_file".to_owned(),
            description:
                "Writes a file of the project, whole. Makes missing directories. To change a part of a file \
                          use edit_file: text that you leave out here is gone."
                    .to_owned(),
            input_schema: input::object(&["path"], properties),
            capabilities: Capabilities { idempotent: true, ..Capabilities::WRITE },
        })
    }
}

#[async_trait]
impl Tool for WriteFile {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let mut problems = input::path_problems(input, &["path"]);
        problems.extend(input::exactly_one(input, "content", "content_base64"));
        problems
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let wanted: Input = input::parse(input)?;
        let bytes = match (wanted.content, wanted.content_base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => STANDARD
                .decode(text.trim())
                .map_err(|e| ToolError::failed(format!("content_base64 is not standard base64: {e}")))?,
            _ => return Err(ToolError::failed("give exactly one of content and content_base64")),
        };
        let (path, files) = (input_path(&wanted.path)?, context.files()?);
        let mode = if wanted.create_only { WriteMode::CreateNew } else { WriteMode::CreateOrReplace };
        let permissions = wanted.executable.map(|executable| if executable { 0o755 } else { 0o644 });
        let created = files.info(&path)?.is_none();
        files.write(&path, &bytes, permissions, mode)?;
        let mut output = Map::new();
        link::resolved(&*files, &path, &mut output)?;
        output.insert("bytes".to_owned(), bytes.len().into());
        output.insert("created".to_owned(), created.into());
        Ok(ToolOutput::new(Value::Object(output)))
    }
}
