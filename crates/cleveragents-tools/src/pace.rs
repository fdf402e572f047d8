//! Going through much without holding up everybody else.

use std::time::{Duration, Instant};

use cleveragents_runtime::{CancellationToken, ToolContext};

/// After how long others get their turn.
const SLICE: Duration = Duration::from_millis(10);

/// How much is done between two looks at the clock.
const UNNOTICED: usize = 4096;

/// The call must stop.
#[derive(Clone, Copy)]
pub(crate) struct Stopped;

/// Lets others run, such as the timer that ends the call, and hears when the call must stop.
pub(crate) struct Pace<'a> {
    cancel: &'a CancellationToken,
    since: Instant,
    done: usize,
}

impl<'a> Pace<'a> {
    pub(crate) fn of(context: &'a ToolContext) -> Self {
        Self { cancel: context.cancel(), since: Instant::now(), done: 0 }
    }

    /// Says that `work` was done: about as many bytes looked at.
    pub(crate) async fn after(&mut self, work: usize) -> Result<(), Stopped> {
        self.done += work;
        if self.done < UNNOTICED {
            return Ok(());
        }
        self.done = 0;
        if self.since.elapsed() >= SLICE {
            tokio::task::yield_now().await;
            self.since = Instant::now();
        }
        if self.cancel.is_cancelled() { Err(Stopped) } else { Ok(()) }
    }
}
