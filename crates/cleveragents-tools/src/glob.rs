//! `glob`: files by their names.

use async_trait::async_trait;
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::input;
use crate::items::{Items, answer};
use crate::pace::{Pace, Stopped};
use crate::pattern::Pattern;
use crate::walk::Walk;

/// How many paths come at most.
const MATCH_LIMIT: usize = 1000;

/// How much work a path is, in bytes looked at.
const WORK: usize = 128;

#[derive(Deserialize)]
struct Input {
    pattern: String,
}

/// See the module.
pub(crate) struct Glob(ToolSpec);

impl Glob {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "pattern": {
                "type": "string",
                "minLength": 1,
                "maxLength": Pattern::MAX_LENGTH,
                "description": "What the whole path, counted from the project, must look like. `*` and `?` stand for \
                                anything within a name, `**` for any directories, [ab] and [!ab] for one character, \
                                {a,b} for either: `src/**/*.rs`, `**/*.{yml,yaml}`, `Cargo.toml`."
            },
        });
        Self(ToolSpec {
            name: "glob".to_owned(),
            description: format!(
                "Finds files, directories and links of the project whose path fits a pattern. Use it when you know \
                 something of the name: `**/name` finds it in any directory, `name` only at the top. Two files of one \
                 name are told apart by their paths. Hidden files are found, .git is not; links are not gone through. \
                 Case counts. A byte that is not UTF-8 is matched by `?`. At most {MATCH_LIMIT} paths come, in the order \
                 of the tree; when `truncated` is true, give a narrower pattern."
            ),
            input_schema: input::object(&["pattern"], properties),
            capabilities: Capabilities::READ,
        })
    }
}

#[async_trait]
impl Tool for Glob {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let pattern = input["pattern"].as_str().and_then(|text| Pattern::path(text).err());
        pattern.into_iter().map(|problem| format!("pattern: {problem}")).collect()
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { pattern } = input::parse(input)?;
        let pattern = Pattern::path(&pattern).map_err(|e| ToolError::failed(format!("pattern: {e}")))?;
        let files = context.files()?;
        let (mut items, mut pace) = (Items::new(MATCH_LIMIT, context, 0), Pace::of(context));
        let mut walk = Walk::from(&*files, None, pattern.depth())?;
        let (mut total, mut went) = (0u64, Ok(()));
        while let Some(entry) = walk.next(|directory| pattern.enters(directory))? {
            if pattern.matches(&entry.path) {
                total += 1;
                items.push(|| json!({ "path": entry.path.to_text(), "kind": entry.kind }));
            }
            if let Err(Stopped) = pace.after(WORK).await {
                went = Err(Stopped);
                break;
            }
        }
        let mut output = Map::new();
        let truncated = items.full() || walk.cut || went.is_err();
        items.insert("matches", &mut output);
        output.insert("total".to_owned(), total.into());
        output.insert("truncated".to_owned(), truncated.into());
        walk.notes(&mut output);
        answer(output, went)
    }
}
