//! Writing what was worked out; a failure on the way is taken back.

use cleveragents_runtime::{FileError, Files, ToolError, WriteMode};

use super::draft::{Node, Outcome};

/// Removals first, so that a file can make way for a directory; then all that is to stand.
pub(super) fn write(files: &dyn Files, outcomes: Vec<Outcome>) -> Result<(), ToolError> {
    let (gone, stays): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|o| o.after.is_none());
    let mut done: Vec<&Outcome> = Vec::new();
    for outcome in gone.iter().rev().chain(&stays) {
        done.push(outcome);
        if let Err(error) = put(files, outcome.before.as_ref(), outcome.after.as_ref(), outcome) {
            return Err(taken_back(files, &done, &error));
        }
    }
    Ok(())
}

/// Brings one path from one node to another.
fn put(files: &dyn Files, from: Option<&Node>, to: Option<&Node>, at: &Outcome) -> Result<(), FileError> {
    let path = &at.path;
    match (from, to) {
        (_, None) => files.remove(path, false),
        (_, Some(Node::Linked { content })) => files.write(path, content, None, WriteMode::CreateOrReplace),
        (Some(Node::File { .. }) | None, Some(Node::File { content, mode })) => {
            files.write(path, content, Some(*mode), WriteMode::CreateOrReplace)
        }
        (_, Some(Node::File { content, mode })) => {
            files.remove(path, false)?;
            files.write(path, content, Some(*mode), WriteMode::CreateNew)
        }
        (from, Some(Node::Symlink { target })) => {
            if from.is_some() {
                files.remove(path, false)?;
            }
            files.create_symlink(path, target)
        }
    }
}

fn taken_back(files: &dyn Files, done: &[&Outcome], error: &FileError) -> ToolError {
    for outcome in done.iter().rev() {
        // The path may be in either state, or, for the last one, gone.
        let stands = files.info(&outcome.path).ok().flatten().is_some();
        let now = if stands { outcome.after.as_ref().or(outcome.before.as_ref()) } else { None };
        if (stands || outcome.before.is_some())
            && let Err(second) = put(files, now, outcome.before.as_ref(), outcome)
        {
            return ToolError::failed(format!("{error}; and it could not be taken back whole: {second}"));
        }
    }
    ToolError::failed(format!("{error}; nothing was changed"))
}
