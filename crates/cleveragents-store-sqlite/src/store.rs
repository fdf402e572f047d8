//! The store: both ports over one directory.

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;

use async_trait::async_trait;
use cleveragents_domain::{
    Batch, BlobError, Blobs, Digest, Head, Journal, JournalError, MAX_SMALL_BLOB, PlanId, PlanQuery, PlanRow,
    Record, Seq,
};
use tokio::sync::oneshot;

use crate::error::{self, Ended};
use crate::large::{self, LargeBlobs};
use crate::reader::Reader;
use crate::writer::{self, Request};
use crate::{blob, database, log, plans};

/// The journal and the contents of one directory. Durable: what was acknowledged survives the process and the machine.
///
/// Dropping it writes what was asked for before, closes the file and waits for that.
pub struct SqliteStore {
    dir: PathBuf,
    large: LargeBlobs,
    writer: Option<mpsc::Sender<Request>>,
    reader: Option<Reader>,
    reading: Option<JoinHandle<()>>,
    writing: Option<JoinHandle<()>>,
}

impl SqliteStore {
    /// Opens the store in `dir`, and makes it when there is none. Blocking.
    ///
    /// A store of a newer version is [`JournalError::Newer`]; a file that is no store, or a damaged one, is
    /// [`JournalError::Unusable`]. Both are left as they are.
    pub fn open(dir: &Path) -> Result<Self, JournalError> {
        large::make_dir(dir).map_err(|e| error::file(dir, e))?;
        let path = dir.join("journal.db");
        let writing = database::open_writer(&path)?;
        let reading = database::open_reader(&path)?;
        let large = LargeBlobs::open(dir.join("blobs")).map_err(|e| error::file(&dir.join("blobs"), e))?;
        let (reader, reading) = Reader::start(reading).map_err(JournalError::backend)?;
        let (writer, writing) = writer::start(writing, large.clone()).map_err(JournalError::backend)?;
        Ok(Self {
            dir: dir.to_owned(),
            large,
            writer: Some(writer),
            reader: Some(reader),
            reading: Some(reading),
            writing: Some(writing),
        })
    }

    fn reader(&self) -> Result<&Reader, Ended> {
        self.reader.as_ref().ok_or(Ended)
    }

    fn send(&self, request: Request) -> Result<(), Ended> {
        self.writer.as_ref().ok_or(Ended)?.send(request).map_err(|_| Ended)
    }

    fn keep(&self, bytes: Vec<u8>) -> Result<(Digest, u64), BlobError> {
        let (digest, size) = (Digest::of(&bytes), bytes.len() as u64);
        let (reply, answer) = mpsc::sync_channel(1);
        self.send(Request::Keep { digest, bytes, reply }).map_err(backend)?;
        answer.recv().map_err(|_| backend(Ended))?.map_err(backend)?;
        Ok((digest, size))
    }
}

fn backend(error: impl std::error::Error + Send + Sync + 'static) -> BlobError {
    BlobError::Backend(Box::new(error))
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        // The reader ends first: only the last connection tidies the write-ahead log, and only a writer can.
        self.reader = None;
        self.join(|store| store.reading.take());
        self.writer = None;
        self.join(|store| store.writing.take());
    }
}

impl SqliteStore {
    fn join(&mut self, thread: impl FnOnce(&mut Self) -> Option<JoinHandle<()>>) {
        if thread(self).is_some_and(|thread| thread.join().is_err()) {
            tracing::error!(dir = %self.dir.display(), "a thread of the journal panicked");
        }
    }
}

#[async_trait]
impl Journal for SqliteStore {
    async fn commit(&self, plan_id: &PlanId, at: Seq, batch: Batch) -> Result<Head, JournalError> {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Commit { plan: *plan_id, at, batch, reply }).map_err(JournalError::backend)?;
        answer.await.map_err(|_| JournalError::backend(Ended))?
    }

    async fn head(&self, plan_id: &PlanId) -> Result<Option<Head>, JournalError> {
        let plan = *plan_id;
        self.reader()
            .map_err(JournalError::backend)?
            .ask(move |connection| log::head(connection, &plan))
            .await
    }

    async fn read(&self, plan_id: &PlanId, from: Seq, max: usize) -> Result<Vec<Record>, JournalError> {
        let plan = *plan_id;
        let reader = self.reader().map_err(JournalError::backend)?;
        reader.ask(move |connection| log::read(connection, &plan, from, max)).await
    }

    async fn plans(&self, query: &PlanQuery) -> Result<Vec<PlanRow>, JournalError> {
        let query = query.clone();
        let reader = self.reader().map_err(JournalError::backend)?;
        reader.ask(move |connection| plans::list(connection, &query)).await
    }
}

impl Blobs for SqliteStore {
    fn put(&self, content: &mut dyn Read) -> Result<(Digest, u64), BlobError> {
        let mut begun = Vec::new();
        content.take(MAX_SMALL_BLOB as u64 + 1).read_to_end(&mut begun)?;
        if begun.len() <= MAX_SMALL_BLOB { self.keep(begun) } else { Ok(self.large.put(&begun, content)?) }
    }

    fn open(&self, digest: &Digest) -> Result<Box<dyn Read + Send>, BlobError> {
        let wanted = *digest;
        let found =
            self.reader().map_err(backend)?.ask_blocking(move |connection| blob::read(connection, &wanted));
        match found.map_err(backend)?.map_err(error::blob)? {
            Some(bytes) if Digest::of(&bytes) == *digest => Ok(Box::new(Cursor::new(bytes))),
            Some(_) => Err(BlobError::Corrupt(*digest)),
            None => self.large.reader(digest),
        }
    }

    fn contains(&self, digest: &Digest) -> Result<bool, BlobError> {
        if self.large.contains(digest) {
            return Ok(true);
        }
        let wanted = *digest;
        let found = self
            .reader()
            .map_err(backend)?
            .ask_blocking(move |connection| blob::in_table(connection, &wanted));
        found.map_err(backend)?.map_err(error::blob)
    }
}
