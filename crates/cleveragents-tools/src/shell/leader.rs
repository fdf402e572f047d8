//! The process at the head of a command, and how everything below it is killed.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

/// The process, while its number is certainly its own.
pub(crate) struct Leader {
    /// Taken away before it is reaped.
    pid: Mutex<Option<Pid>>,
    gone: Condvar,
    /// Whether it is bwrap, whose only child is process 1 of the sandbox.
    confined: bool,
}

impl Leader {
    pub(crate) fn new(confined: bool) -> Self {
        Self { pid: Mutex::new(None), gone: Condvar::new(), confined }
    }

    pub(crate) fn started(&self, child: &Child) {
        *self.pid() = Pid::from_raw(child.id().cast_signed());
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.pid().is_none()
    }

    fn pid(&self) -> MutexGuard<'_, Option<Pid>> {
        self.pid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills everything. In a sandbox its process 1: the kernel then ends the others first, and bwrap, which waits for
    /// it, ends after them. Killing bwrap itself would leave them a moment more.
    pub(crate) fn kill(&self) {
        let pid = self.pid();
        let Some(pid) = *pid else { return };
        let inner = if self.confined { children(pid) } else { Vec::new() };
        for child in &inner {
            let _ = kill_process(*child, Signal::KILL);
        }
        if inner.is_empty() {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    pub(crate) fn kill_group(&self) {
        if let Some(pid) = *self.pid() {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Waits for the end, then kills what is left of the group while the leader's number still is its own.
    pub(crate) fn reap(&self, child: &mut Child) -> io::Result<ExitStatus> {
        let pid = *self.pid();
        if let Some(pid) = pid {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
        }
        self.kill_group();
        let mut pid = self.pid();
        let status = child.wait();
        *pid = None;
        self.gone.notify_all();
        status
    }

    /// Waits until it was reaped, a bounded time; false when it was not.
    pub(crate) fn wait_gone(&self, time: Duration) -> bool {
        let pid = self.pid();
        let waited = self.gone.wait_timeout_while(pid, time, |pid| pid.is_some());
        waited.map_or_else(|poisoned| poisoned.into_inner().0.is_none(), |(pid, _)| pid.is_none())
    }
}

/// The direct children, where the kernel lists them.
fn children(pid: Pid) -> Vec<Pid> {
    let pid = pid.as_raw_nonzero();
    let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|text| Pid::from_raw(text.parse().ok()?)).collect()
}
