//! Which directories may be a project.

use std::path::{Path, PathBuf};

use cleveragents_runtime::WorkspaceError;

/// The canonical path of a project's root, or why it may not be one.
///
/// Refused: what is missing or no directory, the file system's root, `home`, a directory that holds the state folder
/// or lies inside it. `state_home` need not exist yet.
pub fn check_root(project: &Path, home: Option<&Path>, state_home: &Path) -> Result<PathBuf, WorkspaceError> {
    let refused = |why: &str| Err(WorkspaceError::Refused(format!("{}: {why}", project.display())));
    let root = match project.canonicalize() {
        Ok(root) => root,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return refused("there is no such directory");
        }
        Err(source) => {
            return Err(WorkspaceError::Io { what: format!("finding {}", project.display()), source });
        }
    };
    if !root.is_dir() {
        return refused("is not a directory");
    }
    if root.parent().is_none() {
        return refused("the root of the file system cannot be a project: name the project's directory");
    }
    if home.is_some_and(|home| canonical_or_near(home) == root) {
        return refused("the home directory cannot be a project: name the project's directory");
    }
    let state = canonical_or_near(state_home);
    if state.starts_with(&root) {
        return refused("holds the state folder: set CLEVERAGENTS_HOME to a directory outside the project");
    }
    if root.starts_with(&state) {
        return refused("lies inside the state folder: a project must be elsewhere");
    }
    Ok(root)
}

/// The canonical path of what exists of a path, with the rest appended.
fn canonical_or_near(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in absolute.ancestors() {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), absolute.strip_prefix(above)) {
            return real.join(rest);
        }
    }
    absolute
}
