//! The embedded journal and blob store: one directory, one SQLite file. Layer 3.
//!
//! [`SqliteStore`] keeps the domain's `Journal` and `Blobs` in a directory that it alone owns:
//!
//! ```text
//! journal.db     records, the table of plans, contents of at most MAX_SMALL_BLOB bytes (mode 0600)
//! blobs/ab/…     larger contents, one file each, named by their hash (mode 0700)
//! ```
//!
//! One thread writes. It takes whatever commits are waiting and commits them in one transaction, so that plans that
//! run side by side share the wait for the disk; each gets its own answer. Another thread reads, so that no caller's
//! async runtime waits for a file. Other processes may use the same directory at the same time.
//!
//! What this crate does not do: it interprets no record (the table of plans comes from the domain's own fold), it
//! deletes nothing, and it does not protect the directory from other users beyond its file modes.
//!
//! ```
//! use cleveragents_domain::{Journal, PlanQuery};
//! use cleveragents_store_sqlite::SqliteStore;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let home = tempfile::tempdir().unwrap();
//! let store = SqliteStore::open(home.path())?;
//! assert!(store.plans(&PlanQuery::default()).await?.is_empty());
//! # Ok::<(), cleveragents_domain::JournalError>(())
//! # }).unwrap();
//! ```

mod batch;
mod blob;
mod database;
mod error;
mod large;
mod log;
mod plans;
mod reader;
mod schema;
mod store;
mod writer;

pub use store::SqliteStore;
