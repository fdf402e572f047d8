//! The thread that reads.

use std::sync::mpsc;
use std::thread::JoinHandle;

use cleveragents_domain::JournalError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::Ended;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Asks the thread. It ends when this is dropped.
pub(crate) struct Reader(mpsc::Sender<Job>);

impl Reader {
    /// Starts the thread.
    pub(crate) fn start(connection: Connection) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let thread = std::thread::Builder::new().name("journal-reader".to_owned()).spawn(move || {
            for job in jobs {
                job(&connection);
            }
        })?;
        Ok((Self(sender), thread))
    }

    /// Runs `work` on the thread, and lets the async runtime go on meanwhile.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, JournalError> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| drop(reply.send(work(connection))));
        self.0.send(job).map_err(|_| JournalError::backend(Ended))?;
        answer.await.map_err(|_| JournalError::backend(Ended))?
    }

    /// Runs `work` on the thread, and blocks meanwhile.
    pub(crate) fn ask_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, Ended> {
        let (reply, answer) = mpsc::sync_channel(1);
        let job: Job = Box::new(move |connection| drop(reply.send(work(connection))));
        self.0.send(job).map_err(|_| Ended)?;
        answer.recv().map_err(|_| Ended)
    }
}
