#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use cleveragents_testkit::journal::Sample;

use super::*;

/// A store whose threads are gone.
fn orphaned(home: &Path) -> SqliteStore {
    let mut store = SqliteStore::open(home).unwrap();
    store.writer = Some(mpsc::channel().0);
    store.reader = None;
    store
}

#[tokio::test]
async fn a_thread_that_has_ended_is_an_error_and_no_panic() {
    let home = tempfile::tempdir().unwrap();
    let (store, sample) = (orphaned(home.path()), Sample::new());
    let plan = sample.plan();
    let ended = |error: JournalError| {
        assert!(error.is_retryable());
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(cause, "the store's thread has ended: open the store again");
    };
    ended(store.commit(&plan, 0, sample.batch(vec![sample.note("x")])).await.unwrap_err());
    ended(store.head(&plan).await.unwrap_err());
    ended(store.read(&plan, 1, 1).await.unwrap_err());
    ended(store.plans(&PlanQuery::default()).await.unwrap_err());
    let digest = Digest::of(b"x");
    assert!(matches!(store.put(&mut &b"x"[..]), Err(BlobError::Backend(_))));
    assert!(matches!(store.open(&digest).map(drop), Err(BlobError::Backend(_))));
    assert!(matches!(store.contains(&digest), Err(BlobError::Backend(_))));
}
