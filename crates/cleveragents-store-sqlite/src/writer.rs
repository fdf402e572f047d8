//! The one thread that writes.

use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use cleveragents_domain::{Batch, Digest, Head, JournalError, PlanId, Seq};
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::GroupFailed;
use crate::large::LargeBlobs;
use crate::{batch, blob};

/// How many requests one transaction takes at most, so that no caller waits for a crowd.
const GROUP: usize = 256;

/// What the thread is asked for.
pub(crate) enum Request {
    /// A batch of a plan.
    Commit { plan: PlanId, at: Seq, batch: Batch, reply: oneshot::Sender<Result<Head, JournalError>> },
    /// A small content.
    Keep { digest: Digest, bytes: Vec<u8>, reply: mpsc::SyncSender<Result<(), GroupFailed>> },
}

/// An answer that may be given once the transaction has ended well.
enum Pending {
    Commit(Head, oneshot::Sender<Result<Head, JournalError>>),
    Keep(mpsc::SyncSender<Result<(), GroupFailed>>),
}

impl Pending {
    // A caller that has gone away does not want its answer.
    fn accept(self) {
        match self {
            Self::Commit(head, reply) => drop(reply.send(Ok(head))),
            Self::Keep(reply) => drop(reply.send(Ok(()))),
        }
    }

    fn fail(self, error: &GroupFailed) {
        match self {
            Self::Commit(_, reply) => drop(reply.send(Err(JournalError::backend(error.clone())))),
            Self::Keep(reply) => drop(reply.send(Err(error.clone()))),
        }
    }
}

impl Request {
    fn fail(self, error: &GroupFailed) {
        match self {
            Self::Commit { reply, .. } => drop(reply.send(Err(JournalError::backend(error.clone())))),
            Self::Keep { reply, .. } => drop(reply.send(Err(error.clone()))),
        }
    }
}

/// Starts the thread. It ends, everything written, when the last sender is dropped.
pub(crate) fn start(
    connection: Connection,
    large: LargeBlobs,
) -> std::io::Result<(mpsc::Sender<Request>, JoinHandle<()>)> {
    let (sender, requests) = mpsc::channel();
    let thread = std::thread::Builder::new().name("journal-writer".to_owned()).spawn(move || {
        while let Ok(first) = requests.recv() {
            let waiting = requests.try_iter().take(GROUP - 1);
            let group: Vec<Request> = std::iter::once(first).chain(waiting).collect();
            write(&connection, &large, group);
        }
    })?;
    Ok((sender, thread))
}

fn run(connection: &Connection, sql: &str) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

/// One transaction for the whole group. A request that is refused writes nothing and does not hold up the others; a
/// write that fails fails them all.
fn write(connection: &Connection, large: &LargeBlobs, group: Vec<Request>) {
    if let Err(error) = run(connection, "BEGIN IMMEDIATE") {
        let error = GroupFailed(Arc::new(error));
        for request in group {
            request.fail(&error);
        }
        return;
    }
    let mut pending = Vec::with_capacity(group.len());
    let mut failure = None;
    for request in group {
        if let Some(error) = &failure {
            request.fail(error);
            continue;
        }
        failure = take(connection, large, request, &mut pending).err();
        // Some errors end the transaction by themselves, also ones met while reading: what was written before them is
        // gone, and what came after them would be written at once.
        if failure.is_none() && connection.is_autocommit() {
            failure = Some(GroupFailed(Arc::new(rusqlite::Error::InvalidQuery)));
        }
    }
    let ended = match failure {
        Some(error) => Err(error),
        None if pending.is_empty() => {
            // Nothing to write: every request was refused.
            let _ = run(connection, "ROLLBACK");
            Ok(())
        }
        None => run(connection, "COMMIT").map_err(|error| GroupFailed(Arc::new(error))),
    };
    match ended {
        Ok(()) => pending.into_iter().for_each(Pending::accept),
        Err(error) => {
            tracing::warn!(error = %error.0, "a transaction of the journal failed");
            if !connection.is_autocommit() {
                let _ = run(connection, "ROLLBACK");
            }
            for pending in pending {
                pending.fail(&error);
            }
        }
    }
}

/// Checks and writes one request. The error is the whole group's: something was written by halves.
fn take(
    connection: &Connection,
    large: &LargeBlobs,
    request: Request,
    pending: &mut Vec<Pending>,
) -> Result<(), GroupFailed> {
    let shared = |error| GroupFailed(Arc::new(error));
    match request {
        Request::Commit { plan, at, batch, reply } => {
            match batch::prepare(connection, large, plan, at, batch) {
                Err(refused) => drop(reply.send(Err(refused))),
                Ok(prepared) => match prepared.write(connection, &plan) {
                    Ok(()) => pending.push(Pending::Commit(prepared.head, reply)),
                    Err(error) => {
                        let error = shared(error);
                        Pending::Commit(prepared.head, reply).fail(&error);
                        return Err(error);
                    }
                },
            }
        }
        Request::Keep { digest, bytes, reply } => match blob::insert(connection, &digest, &bytes) {
            Ok(()) => pending.push(Pending::Keep(reply)),
            Err(error) => {
                let error = shared(error);
                Pending::Keep(reply).fail(&error);
                return Err(error);
            }
        },
    }
    Ok(())
}
