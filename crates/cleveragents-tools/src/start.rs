//! Where a look around begins.

use cleveragents_runtime::domain::{NodeKind, RelPath};
use cleveragents_runtime::{FileError, Files, ToolError, input_path};
use serde_json::Value;

use crate::{input, link};

/// What a path leads to, a link at its end followed.
pub(crate) enum Start {
    /// A directory; `None` is the project itself.
    Directory(Option<RelPath>),
    /// A file.
    File(RelPath),
}

impl Start {
    /// What is wrong with the `path` of an input.
    pub(crate) fn problems(input: &Value) -> Vec<String> {
        match input["path"].as_str() {
            Some(text) if !is_root(text) => input::path_problems(input, &["path"]),
            _ => Vec::new(),
        }
    }

    /// Without a path, and at `.`, it is the project itself.
    pub(crate) fn at(files: &dyn Files, text: Option<&str>) -> Result<Self, ToolError> {
        let Some(text) = text.filter(|text| !is_root(text)) else { return Ok(Self::Directory(None)) };
        let path = input_path(text)?;
        if path.components().any(is_hidden) {
            return Err(ToolError::failed(format!("{path}: what is inside .git is not shown")));
        }
        let info = files.info(&path)?.ok_or_else(|| FileError::NotFound(path.clone()))?;
        let kind = if info.kind == NodeKind::Symlink { link::end(files, &path)? } else { info.kind };
        match kind {
            NodeKind::Directory => Ok(Self::Directory(Some(path))),
            NodeKind::File => Ok(Self::File(path)),
            _ => Err(ToolError::failed(format!("{path}: is neither a file nor a directory"))),
        }
    }

    /// The path as it is shown.
    pub(crate) fn path(&self) -> Option<&RelPath> {
        match self {
            Self::Directory(path) => path.as_ref(),
            Self::File(path) => Some(path),
        }
    }
}

/// Whether a text is the project itself: `.`, `./` and the like.
fn is_root(text: &str) -> bool {
    !text.starts_with('/') && text.split('/').all(|name| matches!(name, "" | "."))
}

/// Whether a name is `.git`, in any spelling of case.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b".git")
}
