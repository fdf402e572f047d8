//! The state folder: where journals and sandboxes are, outside every project.

use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::{Clock, RelPath};
use serde_json::{Value, json};

use crate::beneath::{Root, sync_dir};
use crate::error::During;
use crate::lock::Lock;

/// The folder that holds the state of every project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateHome(PathBuf);

impl StateHome {
    /// A state folder at this path. It is made when it is first needed.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The usual place, from the environment's answers: `CLEVERAGENTS_HOME`, else `cleveragents` below
    /// `XDG_STATE_HOME`, else below `HOME/.local/state`. `None` when none is set to an absolute path.
    pub fn locate(own: Option<PathBuf>, xdg_state: Option<PathBuf>, home: Option<PathBuf>) -> Option<Self> {
        let absolute = |path: Option<PathBuf>| path.filter(|p| p.is_absolute());
        absolute(own)
            .or_else(|| absolute(xdg_state).map(|path| path.join("cleveragents")))
            .or_else(|| absolute(home).map(|path| path.join(".local/state/cleveragents")))
            .map(Self)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The state of the project at a canonical path: found by that path, else made under a new id of `clock`. Two
    /// processes that ask at once are given the same one.
    pub fn project(&self, canonical: &Path, clock: &dyn Clock) -> Result<ProjectState, WorkspaceError> {
        let projects = self.0.join("projects");
        make_private(&projects).during(|| format!("creating {}", projects.display()))?;
        let act = || -> io::Result<ProjectState> {
            let _lock = Lock::wait(&self.0.join("lock"))?;
            let found = std::fs::metadata(canonical)?;
            let now = json!({ "path": path_text(canonical)?, "dev": found.dev(), "ino": found.ino() });
            if let Some((root, known)) = find(&projects, &now)? {
                let replaced = known["dev"] != now["dev"] || known["ino"] != now["ino"];
                return Ok(ProjectState { root, replaced });
            }
            let root = projects.join(clock.new_id().to_string());
            make_private(&root.join("sandboxes"))?;
            // The record comes last and in one step: a folder without one belongs to nobody.
            let (record, draft) = (root.join("project.json"), root.join("project.json.new"));
            let mut file = File::create(&draft)?;
            file.write_all(&serde_json::to_vec_pretty(&now)?)?;
            file.sync_all()?;
            std::fs::rename(&draft, &record)?;
            sync_dir(Root::real(&root)?)?;
            sync_dir(Root::open(&projects)?)?;
            Ok(ProjectState { root, replaced: false })
        };
        act().during(|| format!("finding the project's state in {}", self.0.display()))
    }
}

/// Looks for the folder whose record names the same path. Not found is not there only when every record can be read:
/// another state of the same project would hide its plans.
fn find(projects: &Path, now: &Value) -> io::Result<Option<(PathBuf, Value)>> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(projects)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    names.sort();
    let mut damaged = None;
    for root in names {
        let record = root.join("project.json");
        let bytes = match std::fs::read(&record) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                continue;
            }
            Err(error) => return Err(error),
        };
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(known) if known["path"] == now["path"] => return Ok(Some((root, known))),
            Ok(known) if known["path"].is_string() => {}
            Ok(_) => damaged = damaged.or_else(|| Some((record, "it names no path".to_owned()))),
            Err(error) => damaged = damaged.or_else(|| Some((record, error.to_string()))),
        }
    }
    let Some((record, why)) = damaged else { return Ok(None) };
    let words = format!(
        "{} is damaged ({why}), so it is not known which project it is of: write the project's absolute path into it as \
         \"path\", or move its folder away",
        record.display()
    );
    Err(io::Error::new(io::ErrorKind::InvalidData, words))
}

/// An absolute path as text that can be read back to the same bytes.
fn path_text(path: &Path) -> io::Result<String> {
    let bytes = path.as_os_str().as_bytes();
    let inner = bytes.strip_prefix(b"/").unwrap_or(bytes);
    let inner = RelPath::from_bytes(inner).map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
    Ok(format!("/{}", inner.to_text()))
}

fn make_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// The state of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectState {
    root: PathBuf,
    replaced: bool,
}

impl ProjectState {
    /// Its folder; the journal lives in it too.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// True when another directory stands at the project's path than the one that was recorded.
    pub fn replaced(&self) -> bool {
        self.replaced
    }

    /// The lock that is held while the project is changed.
    pub fn lock_path(&self) -> PathBuf {
        self.root.join("apply.lock")
    }

    /// The sandbox of a plan. Its parent exists.
    pub fn sandbox_dir(&self, plan_id: &str) -> PathBuf {
        self.root.join("sandboxes").join(plan_id)
    }
}
