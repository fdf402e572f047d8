//! The floor of a durable step: the file, and one SQLite transaction (WAL, synchronous=FULL) with a 500-byte row.
//! Nothing else: no intent, no hash, no gate. What a step costs above this is what being sure costs.

use std::io::Write;
use std::path::Path;

/// Runs `steps` steps in `dir`, each writing one 200-byte file and committing one row.
pub fn file_and_transaction(dir: &Path, steps: u32) -> rusqlite::Result<()> {
    let db = rusqlite::Connection::open(dir.join("floor.db"))?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.execute_batch("create table j(seq integer primary key, body text) strict")?;
    let (body, row) = ([b'x'; 200], "x".repeat(500));
    for step in 0..steps {
        let write = || std::fs::File::create(dir.join(format!("f{step:05}")))?.write_all(&body);
        write().map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
        db.prepare_cached("insert into j values(?1, ?2)")?.execute((step, &row))?;
    }
    Ok(())
}
