//! Finds the project and its state, and puts the adapters together.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cleveragents_application::domain::{PlanId, PlanQuery};
use cleveragents_application::runtime::{SystemClock, TargetError, ToolRunner};
use cleveragents_application::{PlanError, PlanLifecycleService, Recovery, Settings};
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_tools::{Confinement, builtin};
use cleveragents_workspace::{CopyWorkspace, DirectoryTarget, ProjectState, StateHome, check_root};

use crate::fault::{CONFLICT, EVIDENCE, FAILED, Fault, USAGE};
use crate::report::Report;

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
pub(crate) struct Lock {
    _file: File,
}

/// How long another process may write or copy the project before this one gives up.
const PATIENCE: Duration = Duration::from_mins(1);

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
        refuse_lost_journal(&state)?;
        let store = SqliteStore::open(state.root())?;
        let lifecycle = PlanLifecycleService::new(Arc::new(store), Settings::with_clock(Arc::new(clock)));
        let flag = given.map(|dir| format!(" --project {}", quoted(dir))).unwrap_or_default();
        Ok(Self { root, flag, state, lifecycle })
    }

    /// Says when another folder stands at the project's path than the one whose plans these are.
    pub(crate) fn note_replaced(&self, report: &mut Report) {
        if self.state.replaced() {
            let place = self.root.display();
            report.warn(format!("another folder stands at {place} than when its first plan was made"));
        }
    }

    /// Takes the plan for this process, or says that another one has it.
    pub(crate) fn lock(&self, plan: &PlanId) -> Result<Lock, Fault> {
        self.try_lock(plan.as_str(), File::try_lock)?.ok_or_else(|| {
            Fault::new(FAILED, "busy", format!("another process is working on plan {plan}"))
                .hint("wait for it to end, or stop it")
        })
    }

    /// Held by one process from the look at the project to the last write, so that of two plans at once the second sees
    /// what the first has done. Waits for those before it.
    pub(crate) async fn lock_project(&self) -> Result<Lock, Fault> {
        self.wait_for_project(File::try_lock).await
    }

    /// Held by any number of processes while they copy the project: nobody writes it meanwhile.
    pub(crate) async fn share_project(&self) -> Result<Lock, Fault> {
        self.wait_for_project(File::try_lock_shared).await
    }

    async fn wait_for_project(
        &self,
        try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Lock, Fault> {
        let begun = Instant::now();
        loop {
            match self.try_lock("project", &try_lock)? {
                Some(lock) => return Ok(lock),
                None if begun.elapsed() < PATIENCE => tokio::time::sleep(Duration::from_millis(20)).await,
                None => return Err(PlanError::from(TargetError::Busy).into()),
            }
        }
    }

    fn try_lock(
        &self,
        name: &str,
        try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Option<Lock>, Fault> {
        let folder = self.state.root().join("locks");
        std::fs::create_dir_all(&folder).map_err(|e| Fault::io("create", &folder, &e))?;
        let path = folder.join(name);
        let file = File::create(&path).map_err(|e| Fault::io("open", &path, &e))?;
        match try_lock(&file) {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(Fault::io("lock", &path, &e)),
        }
    }

    /// Finishes what dead processes left half-written in the project, `but` one plan, which its own command settles.
    /// The caller holds the project's lock. Says what was done.
    pub(crate) async fn settle_others(&self, but: Option<&PlanId>) -> Result<Vec<String>, Fault> {
        let mut done = Vec::new();
        for row in self.lifecycle.plans(&PlanQuery::default()).await? {
            if !row.writing || Some(&row.plan_id) == but {
                continue;
            }
            let id = row.plan_id;
            let _lock = self.lock(&id)?;
            match self.lifecycle.recover(&id, &self.target()?).await {
                Ok(Recovery::Nothing) => {
                    let message = format!("plan {id} left the project half-written");
                    let hint = format!("settle it first: agents plan rollback {id}{}", self.flag);
                    return Err(Fault::new(CONFLICT, "half_way", message).hint(hint));
                }
                Ok(_) => done
                    .push(format!("plan {id} was cut short while it wrote the project; that was finished")),
                Err(error) => {
                    let fault = Fault::from(error);
                    let message = format!("plan {id} left the project half-written: {}", fault.message);
                    let hint = format!("settle it first: agents plan rollback {id}{}", self.flag);
                    return Err(Fault { message, ..fault }.hint(hint));
                }
            }
        }
        Ok(done)
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

/// Private copies without a journal: somebody removed it, and an empty one in its place would hide every plan.
fn refuse_lost_journal(state: &ProjectState) -> Result<(), Fault> {
    let journal = state.root().join("journal.db");
    let there = std::fs::metadata(&journal).is_ok_and(|m| m.len() > 0);
    let copies = std::fs::read_dir(state.root().join("sandboxes")).is_ok_and(|mut dir| dir.next().is_some());
    if there || !copies {
        return Ok(());
    }
    let message = format!("the journal {} is missing or empty, and plans had been made", journal.display());
    Err(Fault::new(EVIDENCE, "journal", message)
        .hint("put it back from a backup, or move the folder that holds it away"))
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
