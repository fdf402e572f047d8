//! `move_path`: a node under another name.

use async_trait::async_trait;
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, input_path};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::input;

#[derive(Deserialize)]
struct Input {
    from: String,
    to: String,
    #[serde(default)]
    overwrite: bool,
}

/// See the module.
pub(crate) struct MovePath(ToolSpec);

impl MovePath {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "from": input::path("What to move"),
            "to": input::path("Its new path, the name included"),
            "overwrite": {
                "type": "boolean",
                "description": "true replaces a file or link that stands at the new path. Default false: it is an error."
            },
        });
        Self(ToolSpec {
            name: "move_path".to_owned(),
            description: "Moves or renames a file, symbolic link or directory of the project, with its mode and all it \
                          holds. Makes missing directories above the new path."
                .to_owned(),
            input_schema: input::object(&["from", "to"], properties),
            capabilities: Capabilities::WRITE,
        })
    }
}

#[async_trait]
impl Tool for MovePath {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        input::path_problems(input, &["from", "to"])
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { from, to, overwrite } = input::parse(input)?;
        let (from, to, files) = (input_path(&from)?, input_path(&to)?, context.files()?);
        let replaced = from != to && files.info(&to)?.is_some();
        files.rename(&from, &to, overwrite)?;
        Ok(ToolOutput::new(json!({ "from": from.to_text(), "to": to.to_text(), "replaced": replaced })))
    }
}
