//! `search`: files by their content.

mod line;
mod scan;

use async_trait::async_trait;
use cleveragents_runtime::domain::NodeKind;
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::items::answer;
use crate::pace::Stopped;
use crate::pattern::Pattern;
use crate::start::Start;
use crate::walk::Walk;
use crate::{input, link};
use line::TEXT_LIMIT;
use scan::{Scan, Stop};

/// How many matching lines come at most.
const MATCH_LIMIT: usize = 500;

/// How large a pattern may become: the time that a line takes grows with it.
const COMPILED_LIMIT: usize = 1024 * 1024;

/// How much work it is to walk past a file, in bytes looked at.
const WORK: usize = 128;

#[derive(Deserialize)]
struct Input {
    pattern: String,
    path: Option<String>,
    glob: Option<String>,
}

/// See the module.
pub(crate) struct Search(ToolSpec);

impl Search {
    pub(crate) fn new() -> Self {
        let properties = json!({
            "pattern": {
                "type": "string",
                "minLength": 1,
                "maxLength": Pattern::MAX_LENGTH,
                "description": "A regular expression (as in Rust: no look-around, no back-references), looked for in \
                                each line by itself. `(?i)` at its start ignores case; write \\ before . ( ) [ ] { } \
                                + * ? | ^ $ to mean the character."
            },
            "path": input::path("The directory or file to search; left out or `.`, it is the whole project"),
            "glob": {
                "type": "string",
                "minLength": 1,
                "maxLength": Pattern::MAX_LENGTH,
                "description": "Only files that fit it: without a / it is about the name in any directory (`*.rs`), \
                                with one about the whole path, counted from the project (`src/**/*.rs`)."
            },
        });
        Self(ToolSpec {
            name: "search".to_owned(),
            description: format!(
                "Finds lines in the files of the project that match a regular expression. Returns for each the file's \
                 path, the line's number (as read_file counts), the column of the first match in characters, and the \
                 line; of a line longer than {TEXT_LIMIT} bytes the part around the match, marked `cut`. Use it to find \
                 where something is said; use glob to find files by name. Hidden files are searched; .git, binary files \
                 and links are not. At most {MATCH_LIMIT} lines come; when `truncated` is true there are more: give a \
                 narrower pattern, path or glob."
            ),
            input_schema: input::object(&["pattern"], properties),
            capabilities: Capabilities::READ,
        })
    }
}

#[async_trait]
impl Tool for Search {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let mut problems = Start::problems(input);
        let pattern = input["pattern"].as_str().and_then(|text| compile(text).err());
        problems.extend(pattern.map(|problem| format!("pattern: {problem}")));
        let glob = input["glob"].as_str().and_then(|text| Pattern::filter(text).err());
        problems.extend(glob.map(|problem| format!("glob: {problem}")));
        problems
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let Input { pattern, path, glob } = input::parse(input)?;
        let regex = compile(&pattern).map_err(|e| ToolError::failed(format!("pattern: {e}")))?;
        let filter = glob.as_deref().map(Pattern::filter).transpose();
        let filter = filter.map_err(|e| ToolError::failed(format!("glob: {e}")))?;
        let files = context.files()?;
        let start = Start::at(&*files, path.as_deref())?;
        let mut output = Map::new();
        match start.path() {
            Some(path) => link::resolved(&*files, path, &mut output)?,
            None => drop(output.insert("path".to_owned(), ".".into())),
        }
        let beside = Value::Object(output.clone()).to_string().len();
        let mut scan = Scan::new(&*files, &regex, context, beside);
        let mut cut = false;
        let went = match &start {
            Start::File(path) if filter.as_ref().is_none_or(|filter| filter.matches(path)) => {
                scan.file(path).await
            }
            Start::File(_) => Ok(()),
            Start::Directory(directory) => {
                let mut walk = Walk::from(&*files, directory.as_ref(), usize::MAX)?;
                let went = through(&mut walk, filter.as_ref(), &mut scan).await;
                walk.notes(&mut output);
                cut = walk.cut;
                went
            }
        };
        let went = match went {
            Ok(()) | Err(Stop::Full) => Ok(()),
            Err(Stop::Stopped) => Err(Stopped),
            Err(Stop::Failed(error)) => return Err(error.into()),
        };
        let truncated = scan.matches.full() || cut || went.is_err();
        output.insert("truncated".to_owned(), truncated.into());
        scan.insert(&mut output);
        answer(output, went)
    }
}

/// Scans every file of a walk.
async fn through(walk: &mut Walk<'_>, filter: Option<&Pattern>, scan: &mut Scan<'_>) -> Result<(), Stop> {
    let enters = |directory: &_| filter.is_none_or(|filter| filter.enters(directory));
    while let Some(entry) = walk.next(enters)? {
        if entry.kind == NodeKind::File && filter.is_none_or(|filter| filter.matches(&entry.path)) {
            scan.file(&entry.path).await?;
        }
        scan.pace.after(WORK).await?;
    }
    Ok(())
}

fn compile(pattern: &str) -> Result<Regex, String> {
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(COMPILED_LIMIT).dfa_size_limit(COMPILED_LIMIT);
    builder.build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => {
            "is too large when compiled: make its repetition counts smaller, or (?-u) to think in bytes"
                .to_owned()
        }
        // It shows the place with a mark under the pattern.
        error => error.to_string(),
    })
}
