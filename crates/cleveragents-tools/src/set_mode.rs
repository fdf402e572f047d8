//! `set_mode`: permission bits.

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
    mode: String,
}

/// See the module.
pub(crate) struct SetMode(ToolSpec);

impl SetMode {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "path": input::path("The file or directory"),
            "mode": {
                "type": "string",
                "description": "The permission bits in octal, as chmod takes them: \"0755\" or \"755\". \
                                Setuid, setgid and sticky cannot be set."
            },
        });
        Self(ToolSpec {
            name: "set_mode".to_owned(),
            description:
                "Sets the permission bits of a file or directory of the project, and of nothing below it. To \
                          write a file and make it executable at once, use write_file with executable."
                    .to_owned(),
            input_schema: input::object(&["path", "mode"], properties),
            capabilities: Capabilities { idempotent: true, ..Capabilities::WRITE },
        })
    }
}

#[async_trait]
impl Tool for SetMode {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let mut problems = input::path_problems(input, &["path"]);
        problems.extend(input["mode"].as_str().and_then(|mode| bits(mode).err()));
        problems
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path, mode } = input::parse(input)?;
        let mode = bits(&mode).map_err(ToolError::failed)?;
        let (path, files) = (input_path(&path)?, context.files()?);
        let info = files.info(&path)?.ok_or_else(|| FileError::NotFound(path.clone()))?;
        if info.kind == NodeKind::Symlink {
            let target = files.read_link(&path)?;
            return Err(ToolError::failed(format!(
                "{path}: is a symbolic link to {}, and has no mode of its own: give the path of what it points to",
                String::from_utf8_lossy(&target)
            )));
        }
        files.set_mode(&path, mode)?;
        let octal = |mode: u32| format!("{mode:04o}");
        Ok(ToolOutput::new(json!({
            "path": path.to_text(), "kind": info.kind, "mode": octal(mode), "mode_before": octal(info.mode),
        })))
    }
}

/// Permission bits from octal text.
fn bits(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0o").unwrap_or(text);
    let octal = (3..=5).contains(&digits.len()) && digits.bytes().all(|digit| matches!(digit, b'0'..=b'7'));
    let mode = octal.then(|| u32::from_str_radix(digits, 8).ok()).flatten();
    match mode {
        Some(mode @ ..=0o777) => Ok(mode),
        Some(..=0o7777) => {
            Err(format!("mode: {text}: setuid, setgid and sticky cannot be set: give three digits"))
        }
        _ => Err(format!("mode: {text:?} is not octal: give a text such as \"0755\" or \"644\"")),
    }
}
