//! `apply_patch`: a whole patch, over any number of files, all of it or nothing.

mod draft;
mod write;

use async_trait::async_trait;
use cleveragents_runtime::diff::{FilePatch, Operation, Patch};
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::input;
use draft::Draft;

#[derive(Deserialize)]
struct Input {
    patch: String,
}

/// See the module.
pub(crate) struct ApplyPatch(ToolSpec);

impl ApplyPatch {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "patch": {
                "type": "string",
                "minLength": 1,
                "description": "A unified diff (git's extended headers are understood), or *** Begin Patch … *** End Patch \
                                with *** Add File:, *** Update File:, *** Delete File: and *** Move to: lines."
            },
        });
        Self(ToolSpec {
            name: "apply_patch".to_owned(),
            description: "Applies a patch to files of the project: all of it, or nothing and an error that names file \
                          and hunk. A hunk goes where its lines stand, never by line number alone; if they stand in \
                          several places, it is the one that the header's number names, and without a number an error. A file that is to be added, or the place one is to be moved \
                          to, must be free. Every byte that the patch does not change is kept."
                .to_owned(),
            input_schema: input::object(&["patch"], properties),
            capabilities: Capabilities::WRITE,
        })
    }
}

#[async_trait]
impl Tool for ApplyPatch {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let patch = input.get("patch").and_then(Value::as_str).unwrap_or_default();
        Patch::parse(patch.as_bytes()).err().map(|e| format!("patch: {e}")).into_iter().collect()
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { patch } = input::parse(input)?;
        let patch =
            Patch::parse(patch.as_bytes()).map_err(|e| ToolError::failed(format!("the patch: {e}")))?;
        if let Some(line) = cut_off(&patch) {
            let words = format!(
                "the patch ends inside the hunk at its line {line}: send it whole; nothing was changed"
            );
            return Err(ToolError::failed(words));
        }
        let files = context.files()?;
        // Everything is worked out before anything is written.
        let mut draft = Draft::new(&*files, patch.files.len());
        for file in &patch.files {
            draft.take(file)?;
        }
        write::write(&*files, draft.finish())?;
        let told: Vec<Value> = patch.files.iter().map(tell).collect();
        Ok(ToolOutput::new(json!({ "files": told })))
    }
}

/// The line of a last hunk that has fewer lines than its header says: the patch was cut off on its way.
fn cut_off(patch: &Patch<'_>) -> Option<u32> {
    let hunk = patch.files.last()?.hunks.last()?;
    let miscount = hunk.miscount()?;
    let (stated, found) = (miscount.stated, miscount.found);
    (found.0 < stated.0 || found.1 < stated.1).then_some(hunk.line)
}

fn tell(file: &FilePatch<'_>) -> Value {
    let name = |path: Option<&[u8]>| path.map(|p| String::from_utf8_lossy(p).into_owned());
    let counts = file.counts();
    let operation = match file.operation {
        Operation::Create => "create",
        Operation::Delete => "delete",
        Operation::Modify => "modify",
        Operation::Rename => "rename",
        Operation::Copy => "copy",
    };
    let mut told = Map::new();
    told.insert("path".to_owned(), json!(name(Some(file.path()))));
    told.insert("operation".to_owned(), operation.into());
    if matches!(file.operation, Operation::Rename | Operation::Copy) {
        told.insert("from".to_owned(), json!(name(file.old_path.as_deref())));
    }
    told.insert("lines_added".to_owned(), counts.added.into());
    told.insert("lines_removed".to_owned(), counts.removed.into());
    let miscounts = file.hunks.iter().filter(|hunk| hunk.miscount().is_some()).count();
    if miscounts > 0 {
        let words = format!("{miscounts} hunk header(s) counted wrongly; the lines decided");
        told.insert("note".to_owned(), words.into());
    }
    Value::Object(told)
}
