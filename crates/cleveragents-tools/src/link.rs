//! Saying where a link led.

use cleveragents_runtime::domain::{NodeKind, RelPath};
use cleveragents_runtime::{FileError, Files};
use serde_json::{Map, Value};

/// Adds `path`, and `link_to` when the path is a symbolic link: the reader must see which file it really was.
pub(crate) fn resolved(
    files: &dyn Files,
    path: &RelPath,
    output: &mut Map<String, Value>,
) -> Result<(), FileError> {
    output.insert("path".to_owned(), path.to_text().into());
    if files.info(path)?.is_some_and(|info| info.kind == NodeKind::Symlink) {
        let target = files.read_link(path)?;
        output.insert("link_to".to_owned(), String::from_utf8_lossy(&target).into());
    }
    Ok(())
}

/// What stands at the end of a link: a file or a directory.
pub(crate) fn end(files: &dyn Files, path: &RelPath) -> Result<NodeKind, FileError> {
    match files.read(path, 0, 1) {
        Ok(_) => Ok(NodeKind::File),
        Err(FileError::WrongKind { found: "directory", .. }) => Ok(NodeKind::Directory),
        Err(error) => Err(error),
    }
}
