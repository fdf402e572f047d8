//! How commands are confined, found out by trying.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use cleveragents_runtime::CommandRoot;

/// How long the trial may take.
const PROBE_TIME: Duration = Duration::from_secs(10);

/// Process 1 is a shell that waits for the command. When process 1 ends, the kernel ends every other process of the
/// namespace before bwrap can learn of it: nothing lives on, not for a moment. The command itself may not be process 1,
/// which ignores signals; it is started by `exec`, so that it is never one of the shell's own; and what the shell has to
/// say about a signal is not part of the output.
const PROCESS_1: &str = "exec 3>&2 2>/dev/null; (exec \"$@\" 2>&3 3>&-); exit $?";

/// How commands run on this machine.
///
/// A confined command has namespaces of its own for processes, mounts, IPC, host name and (unless it was granted the
/// network) network. It sees the whole file system read-only, the private copy at the project's usual path, and an
/// empty `/tmp`; `/run` is hidden. It has no capabilities, also not as root. When it ends, every process it started is
/// gone. It can still read whatever its user can read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confinement {
    /// By bubblewrap.
    Confined {
        /// The program.
        bwrap: PathBuf,
    },
    /// Not at all: the command runs in the private copy's directory, as the user, with the network.
    Unconfined {
        /// Why.
        reason: String,
    },
}

impl Confinement {
    /// Looks for bubblewrap in `PATH` and runs it once, with the flags that commands get later: being installed is not
    /// being allowed. Blocking.
    pub fn probe() -> Self {
        Self::probe_in(std::env::var_os("PATH").as_deref())
    }

    /// The same with another search path.
    pub fn probe_in(search_path: Option<&OsStr>) -> Self {
        let Some(bwrap) = search_path.and_then(find) else {
            return Self::Unconfined { reason: "bubblewrap (bwrap) is not installed".to_owned() };
        };
        let confined = Self::Confined { bwrap };
        let root = CommandRoot { sandbox: "/tmp".into(), project: "/tmp/probe".into(), alive: None };
        let mut command = confined.command(
            &root,
            Path::new(""),
            &["true".into()],
            &super::environment::environment(&root.project, BTreeMap::new()),
            false,
        );
        match try_out(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped())) {
            Ok(()) => confined,
            Err(why) => Self::Unconfined { reason: format!("bubblewrap does not work here: {why}") },
        }
    }

    /// True when commands are confined.
    pub fn is_confined(&self) -> bool {
        matches!(self, Self::Confined { .. })
    }

    /// `confined` or `unconfined`.
    pub fn as_str(&self) -> &'static str {
        if self.is_confined() { "confined" } else { "unconfined" }
    }

    /// The path at which a command sees the private copy.
    pub(crate) fn root<'a>(&self, root: &'a CommandRoot) -> &'a Path {
        if self.is_confined() { &root.project } else { &root.sandbox }
    }

    /// The process to start; its streams are the caller's to set.
    pub(crate) fn command(
        &self,
        root: &CommandRoot,
        cwd: &Path,
        argv: &[OsString],
        environment: &BTreeMap<OsString, OsString>,
        network: bool,
    ) -> Command {
        match self {
            Self::Confined { bwrap } => bubblewrap(bwrap, root, cwd, argv, environment, network),
            Self::Unconfined { .. } => {
                let (program, arguments) =
                    argv.split_first().map_or((OsStr::new(""), argv), |(p, a)| (p.as_os_str(), a));
                let mut command = Command::new(program);
                command.args(arguments).current_dir(below(&root.sandbox, cwd)).env_clear().envs(environment);
                command
            }
        }
    }
}

fn bubblewrap(
    bwrap: &Path,
    root: &CommandRoot,
    cwd: &Path,
    argv: &[OsString],
    environment: &BTreeMap<OsString, OsString>,
    network: bool,
) -> Command {
    let mut command = Command::new(bwrap);
    // What the call wants in its environment must not reach bwrap itself, which runs outside: think of LD_PRELOAD. It
    // starts with nothing and hands on what `--setenv` says.
    command.env_clear().current_dir("/");
    command.args(["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]);
    if !network {
        command.arg("--unshare-net");
    }
    // As root a read-only file system can be made writable again by whoever keeps the capabilities.
    command.args(["--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
    command.args(["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]);
    // Sockets of services stay reachable on a read-only file system.
    for hidden in ["/run", "/var/run"] {
        if fs::symlink_metadata(hidden).is_ok_and(|metadata| metadata.is_dir()) {
            command.args(["--tmpfs", hidden]);
        }
    }
    // After /tmp, because the project may lie there.
    command.arg("--bind").arg(&root.sandbox).arg(&root.project);
    command.arg("--chdir").arg(below(&root.project, cwd));
    for (name, value) in environment {
        command.arg("--setenv").arg(name).arg(value);
    }
    command.args(["--as-pid-1", "--", "/bin/sh", "-c", PROCESS_1, "sh"]).args(argv);
    command
}

/// Without the slash at the end that joining nothing would leave: the command sees it in `PWD`.
fn below(root: &Path, cwd: &Path) -> PathBuf {
    if cwd.as_os_str().is_empty() { root.to_owned() } else { root.join(cwd) }
}

/// The first executable file of that name on the path; names that are not absolute are passed over.
fn find(search_path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search_path).filter(|dir| dir.is_absolute()).map(|dir| dir.join("bwrap")).find(
        |file| {
            fs::metadata(file)
                .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
        },
    )
}

fn try_out(command: &mut Command) -> Result<(), String> {
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < PROBE_TIME => sleep(Duration::from_millis(1)),
            other => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(other.err().map_or_else(|| "it does not end".to_owned(), |e| e.to_string()));
            }
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut words = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let _ = std::io::Read::read_to_string(&mut stderr, &mut words);
    }
    Err(words.lines().last().map_or_else(|| status.to_string(), str::to_owned))
}
