//! The tables, their version, and whose they are.

use std::path::Path;

use cleveragents_domain::{FORMAT, JournalError};
use rusqlite::{Connection, TransactionBehavior};

use crate::error;

/// The version of the tables that this code writes.
const SCHEMA: u32 = 1;

/// `PRAGMA application_id`: `agnt` in ASCII, so that no other program's database is taken for ours.
const APPLICATION: u32 = 0x6167_6e74;

// Rows are large, so the tables that hold them keep their rowid: in a table without one, every row would also weigh
// on the inner pages of its tree.
const TABLES: &str = "
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
        plan TEXT NOT NULL,
        seq INTEGER NOT NULL CHECK (seq >= 1),
        digest BLOB NOT NULL CHECK (length(digest) = 32),
        payload BLOB NOT NULL,
        PRIMARY KEY (plan, seq)
    ) STRICT;
    CREATE TABLE blobs (
        digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
        data BLOB NOT NULL
    ) STRICT;
    CREATE TABLE plans (plan TEXT PRIMARY KEY, state TEXT NOT NULL, row TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX plans_by_state ON plans (state, plan);
";

fn pragma(connection: &Connection, name: &str) -> Result<u32, rusqlite::Error> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// Looks before anything is written: newer tables and other programs' databases are left as they are.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), JournalError> {
    let damaged = |e: rusqlite::Error| match error::journal(e) {
        JournalError::Unusable(what) => JournalError::Unusable(format!("{}: {what}", path.display())),
        other => other,
    };
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(damaged)?;
    let application = pragma(connection, "application_id").map_err(damaged)?;
    if tables == 0 && application == 0 {
        return Ok(());
    }
    if application != APPLICATION {
        return Err(JournalError::Unusable(format!("{} is another program's database", path.display())));
    }
    newer(pragma(connection, "user_version").map_err(damaged)?, SCHEMA)?;
    let format =
        connection.query_row("SELECT value FROM meta WHERE name = 'record_format'", [], |row| row.get(0));
    newer(format.map_err(damaged)?, FORMAT)
}

fn newer(found: u32, supported: u32) -> Result<(), JournalError> {
    if found > supported { Err(JournalError::Newer { found, supported }) } else { Ok(()) }
}

/// Makes the tables; whoever of several processes comes first does it.
pub(crate) fn set_up(connection: &mut Connection, path: &Path) -> Result<(), JournalError> {
    if pragma(connection, "user_version").map_err(error::journal)? == SCHEMA {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(error::journal)?;
    match pragma(&transaction, "user_version").map_err(error::journal)? {
        0 => {}
        SCHEMA => return Ok(()),
        _ => return check(&transaction, path),
    }
    let made = || {
        transaction.execute_batch(TABLES)?;
        transaction.execute("INSERT INTO meta (name, value) VALUES ('record_format', ?1)", [FORMAT])?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", SCHEMA)
    };
    made().map_err(error::journal)?;
    transaction.commit().map_err(error::journal)
}
