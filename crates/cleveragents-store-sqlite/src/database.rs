//! Opening the database file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cleveragents_domain::JournalError;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::{error, schema};

/// How long one process waits while another one writes.
const BUSY: Duration = Duration::from_secs(30);

/// Pages of write-ahead log between checkpoints. A checkpoint costs two more syncs: it must be rare.
const CHECKPOINT_PAGES: u32 = 8192;

const MAGIC: &[u8] = b"SQLite format 3\0";

/// Opens the connection that writes; makes the file and its tables when there are none.
pub(crate) fn open_writer(path: &Path) -> Result<Connection, JournalError> {
    refuse_other_files(path)?;
    create(path).map_err(|e| error::file(path, e))?;
    let mut connection = connect(path)?;
    schema::check(&connection, path)?;
    use_wal(&connection)?;
    configure(&connection).map_err(error::journal)?;
    schema::set_up(&mut connection, path)?;
    Ok(connection)
}

/// Opens a connection that only reads. The file must have been opened for writing before.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, JournalError> {
    let connection = connect(path)?;
    connection.pragma_update(None, "query_only", true).map_err(error::journal)?;
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, JournalError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(error::journal)?;
    connection.busy_timeout(BUSY).map_err(error::journal)?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// A file that does not begin as a database does is not handed to the driver at all.
fn refuse_other_files(path: &Path) -> Result<(), JournalError> {
    let mut head = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(MAGIC.len() as u64).read_to_end(&mut head).map_err(|e| error::file(path, e))?,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(error::file(path, e)),
    };
    // An empty file is one that was just made, here or by another process.
    if head.is_empty() || head == MAGIC {
        return Ok(());
    }
    Err(JournalError::Unusable(format!("{} is not a SQLite database", path.display())))
}

/// Makes an empty file that only its owner may read, and makes its name durable.
fn create(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(file) => file.sync_all()?,
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        Err(e) => return Err(e),
    }
    sync_parent(path)
}

/// Makes a name in a directory durable.
pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

/// The switch to a write-ahead log does not wait for other processes by itself.
fn use_wal(connection: &Connection) -> Result<(), JournalError> {
    let start = Instant::now();
    loop {
        let mode =
            connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                let what = format!("its file system offers no write-ahead log (journal mode {mode})");
                return Err(JournalError::Unusable(what));
            }
            Err(e) if e.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && start.elapsed() < BUSY => {
                sleep(Duration::from_millis(5));
            }
            Err(e) => return Err(error::journal(e)),
        }
    }
}

fn configure(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
}
