use std::fs;
use std::io::Read;
use std::path::Path;

use cleveragents_domain::{Batch, BlobError, Blobs, Digest, Journal, JournalError, PlanId};
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_testkit::journal::Sample;
use rusqlite::Connection;

use crate::support::{database, open};

/// A plan of five records.
async fn five(home: &Path) -> PlanId {
    let (store, sample) = (open(home), Sample::new());
    let plan = sample.commit_plan(&store, "plan").await;
    let notes = (2..=5).map(|n| sample.note(&n.to_string())).collect();
    store.commit(&plan, 1, sample.batch(notes)).await.unwrap();
    plan
}

fn sql(home: &Path, text: &str) {
    assert!(Connection::open(database(home)).unwrap().execute(text, []).unwrap() > 0);
}

fn damaged_at<T: std::fmt::Debug>(result: Result<T, JournalError>) -> u64 {
    match result {
        Err(JournalError::Corrupt { seq, .. }) => seq,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_flipped_byte_is_found_when_the_record_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let plan = five(dir.path()).await;
    sql(
        dir.path(),
        "UPDATE records SET payload = CAST(replace(CAST(payload AS TEXT), '\"3\"', '\"8\"') AS BLOB) WHERE seq = 3",
    );
    let store = open(dir.path());
    assert_eq!(damaged_at(store.read(&plan, 1, 10).await), 3);
    assert_eq!(store.read(&plan, 1, 2).await.unwrap().len(), 2, "the records before it can be read");
}

#[tokio::test]
async fn a_record_put_in_with_a_fitting_digest_breaks_the_chain() {
    let dir = tempfile::tempdir().unwrap();
    let plan = five(dir.path()).await;
    let connection = Connection::open(database(dir.path())).unwrap();
    let payload: Vec<u8> =
        connection.query_row("SELECT payload FROM records WHERE seq = 3", [], |row| row.get(0)).unwrap();
    let forged = String::from_utf8(payload).unwrap().replace("\"3\"", "\"8\"").into_bytes();
    connection
        .execute(
            "UPDATE records SET payload = ?1, digest = ?2 WHERE seq = 3",
            rusqlite::params![forged, Digest::of(&forged).as_bytes()],
        )
        .unwrap();
    drop(connection);
    let store = open(dir.path());
    assert_eq!(damaged_at(store.read(&plan, 1, 10).await), 4);
    assert_eq!(damaged_at(store.read(&plan, 4, 10).await), 4, "also where a page begins");
}

#[tokio::test]
async fn lost_records_are_found() {
    for (lost, found) in [("seq = 3", 3), ("seq = 1", 1)] {
        let dir = tempfile::tempdir().unwrap();
        let plan = five(dir.path()).await;
        sql(dir.path(), &format!("DELETE FROM records WHERE {lost}"));
        let error = open(dir.path()).read(&plan, 1, 10).await;
        assert!(matches!(&error, Err(e) if e.to_string().ends_with("it is missing")), "{error:?}");
        assert_eq!(damaged_at(error), found);
    }
    // The end of a log is guarded by the table of plans.
    for lost in ["seq = 5", "seq > 0"] {
        let dir = tempfile::tempdir().unwrap();
        let plan = five(dir.path()).await;
        sql(dir.path(), &format!("DELETE FROM records WHERE {lost}"));
        let (store, sample) = (open(dir.path()), Sample::new());
        assert_eq!(damaged_at(store.head(&plan).await), 5);
        assert_eq!(damaged_at(store.commit(&plan, 4, sample.batch(vec![sample.note("x")])).await), 5);
        assert_eq!(damaged_at(store.commit(&plan, 0, sample.batch(vec![sample.note("x")])).await), 5);
    }
}

#[tokio::test]
async fn damaged_contents_end_in_an_error_and_can_be_put_right() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let large = vec![9u8; 2 * 1024 * 1024];
    let (small_name, _) = store.put(&mut &b"small"[..]).unwrap();
    let (large_name, _) = store.put(&mut &large[..]).unwrap();
    sql(dir.path(), "UPDATE blobs SET data = CAST('smell' AS BLOB)");
    let hex = large_name.to_string().replace("b3:", "");
    let file = dir.path().join("state/blobs").join(&hex[..2]).join(&hex);
    for damage in [&[&large[..large.len() - 1], b"x"].concat()[..], &large[..large.len() - 1], b""] {
        fs::write(&file, damage).unwrap();
        let mut back = Vec::new();
        let error = store.open(&large_name).unwrap().read_to_end(&mut back).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    }
    assert!(matches!(store.open(&small_name).map(drop), Err(BlobError::Corrupt(_))));

    store.put(&mut &large[..]).unwrap();
    let sample = Sample::new();
    let plan = sample.commit_plan(&store, "plan").await;
    let batch = Batch { blobs: vec![b"small".to_vec()], ..sample.batch(vec![sample.names(b"small")]) };
    store.commit(&plan, 1, batch).await.unwrap();
    for name in [small_name, large_name] {
        store.open(&name).unwrap().read_to_end(&mut Vec::new()).unwrap();
    }
}

/// Opening fails, and the file is the same afterwards.
fn refused(home: &Path) -> JournalError {
    let before = fs::read(database(home)).unwrap();
    let error = SqliteStore::open(&home.join("state")).unwrap_err();
    assert!(fs::read(database(home)).unwrap() == before, "the file was changed");
    error
}

#[tokio::test]
async fn a_newer_store_is_refused() {
    for change in ["PRAGMA user_version = 99", "UPDATE meta SET value = 99"] {
        let dir = tempfile::tempdir().unwrap();
        five(dir.path()).await;
        let connection = Connection::open(database(dir.path())).unwrap();
        connection.execute_batch(change).unwrap();
        drop(connection);
        let error = refused(dir.path());
        assert!(matches!(error, JournalError::Newer { found: 99, .. }), "{error:?}");
    }
}

#[tokio::test]
async fn what_is_no_store_is_left_alone() {
    let unusable = |home: &Path| {
        let error = refused(home);
        assert!(matches!(error, JournalError::Unusable(_)), "{error:?}");
        assert!(error.to_string().contains("journal.db"), "{error}");
    };
    for garbage in [&b"not a database, but somebody's notes\n"[..], b"S", b"SQLite format 3", &[0; 4096]] {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("state")).unwrap();
        fs::write(database(dir.path()), garbage).unwrap();
        unusable(dir.path());
    }
    // A torn file: cut in the middle, and with its first page overwritten behind the name of the format.
    for tear in [
        |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2),
        |bytes: &mut Vec<u8>| bytes[16..4096].fill(0xa5),
    ] {
        let dir = tempfile::tempdir().unwrap();
        five(dir.path()).await;
        let mut bytes = fs::read(database(dir.path())).unwrap();
        tear(&mut bytes);
        fs::write(database(dir.path()), bytes).unwrap();
        unusable(dir.path());
    }
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("state")).unwrap();
    Connection::open(database(dir.path())).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    unusable(dir.path());
}

#[tokio::test]
async fn a_plan_that_the_table_of_plans_has_lost_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let plan = five(dir.path()).await;
    sql(dir.path(), "DELETE FROM plans");
    assert_eq!(damaged_at(open(dir.path()).head(&plan).await), 5);
}
