//! `read_file`: a file's lines.

mod window;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, input_path};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{input, link};
use window::Window;

/// How many lines come without a limit.
const DEFAULT_LIMIT: u64 = 2000;

/// What the answer holds beside the content.
const OVERHEAD: u64 = 1024;

#[derive(Deserialize)]
struct Input {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
}

/// See the module.
pub(crate) struct ReadFile(ToolSpec);

impl ReadFile {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "path": input::path("The file to read"),
            "offset": {
                "type": "integer",
                "minimum": 1,
                "description": "The first line to return, counted from 1. Default 1."
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "description": format!("How many lines to return at most. Default {DEFAULT_LIMIT}.")
            },
        });
        Self(ToolSpec {
            name: "read_file".to_owned(),
            description: "Reads a file of the project. Returns its lines exactly as they are, with their line ends, in \
                          `content`; content that is not UTF-8 comes as `content_base64`. When `truncated` is true there \
                          is more: call again with `offset` set to `next_offset`. Read a file before you edit it."
                .to_owned(),
            input_schema: input::object(&["path"], properties),
            capabilities: Capabilities::READ,
        })
    }
}

#[async_trait]
impl Tool for ReadFile {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        input::path_problems(input, &["path"])
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path, offset, limit } = input::parse(input)?;
        let (path, files) = (input_path(&path)?, context.files()?);
        let first = offset.unwrap_or(1);
        // Base64 makes four bytes of three.
        let budget = context.output_limit().saturating_sub(OVERHEAD) / 4 * 3;
        let found = Window::read(&*files, &path, first, limit.unwrap_or(DEFAULT_LIMIT), budget)?;
        if found.lines == 0 && first > 1 {
            let message = format!("{path}: has {} lines; line {first} is beyond its end", found.passed);
            return Err(ToolError::failed(message));
        }
        let mut output = Map::new();
        link::resolved(&*files, &path, &mut output)?;
        output.insert("offset".to_owned(), first.into());
        output.insert("lines".to_owned(), found.lines.into());
        output.insert("bytes".to_owned(), found.bytes.len().into());
        output.insert("truncated".to_owned(), found.more.into());
        if found.more {
            output.insert("next_offset".to_owned(), (first + found.lines).into());
        }
        if found.cut {
            output.insert("note".to_owned(), "the last line is too long and is cut".into());
        }
        match String::from_utf8(found.bytes) {
            Ok(text) => output.insert("content".to_owned(), text.into()),
            Err(e) => output.insert("content_base64".to_owned(), STANDARD.encode(e.as_bytes()).into()),
        };
        Ok(ToolOutput::new(Value::Object(output)))
    }
}
