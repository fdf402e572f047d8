//! The sign that a command still lives, which outlasts this process.

use std::fs::{File, TryLockError};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

use rustix::fs::OFlags;
use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};

/// Higher than any number that a shell moves its own files to, or that a script is likely to use.
const FROM: i32 = 100;

/// One at a time, so that of two commands that start at once neither inherits the other's.
static TURN: Mutex<()> = Mutex::new(());

/// A shared lock on the file, to be inherited. The lock belongs to the open file, not to a process: it is given up when
/// the last process that inherited it is gone.
pub(crate) struct Alive(OwnedFd);

impl Alive {
    /// Takes the lock. It fails when somebody brings the private copy in order just now.
    pub(crate) fn take(path: &Path) -> io::Result<Self> {
        let nofollow = OFlags::NOFOLLOW.bits().cast_signed();
        let file = File::options().read(true).custom_flags(nofollow).open(path)?;
        file.try_lock_shared().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other("its sandbox is being restored or removed"),
            TryLockError::Error(error) => error,
        })?;
        Ok(Self(fcntl_dupfd_cloexec(file, FROM)?))
    }
}

/// Starts a command that inherits the lock. bwrap closes it in its outer process, which does nothing but wait, after
/// process 1 of the sandbox got it.
pub(crate) fn spawn(command: &mut Command, alive: Option<Alive>) -> io::Result<Child> {
    let Some(Alive(handle)) = alive else { return command.spawn() };
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    fcntl_setfd(&handle, FdFlags::empty())?;
    // Closed on return: from here on the command alone holds it.
    command.spawn()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    use cleveragents_runtime::{CancellationToken, CommandRoot};

    use super::super::confinement::Confinement;
    use super::super::output::{Kept, last_words};
    use super::super::process;
    use super::*;

    fn free(path: &Path) -> bool {
        File::open(path).unwrap().try_lock().is_ok()
    }

    /// Runs a command that is to hold the lock for half a second at least, and gives its output.
    async fn run(confinement: &Confinement, script: &str) -> Kept {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["sandbox", "project"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        let alive = at("alive");
        std::fs::write(&alive, "").unwrap();
        let root = CommandRoot { sandbox: at("sandbox"), project: at("project"), alive: Some(alive.clone()) };
        let argv = ["/bin/sh", "-c", script].map(Into::into);
        let environment = BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]);
        let command = confinement.command(&root, Path::new(""), &argv, &environment, false);
        assert!(free(&alive));
        let confined = confinement.is_confined();
        let running = process::start(command, confined, Some(&alive), || Kept::new(1000)).unwrap();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(400) {
            assert!(!free(&alive), "{script}: after {:?}", begun.elapsed());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let ended = running.end(Duration::from_secs(20), &CancellationToken::new()).await;
        assert_eq!(ended.exit_code, Some(0), "{script}");
        // Confined, nothing is left when the call ends. Otherwise what was killed takes its time.
        let begun = Instant::now();
        while !free(&alive) {
            assert!(!confined && begun.elapsed() < Duration::from_secs(10), "{script}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        ended.stdout
    }

    #[tokio::test]
    async fn a_command_holds_the_lock_as_long_as_it_lives_and_no_longer() {
        let mut ways = vec![Confinement::Unconfined { reason: "a test".to_owned() }];
        ways.extend(Some(Confinement::probe()).filter(Confinement::is_confined));
        assert!(ways.len() == 2 || std::env::var_os("CLEVERAGENTS_REQUIRE_CONFINED").is_none());
        for confinement in &ways {
            run(confinement, "sleep 0.7").await;
            run(confinement, "exec 3>/dev/null 4>&3 9>&4; sleep 0.7").await;
            run(confinement, "setsid sleep 0.7 <&- >&- 2>&- & wait").await;
        }
    }

    #[tokio::test]
    async fn the_first_process_of_a_sandbox_holds_it_too() {
        let confinement = Confinement::probe();
        if !confinement.is_confined() {
            return;
        }
        // Whatever the command itself closes.
        let script = "ls -l /proc/1/fd | grep -c alive; ls -l /proc/self/fd | grep -c alive; sleep 0.7";
        let stdout = run(&confinement, script).await;
        assert_eq!(last_words(&stdout).as_deref(), Some("1 / 1"));
    }
}
