//! Things that go on meanwhile: a file that commands wait for, a binary in the background, processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use super::{Case, Ran};

/// Waits for something that must come about.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < Duration::from_secs(30), "it did not come about: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A file outside the project that a command looks for, also a confined one: it lies outside `/tmp`.
pub(crate) struct Flag(TempDir);

impl Flag {
    pub(crate) fn new() -> Self {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let hidden = ["/tmp", "/run", "/var/run"].iter().any(|hidden| target.starts_with(hidden));
        let place = if hidden { Path::new("/var/tmp") } else { target };
        Self(tempfile::Builder::new().prefix("flag").tempdir_in(place).unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("raised")
    }

    pub(crate) fn raise(&self) {
        fs::write(self.path(), "").unwrap();
    }

    /// A command that writes the shell's process number to `file`, then waits for the flag.
    pub(crate) fn wait_command(&self, file: &str) -> String {
        format!("echo $$ > {file}; until test -e '{}'; do sleep 0.02; done", self.path().display())
    }
}

/// The binary in the background; killed when the test is over, if it still runs.
pub(crate) struct Running(Option<Child>, Instant);

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Self(Some(child), Instant::now())
    }

    /// Runs a plan, and waits until a call has written a line to `file` in the private copy: where it is there.
    pub(crate) fn until_made(case: &Case, plan: &Value, flags: &[&str], file: &str) -> (Self, PathBuf) {
        let plan = case.plan_file(plan);
        let all: Vec<&str> = ["run", plan.to_str().unwrap(), "--format", "json"]
            .into_iter()
            .chain(flags.iter().copied())
            .collect();
        let running = Self::start(case.binary(&all));
        let mut made = None;
        wait_until("the call made its file", || {
            let inner = case.sandboxes().into_iter().flat_map(|sandbox| fs::read_dir(sandbox).unwrap());
            made = inner
                .map(|entry| entry.unwrap().path().join(file))
                .find(|path| fs::read_to_string(path).is_ok_and(|text| text.ends_with('\n')));
            made.is_some()
        });
        (running, made.unwrap())
    }

    /// Sends a signal to this process alone.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(self.0.as_ref().unwrap()), signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ran {
        let output: Output = self.0.take().unwrap().wait_with_output().unwrap();
        Ran::from_output(&output, self.1.elapsed())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Processes whose command line holds this text.
pub(crate) fn processes_naming(text: &Path) -> Vec<u32> {
    let text = text.to_str().unwrap();
    let numbers =
        fs::read_dir("/proc").unwrap().filter_map(|e| e.unwrap().file_name().to_str()?.parse().ok());
    let names = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    };
    numbers.filter(names).collect()
}
