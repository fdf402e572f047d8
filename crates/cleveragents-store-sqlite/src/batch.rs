//! How a batch gets into the tables.

use std::collections::HashSet;

use cleveragents_domain::{Batch, Digest, Head, JournalError, PlanId, PlanRow, SealedRecord, Seq};
use rusqlite::{Connection, params};

use crate::large::LargeBlobs;
use crate::log::{end, position};
use crate::{blob, error, plans};

/// A batch that was checked against the head and may be written.
pub(crate) struct Prepared {
    sealed: Vec<SealedRecord>,
    blobs: Vec<(Digest, Vec<u8>)>,
    row: Option<PlanRow>,
    /// The head once it is written.
    pub(crate) head: Head,
}

/// Everything that can refuse a batch. Inside the transaction, and before anything of the batch is written.
pub(crate) fn prepare(
    connection: &Connection,
    large: &LargeBlobs,
    plan: PlanId,
    at: Seq,
    batch: Batch,
) -> Result<Prepared, JournalError> {
    let (head, mut row) = end(connection, &plan)?;
    if head.map_or(0, |h| h.seq) != at {
        return Err(JournalError::Conflict { head });
    }
    let (sealed, blobs) = batch.prepare(plan, head)?;
    let incoming: HashSet<Digest> = blobs.iter().map(|(digest, _)| *digest).collect();
    for digest in sealed.iter().flat_map(|r| r.record.body.references()) {
        if incoming.contains(&digest) || large.contains(&digest) {
            continue;
        }
        if !blob::in_table(connection, &digest).map_err(error::journal)? {
            return Err(JournalError::MissingBlob(digest));
        }
    }
    for record in &sealed {
        row = PlanRow::fold(row.take(), record);
    }
    let head =
        sealed.last().map(|r| Head { seq: r.record.seq, digest: r.digest }).ok_or(JournalError::Empty)?;
    Ok(Prepared { sealed, blobs, row, head })
}

impl Prepared {
    /// Writes it. After an error the whole transaction must be taken back.
    pub(crate) fn write(&self, connection: &Connection, plan: &PlanId) -> Result<(), rusqlite::Error> {
        for (digest, bytes) in &self.blobs {
            blob::insert(connection, digest, bytes)?;
        }
        let mut insert = connection
            .prepare_cached("INSERT INTO records (plan, seq, digest, payload) VALUES (?1, ?2, ?3, ?4)")?;
        for SealedRecord { record, payload, digest } in &self.sealed {
            insert.execute(params![plan.as_str(), position(record.seq), digest.as_bytes(), payload])?;
        }
        if let Some(row) = &self.row {
            plans::write(connection, row)?;
        }
        Ok(())
    }
}
