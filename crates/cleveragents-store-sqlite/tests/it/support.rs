use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use cleveragents_domain::{Digest, Head, Journal, PlanId, Record};
use cleveragents_store_sqlite::SqliteStore;

pub(crate) fn open(home: &Path) -> SqliteStore {
    SqliteStore::open(&home.join("state")).unwrap()
}

pub(crate) fn database(home: &Path) -> std::path::PathBuf {
    home.join("state/journal.db")
}

/// The whole log, read and folded: numbers, chain and head fit.
pub(crate) async fn whole(store: &SqliteStore, plan: &PlanId) -> (Vec<Record>, Option<Head>) {
    let records = store.read(plan, 1, usize::MAX).await.unwrap();
    let mut head = None;
    let mut prev = Digest::of(b"");
    for (seq, record) in (1..).zip(&records) {
        assert_eq!((record.seq, record.prev), (seq, prev));
        prev = Digest::of(&serde_json::to_vec(record).unwrap());
        head = Some(Head { seq, digest: prev });
    }
    assert_eq!(store.head(plan).await.unwrap(), head);
    (records, head)
}

/// Starts this test binary again to run one of its ignored tests as a process of its own.
pub(crate) fn spawn(test: &str, home: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
        .env("STORE_HOME", home)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The directory that `spawn` gave to this process.
pub(crate) fn home() -> std::path::PathBuf {
    std::env::var_os("STORE_HOME").expect("is started by another test").into()
}

/// Tells the parent, at once and whole.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\nsaid {line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}
