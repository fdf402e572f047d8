//! Small contents, in a table of the database.

use cleveragents_domain::Digest;
use rusqlite::{Connection, OptionalExtension, params};

/// Whether the table holds it.
pub(crate) fn in_table(connection: &Connection, digest: &Digest) -> Result<bool, rusqlite::Error> {
    connection.prepare_cached("SELECT 1 FROM blobs WHERE digest = ?1")?.exists([digest.as_bytes()])
}

/// Keeps it. When other bytes stand under the same hash they are damaged, and are put right.
pub(crate) fn insert(connection: &Connection, digest: &Digest, bytes: &[u8]) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached(
            "INSERT INTO blobs (digest, data) VALUES (?1, ?2)
             ON CONFLICT (digest) DO UPDATE SET data = excluded.data WHERE data <> excluded.data",
        )?
        .execute(params![digest.as_bytes(), bytes])?;
    Ok(())
}

/// Its bytes as they are stored, unchecked.
pub(crate) fn read(connection: &Connection, digest: &Digest) -> Result<Option<Vec<u8>>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT data FROM blobs WHERE digest = ?1")?
        .query_row([digest.as_bytes()], |row| row.get(0))
        .optional()
}
