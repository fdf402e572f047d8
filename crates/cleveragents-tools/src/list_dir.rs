//! `list_dir`: what a directory holds.

use async_trait::async_trait;
use cleveragents_runtime::domain::NodeKind;
use cleveragents_runtime::{
    Capabilities, DirEntry, FileError, Files, Tool, ToolContext, ToolError, ToolOutput, ToolSpec,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::items::{Items, answer};
use crate::pace::{Pace, Stopped};
use crate::start::Start;
use crate::walk::Walk;
use crate::{input, link};

/// How many entries come at most.
const ENTRY_LIMIT: usize = 1000;

/// How deep it looks at most.
const DEPTH_LIMIT: usize = 32;

/// How much work an entry is, in bytes looked at.
const WORK: usize = 128;

#[derive(Deserialize)]
struct Input {
    path: Option<String>,
    depth: Option<usize>,
}

/// See the module.
pub(crate) struct ListDir(ToolSpec);

impl ListDir {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "path": input::path("The directory to list; left out or `.`, it is the project itself"),
            "depth": {
                "type": "integer",
                "minimum": 1,
                "maximum": DEPTH_LIMIT,
                "description": "How many levels to list. Default 1: the directory's own names."
            },
        });
        Self(ToolSpec {
            name: "list_dir".to_owned(),
            description: format!(
                "Lists a directory of the project with the kind of each entry: file, directory, symlink (with where it \
                 points; links are not gone through) or special. Hidden files are listed, .git is not. Use it to look \
                 around; use glob to find files by name and search to find them by content. At most {ENTRY_LIMIT} \
                 entries come; when `truncated` is true, `total` says how many there are: list a directory further down."
            ),
            input_schema: input::object(&[], properties),
            capabilities: Capabilities::READ,
        })
    }
}

#[async_trait]
impl Tool for ListDir {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        Start::problems(input)
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { path, depth } = input::parse(input)?;
        let files = context.files()?;
        let start = match Start::at(&*files, path.as_deref())? {
            Start::Directory(path) => path,
            Start::File(path) => {
                return Err(FileError::WrongKind { path, found: "file", needed: "directory" }.into());
            }
        };
        let mut output = Map::new();
        match &start {
            Some(path) => link::resolved(&*files, path, &mut output)?,
            None => drop(output.insert("path".to_owned(), ".".into())),
        }
        let beside = Value::Object(output.clone()).to_string().len();
        let (mut items, mut pace) = (Items::new(ENTRY_LIMIT, context, beside), Pace::of(context));
        let mut walk = Walk::from(&*files, start.as_ref(), depth.unwrap_or(1).min(DEPTH_LIMIT))?;
        let (mut total, mut went) = (0u64, Ok(()));
        while let Some(entry) = walk.next(|_| true)? {
            total += 1;
            items.push(|| shown(&*files, &entry));
            if let Err(Stopped) = pace.after(WORK).await {
                went = Err(Stopped);
                break;
            }
        }
        let truncated = items.full() || walk.cut || went.is_err();
        items.insert("entries", &mut output);
        output.insert("total".to_owned(), total.into());
        output.insert("truncated".to_owned(), truncated.into());
        walk.notes(&mut output);
        answer(output, went)
    }
}

fn shown(files: &dyn Files, entry: &DirEntry) -> Value {
    let mut item = json!({ "path": entry.path.to_text(), "kind": entry.kind });
    if entry.kind == NodeKind::Symlink
        && let Ok(target) = files.read_link(&entry.path)
    {
        item["link_to"] = String::from_utf8_lossy(&target).into();
    }
    item
}
