//! `create_symlink`: a symbolic link.

use async_trait::async_trait;
use cleveragents_runtime::{
    Capabilities, FileError, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, input_path,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{input, link};

#[derive(Deserialize)]
struct Input {
    path: String,
    target: String,
}

/// See the module.
pub(crate) struct CreateSymlink(ToolSpec);

impl CreateSymlink {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "path": input::path("Where the link is to stand"),
            "target": {
                "type": "string",
                "minLength": 1,
                "description": "What the link says, exactly as it is to be stored. It counts from the directory that \
                                holds the link, not from the project: from docs/a to src/b it is ../src/b."
            },
        });
        Self(ToolSpec {
            name: "create_symlink".to_owned(),
            description:
                "Makes a symbolic link in the project. Refuses when anything stands at the path: to change a \
                          link, delete it first. `leads_to` in the result says what the link leads to; without it, \
                          `note` says why it leads nowhere."
                    .to_owned(),
            input_schema: input::object(&["path", "target"], properties),
            capabilities: Capabilities::WRITE,
        })
    }
}

#[async_trait]
impl Tool for CreateSymlink {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let mut problems = input::path_problems(input, &["path"]);
        if input["target"].as_str().is_some_and(|target| target.contains('\0')) {
            problems.push("target: must not contain a NUL byte".to_owned());
        }
        problems
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path, target } = input::parse(input)?;
        let (path, files) = (input_path(&path)?, context.files()?);
        files.create_symlink(&path, target.as_bytes())?;
        let mut output = Map::new();
        link::resolved(&*files, &path, &mut output)?;
        // Most wrong links are right ones counted from another directory: say so at once.
        let (key, said) = match link::end(&*files, &path) {
            Ok(kind) => ("leads_to", json!(kind)),
            Err(FileError::NotFound(_)) => ("note", "nothing stands at the target".into()),
            Err(error) => ("note", format!("the link cannot be followed here: {error}").into()),
        };
        output.insert(key.to_owned(), said);
        Ok(ToolOutput::new(Value::Object(output)))
    }
}
