//! A place of one's own for each test: project, state folder, home.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{Ran, copy_tree};

/// Programs that plans of these tests use, beside the shell's own.
const TOOLS: [&str; 14] =
    ["cat", "chmod", "git", "grep", "head", "ln", "mkdir", "mv", "rm", "sed", "sh", "sleep", "tr", "wc"];

pub(crate) struct Case {
    temp: TempDir,
    pub(crate) project: PathBuf,
    pub(crate) state: PathBuf,
    pub(crate) home: PathBuf,
    path: Option<OsString>,
    variables: Vec<(OsString, OsString)>,
}

impl Case {
    /// An empty project.
    pub(crate) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let [project, state, home] = ["project", "state", "home"].map(|name| temp.path().join(name));
        fs::create_dir(&project).unwrap();
        fs::create_dir(&home).unwrap();
        Self { temp, project, state, home, path: None, variables: Vec::new() }
    }

    /// A copy of an example's project, and its plan file.
    pub(crate) fn example(name: &str) -> (Self, PathBuf) {
        let mut case = Self::new();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        case.project = case.temp.path().join(name);
        copy_tree(&example.join("project"), &case.project);
        (case, example.join("plan.yaml"))
    }

    /// A place beside the project.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// Writes a file of the project.
    pub(crate) fn file(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a plan file, beside the project.
    pub(crate) fn plan_file(&self, plan: &Value) -> PathBuf {
        let path = self.beside("plan.json");
        fs::write(&path, plan.to_string()).unwrap();
        path
    }

    /// From now on the binary finds these tests' programs and no others: no bubblewrap.
    #[must_use]
    pub(crate) fn without_bubblewrap(mut self) -> Self {
        let folder = self.beside("tools");
        fs::create_dir(&folder).unwrap();
        let everywhere = std::env::var_os("PATH").unwrap();
        for tool in TOOLS {
            let found = std::env::split_paths(&everywhere).map(|dir| dir.join(tool)).find(|f| f.is_file());
            symlink(found.unwrap_or_else(|| panic!("{tool} is not installed")), folder.join(tool)).unwrap();
        }
        self.path = Some(folder.into());
        self
    }

    /// From now on the programs of the whole machine are found again.
    pub(crate) fn with_whole_path(&mut self) {
        self.path = None;
    }

    /// From now on the binary is started with this variable.
    pub(crate) fn variable(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.variables.push((name.into(), value.as_ref().to_owned()));
    }

    /// Any program with this case's environment, in the project.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let inherited = std::env::vars_os().map(|(name, _)| name);
        for name in inherited.filter(|n| n.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.env_remove("XDG_STATE_HOME").env("HOME", &self.home).env("CLEVERAGENTS_HOME", &self.state);
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        command.envs(self.path.iter().map(|path| ("PATH", path))).envs(self.variables.iter().cloned());
        command.current_dir(&self.project).stdin(Stdio::null());
        command
    }

    /// The binary, not started.
    pub(crate) fn binary(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(assert_cmd::cargo::cargo_bin!("agents"));
        command.args(arguments);
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn agents(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.binary(arguments))
    }

    /// The same with `--format json`: the envelope, checked.
    #[track_caller]
    pub(crate) fn json(&self, exit: i32, arguments: &[&str]) -> Value {
        let all: Vec<&str> = arguments.iter().copied().chain(["--format", "json"]).collect();
        self.agents(&all).envelope(exit)
    }

    /// Runs a plan, and hands out the envelope's data.
    #[track_caller]
    pub(crate) fn run(&self, exit: i32, plan: &Value, flags: &[&str]) -> Value {
        let file = self.plan_file(plan);
        let all: Vec<&str> =
            ["run", file.to_str().unwrap()].into_iter().chain(flags.iter().copied()).collect();
        self.json(exit, &all)["data"].take()
    }

    /// Whether commands are confined here. Where the machine must confine, it is an error when it does not.
    pub(crate) fn confined(&self) -> bool {
        let tools = self.json(0, &["tool", "list"]);
        let shell = tools["data"]["tools"].as_array().unwrap().iter().find(|t| t["name"] == "shell").unwrap();
        let confined = shell["capabilities"]["unsafe"] == false;
        let required = std::env::var_os("CLEVERAGENTS_REQUIRE_CONFINED").is_some() && self.path.is_none();
        assert!(confined || !required, "commands are not confined here, and they must be");
        confined
    }

    /// The private copies that exist now.
    pub(crate) fn sandboxes(&self) -> Vec<PathBuf> {
        let list = |dir: &Path| -> Vec<PathBuf> {
            fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
        };
        list(&self.state.join("projects")).iter().flat_map(|p| list(&p.join("sandboxes"))).collect()
    }
}
