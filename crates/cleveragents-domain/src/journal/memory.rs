//! The reference journal: in memory, gone with the process.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{Cursor, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{
    Batch, BlobError, Blobs, Head, Journal, JournalError, PlanQuery, PlanRow, Record, SealedRecord, Seq,
};
use crate::{Digest, PlanId};

#[derive(Default)]
struct State {
    logs: BTreeMap<PlanId, (Option<PlanRow>, Vec<SealedRecord>)>,
    blobs: HashMap<Digest, Vec<u8>>,
}

/// Keeps everything in memory. Not durable; otherwise it promises what [`Journal`] promises.
#[derive(Default)]
pub struct InMemoryJournal(Mutex<State>);

impl InMemoryJournal {
    /// An empty journal.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for InMemoryJournal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.state();
        f.debug_struct("InMemoryJournal")
            .field("plans", &state.logs.len())
            .field("blobs", &state.blobs.len())
            .finish()
    }
}

fn head_of(log: &[SealedRecord]) -> Option<Head> {
    log.last().map(|r| Head { seq: r.record.seq, digest: r.digest })
}

#[async_trait]
impl Journal for InMemoryJournal {
    async fn commit(&self, plan_id: &PlanId, at: Seq, batch: Batch) -> Result<Head, JournalError> {
        let mut state = self.state();
        let head = state.logs.get(plan_id).and_then(|(_, log)| head_of(log));
        if head.map_or(0, |h| h.seq) != at {
            return Err(JournalError::Conflict { head });
        }
        let (sealed, blobs) = batch.prepare(*plan_id, head)?;
        let incoming: HashSet<Digest> = blobs.iter().map(|(digest, _)| *digest).collect();
        for digest in sealed.iter().flat_map(|r| r.record.body.references()) {
            if !incoming.contains(&digest) && !state.blobs.contains_key(&digest) {
                return Err(JournalError::MissingBlob(digest));
            }
        }
        state.blobs.extend(blobs);
        let (row, log) = state.logs.entry(*plan_id).or_default();
        for record in sealed {
            *row = PlanRow::fold(row.take(), &record);
            log.push(record);
        }
        head_of(log).ok_or(JournalError::Conflict { head })
    }

    async fn head(&self, plan_id: &PlanId) -> Result<Option<Head>, JournalError> {
        Ok(self.state().logs.get(plan_id).and_then(|(_, log)| head_of(log)))
    }

    async fn read(&self, plan_id: &PlanId, from: Seq, max: usize) -> Result<Vec<Record>, JournalError> {
        let state = self.state();
        let log = state.logs.get(plan_id).map_or(&[][..], |(_, log)| log);
        let skip = usize::try_from(from.max(1) - 1).unwrap_or(usize::MAX);
        log.iter()
            .skip(skip)
            .take(max)
            .map(|r| Record::decode(plan_id, r.record.seq, &r.payload, &r.digest))
            .collect()
    }

    async fn plans(&self, query: &PlanQuery) -> Result<Vec<PlanRow>, JournalError> {
        let state = self.state();
        let rows = state.logs.values().rev().filter_map(|(row, _)| row.clone());
        Ok(rows.filter(|row| query.matches(row)).take(query.limit.unwrap_or(usize::MAX)).collect())
    }
}

impl Blobs for InMemoryJournal {
    fn put(&self, content: &mut dyn Read) -> Result<(Digest, u64), BlobError> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        let (digest, size) = (Digest::of(&bytes), bytes.len() as u64);
        self.state().blobs.insert(digest, bytes);
        Ok((digest, size))
    }

    fn open(&self, digest: &Digest) -> Result<Box<dyn Read + Send>, BlobError> {
        let bytes = self.state().blobs.get(digest).cloned().ok_or(BlobError::Missing(*digest))?;
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn contains(&self, digest: &Digest) -> Result<bool, BlobError> {
        Ok(self.state().blobs.contains_key(digest))
    }
}
