//! `edit_file`: quoted text replaced.

use async_trait::async_trait;
use cleveragents_runtime::diff::{EDIT_RESULT_LIMIT, Edit, apply_edits, line_counts};
use cleveragents_runtime::{
    Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, WriteMode, input_path,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{input, link};

#[derive(Deserialize)]
struct Input {
    path: String,
    edits: Vec<Quoted>,
}

#[derive(Deserialize)]
struct Quoted {
    old: String,
    new: String,
    #[serde(default)]
    all: bool,
}

/// See the module.
pub(crate) struct EditFile(ToolSpec);

impl EditFile {
    pub(crate) fn new() -> Self {
        let edit = input::object(
            &["old", "new"],
            json!({
                "old": {
                    "type": "string",
                    "minLength": 1,
                    "description": "Text that stands in the file, exactly, with as many lines around it as make it unique."
                },
                "new": { "type": "string", "description": "The text that takes its place; empty deletes it." },
                "all": {
                    "type": "boolean",
                    "description": "true replaces every occurrence. Default false: more than one is an error."
                },
            }),
        );
        let properties = json!({
            "path": input::path("The file to edit"),
            "edits": {
                "type": "array",
                "minItems": 1,
                "items": edit,
                "description": "All are looked up in the file as it is now, not in one another's results; all or none apply."
            },
        });
        Self(ToolSpec {
            name: "edit_file".to_owned(),
            description: "Replaces quoted text in a file of the project. Every byte that is not quoted is kept: line \
                          ends, encoding, final newline, mode. Text that is missing or occurs more than once is an \
                          error that says where to look, and changes nothing."
                .to_owned(),
            input_schema: input::object(&["path", "edits"], properties),
            capabilities: Capabilities::WRITE,
        })
    }
}

#[async_trait]
impl Tool for EditFile {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        input::path_problems(input, &["path"])
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path, edits } = input::parse(input)?;
        let (path, files) = (input_path(&path)?, context.files()?);
        let before = files.read(&path, 0, EDIT_RESULT_LIMIT as u64 + 1)?;
        if before.len() > EDIT_RESULT_LIMIT {
            return Err(ToolError::failed(format!(
                "{path}: has more than {EDIT_RESULT_LIMIT} bytes: use shell"
            )));
        }
        let edits: Vec<Edit<'_>> = edits
            .iter()
            .map(|edit| Edit { old: edit.old.as_bytes(), new: edit.new.as_bytes(), all: edit.all })
            .collect();
        let after = apply_edits(&before, &edits).map_err(|e| ToolError::failed(format!("{path}: {e}")))?;
        files.write(&path, &after, None, WriteMode::CreateOrReplace)?;
        let counts = line_counts(&before, &after);
        let mut output = Map::new();
        link::resolved(&*files, &path, &mut output)?;
        output.insert("edits".to_owned(), edits.len().into());
        output.insert("bytes".to_owned(), after.len().into());
        output.insert("lines_added".to_owned(), counts.added.into());
        output.insert("lines_removed".to_owned(), counts.removed.into());
        Ok(ToolOutput::new(Value::Object(output)))
    }
}
