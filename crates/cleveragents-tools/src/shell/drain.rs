//! Reading a command's output, always, whatever is kept of it.

use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::output::Kept;

/// How long output is waited for after the command has ended; longer only when somebody else holds the pipe.
const DRAIN: Duration = Duration::from_millis(500);

/// Reads both pipes until they are closed, or a short time after the command is over; true when somebody still held them.
pub(crate) fn drain(
    pipes: [Option<OwnedFd>; 2],
    mut kept: [Kept; 2],
    over: &AtomicBool,
) -> ([Kept; 2], bool) {
    let mut open: Vec<(usize, OwnedFd)> =
        pipes.into_iter().enumerate().filter_map(|(n, fd)| Some((n, fd?))).collect();
    let tick = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let mut buffer = vec![0; 64 * 1024];
    let mut deadline = None;
    while !open.is_empty() {
        if deadline.is_none() && over.load(Ordering::Acquire) {
            deadline = Some(Instant::now() + DRAIN);
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return (kept, true);
        }
        let mut waiting: Vec<PollFd<'_>> =
            open.iter().map(|(_, fd)| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN)).collect();
        let ready = match poll(&mut waiting, Some(&tick)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => waiting.iter().map(|fd| !fd.revents().is_empty()).collect::<Vec<_>>(),
            Err(_) => return (kept, true),
        };
        let mut closed = Vec::new();
        for ((stream, fd), _) in open.iter().zip(ready).filter(|(_, ready)| *ready) {
            match rustix::io::read(fd, &mut buffer) {
                Ok(read) if read > 0 => kept[*stream].push(&buffer[..read]),
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                _ => closed.push(*stream),
            }
        }
        open.retain(|(stream, _)| !closed.contains(stream));
    }
    (kept, false)
}
