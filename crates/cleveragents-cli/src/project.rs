//! Finds the project and its state, and puts the adapters together.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cleveragents_application::domain::PlanId;
use cleveragents_application::runtime::{SystemClock, TargetError, ToolRunner};
use cleveragents_application::{PlanError, PlanLifecycleService, Settings};
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_tools::{Confinement, builtin};
use cleveragents_workspace::{CopyWorkspace, DirectoryTarget, ProjectState, StateHome, check_root};

use crate::fault::{FAILED, Fault, USAGE};

/// A project with its journal.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    /// What a suggested command needs to find this project again: ` --project DIR`, or nothing.
    pub(crate) flag: String,
    pub(crate) state: ProjectState,
    pub(crate) lifecycle: PlanLifecycleService,
}

/// Held while this process works on a plan or on the project; the system lets go of it when the process ends, however
/// it ends.
pub(crate) struct PlanLock(#[allow(dead_code)] File);

impl Project {
    /// Finds the project, refuses what must not be one, and opens its journal.
    pub(crate) fn open(given: Option<&Path>) -> Result<Self, Fault> {
        let root = locate(given)?;
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        if let Some(own) = variable("CLEVERAGENTS_HOME").filter(|path| path.is_relative()) {
            let message = format!("CLEVERAGENTS_HOME is {}: it must be an absolute path", own.display());
            return Err(Fault::new(USAGE, "state", message));
        }
        let home = StateHome::locate(variable("CLEVERAGENTS_HOME"), variable("XDG_STATE_HOME"), variable("HOME"))
            .ok_or_else(|| {
                Fault::new(USAGE, "state", "there is no place for state: CLEVERAGENTS_HOME, XDG_STATE_HOME and HOME are not set to absolute paths")
                    .hint("set CLEVERAGENTS_HOME to a folder outside the project")
            })?;
        let root = check_root(&root, variable("HOME").as_deref(), home.path())?;
        let clock = SystemClock::default();
        let state = home.project(&root, &clock)?;
        let store = SqliteStore::open(state.root())?;
        let lifecycle = PlanLifecycleService::new(Arc::new(store), Settings::with_clock(Arc::new(clock)));
        let flag = given.map(|dir| format!(" --project {}", quoted(dir))).unwrap_or_default();
        Ok(Self { root, flag, state, lifecycle })
    }

    /// Takes the plan for this process, or says that another one has it.
    pub(crate) fn lock(&self, plan: &PlanId) -> Result<PlanLock, Fault> {
        self.try_lock(plan.as_str())?.ok_or_else(|| {
            Fault::new(FAILED, "busy", format!("another process is working on plan {plan}"))
                .hint("wait for it to end, or stop it")
        })
    }

    /// Held from the look at the project to the last write, so that of two plans at once the second sees what the
    /// first has done. The target's own lock covers the writes alone.
    pub(crate) fn lock_project(&self) -> Result<PlanLock, Fault> {
        match self.try_lock("project")? {
            Some(lock) => Ok(lock),
            None => Err(PlanError::from(TargetError::Busy).into()),
        }
    }

    fn try_lock(&self, name: &str) -> Result<Option<PlanLock>, Fault> {
        let folder = self.state.root().join("locks");
        std::fs::create_dir_all(&folder).map_err(|e| Fault::io("create", &folder, &e))?;
        let path = folder.join(name);
        let file = File::create(&path).map_err(|e| Fault::io("open", &path, &e))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(PlanLock(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(Fault::io("lock", &path, &e)),
        }
    }

    pub(crate) fn target(&self) -> Result<DirectoryTarget, Fault> {
        DirectoryTarget::open(&self.root, &self.state.lock_path()).map_err(|e| PlanError::from(e).into())
    }

    /// A new private copy for a plan.
    pub(crate) async fn sandbox(&self, plan: &PlanId) -> Result<CopyWorkspace, Fault> {
        let (root, folder) = (self.root.clone(), self.state.sandbox_dir(plan.as_str()));
        blocking(move || CopyWorkspace::open(&root, &folder)).await
    }

    /// The private copy that an earlier process made for a plan.
    pub(crate) async fn reopened_sandbox(&self, plan: &PlanId) -> Result<CopyWorkspace, Fault> {
        let (root, folder) = (self.root.clone(), self.state.sandbox_dir(plan.as_str()));
        blocking(move || CopyWorkspace::reopen(&root, &folder)).await
    }

    /// Whether a plan has a private copy.
    pub(crate) fn has_sandbox(&self, plan: &PlanId) -> bool {
        self.state.sandbox_dir(plan.as_str()).is_dir()
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, cleveragents_application::runtime::WorkspaceError> + Send + 'static,
) -> Result<T, Fault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => Ok(result?),
        Err(error) => {
            Err(Fault::new(FAILED, "workspace", format!("the sandbox could not be opened: {error}")))
        }
    }
}

/// `--project`, else the nearest folder above with a `cleveragents.toml`, else the current folder.
fn locate(given: Option<&Path>) -> Result<PathBuf, Fault> {
    if let Some(given) = given {
        if !given.is_dir() {
            return Err(Fault::new(
                USAGE,
                "project",
                format!("--project {}: no such folder", given.display()),
            ));
        }
        return Ok(given.to_owned());
    }
    let here = std::env::current_dir().map_err(|e| Fault::io("find", Path::new("the current folder"), &e))?;
    let marked = here.ancestors().find(|folder| folder.join("cleveragents.toml").is_file());
    Ok(marked.unwrap_or(&here).to_owned())
}

/// The built-in tools behind the one gate.
pub(crate) fn runner() -> Result<Arc<ToolRunner>, Fault> {
    Ok(Arc::new(ToolRunner::new(builtin(Confinement::probe())?)))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
