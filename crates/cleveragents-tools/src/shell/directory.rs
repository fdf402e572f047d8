//! Where in the project a command runs.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use cleveragents_runtime::{CommandRoot, ToolError, input_path};

/// The directory below the root, checked to lie inside it with its links followed. Empty for the root itself.
pub(crate) fn working_directory(root: &CommandRoot, cwd: Option<&str>) -> Result<PathBuf, ToolError> {
    let Some(text) = cwd.filter(|text| !matches!(*text, "" | "." | "./")) else {
        return Ok(PathBuf::new());
    };
    let path = input_path(text)?;
    let relative = PathBuf::from(OsString::from_vec(path.as_bytes().to_vec()));
    let failed = |e: std::io::Error| ToolError::failed(format!("cwd {text}: {e}"));
    let inside = root.sandbox.canonicalize().map_err(failed)?;
    let resolved = root.sandbox.join(&relative).canonicalize().map_err(failed)?;
    if !resolved.starts_with(&inside) {
        return Err(ToolError::failed(format!(
            "cwd {text}: leads out of the project through a symbolic link"
        )));
    }
    if !resolved.is_dir() {
        return Err(ToolError::failed(format!("cwd {text}: is not a directory")));
    }
    Ok(relative)
}
