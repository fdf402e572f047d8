//! A running command: its output drained, its end waited for, its processes killed.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use cleveragents_runtime::CancellationToken;
use tokio::sync::oneshot;

use super::alive::{self, Alive};
use super::drain::drain;
use super::leader::Leader;
use super::output::Kept;

/// How long a killed command may take to be gone before its keeper is killed too.
const DYING: Duration = Duration::from_secs(2);

/// How a command came to its end.
#[derive(Debug)]
pub(crate) enum End {
    Exited,
    TimedOut,
    Cancelled,
    NotStarted(io::Error),
}

/// A command that is over: no process of its group is left.
pub(crate) struct Ended {
    pub(crate) how: End,
    pub(crate) exit_code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: Kept,
    pub(crate) stderr: Kept,
    /// Whether somebody still held the output open, so that it may not be whole.
    pub(crate) stragglers: bool,
}

/// What the thread hands over when all is done.
struct Finished {
    status: io::Result<ExitStatus>,
    streams: [Kept; 2],
    stragglers: bool,
}

/// A command that runs. When it is dropped before its end, everything is killed.
pub(crate) struct Running {
    leader: Arc<Leader>,
    finished: oneshot::Receiver<Finished>,
}

/// Starts it, in a process group of its own, holding `alive`. A thread keeps it company from start to end, because the
/// signal that ends bwrap with its parent is tied to the thread that started it.
pub(crate) fn start(
    mut command: Command,
    confined: bool,
    alive: Option<&Path>,
    kept: impl Fn() -> Kept,
) -> io::Result<Running> {
    let alive = alive.map(Alive::take).transpose()?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let leader = Arc::new(Leader::new(confined));
    let (sender, finished) = oneshot::channel();
    let streams = [kept(), kept()];
    let (started, start) = std::sync::mpsc::sync_channel(1);
    let company = Arc::clone(&leader);
    thread::Builder::new().name("command".to_owned()).spawn(move || {
        match alive::spawn(&mut command, alive) {
            Ok(child) => {
                company.started(&child);
                drop(started.send(Ok(())));
                drop(sender.send(keep_company(child, &company, streams)));
            }
            Err(error) => drop(started.send(Err(error))),
        }
    })?;
    start.recv().map_err(|_| io::Error::other("its thread ended"))??;
    Ok(Running { leader, finished })
}

fn keep_company(mut child: Child, leader: &Leader, streams: [Kept; 2]) -> Finished {
    let pipes = [child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from)];
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let drained = scope.spawn(|| drain(pipes, streams, &over));
        let status = leader.reap(&mut child);
        over.store(true, Ordering::Release);
        // It only reads and copies; were it to panic all the same, the output is lost and the call is not.
        let (streams, stragglers) = drained.join().unwrap_or_else(|_| ([Kept::new(0), Kept::new(0)], true));
        Finished { status, streams, stragglers }
    })
}

impl Running {
    /// Waits for its end, and brings it about when the time is up or the call is cancelled.
    pub(crate) async fn end(mut self, allowed: Duration, cancel: &CancellationToken) -> Ended {
        let how = tokio::select! {
            biased;
            finished = &mut self.finished => return ended(End::Exited, finished.ok()),
            () = cancel.cancelled() => End::Cancelled,
            () = tokio::time::sleep(allowed) => End::TimedOut,
        };
        self.leader.kill();
        if let Ok(finished) = tokio::time::timeout(DYING, &mut self.finished).await {
            return ended(how, finished.ok());
        }
        self.leader.kill_group();
        ended(how, (&mut self.finished).await.ok())
    }
}

impl Drop for Running {
    /// The caller has gone: kill everything, and give it a moment to be gone too.
    fn drop(&mut self) {
        if self.leader.is_gone() {
            return;
        }
        self.leader.kill();
        if !self.leader.wait_gone(DYING) {
            self.leader.kill_group();
        }
    }
}

fn ended(how: End, finished: Option<Finished>) -> Ended {
    let Some(Finished { status, streams: [stdout, stderr], stragglers }) = finished else {
        let how = End::NotStarted(io::Error::other("its thread ended"));
        return Ended {
            how,
            exit_code: None,
            signal: None,
            stdout: Kept::new(0),
            stderr: Kept::new(0),
            stragglers: true,
        };
    };
    match status {
        Ok(status) => {
            Ended { how, exit_code: status.code(), signal: status.signal(), stdout, stderr, stragglers }
        }
        Err(error) => {
            Ended { how: End::NotStarted(error), exit_code: None, signal: None, stdout, stderr, stragglers }
        }
    }
}
