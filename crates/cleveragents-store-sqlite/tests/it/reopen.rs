use std::os::unix::fs::PermissionsExt;

use cleveragents_domain::{Batch, Blobs, Journal, PlanQuery, read_blob};
use cleveragents_testkit::journal::Sample;

use crate::support::{database, open, whole};

#[tokio::test]
async fn everything_survives_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let sample = Sample::new();
    let large = vec![7u8; 3 * 1024 * 1024];
    let (plan, rows, records) = {
        let store = open(dir.path());
        let plan = sample.commit_plan(&store, "plan").await;
        let batch = Batch { blobs: vec![b"small".to_vec()], ..sample.batch(vec![sample.names(b"small")]) };
        store.commit(&plan, 1, batch).await.unwrap();
        store.put(&mut &large[..]).unwrap();
        store.commit(&plan, 2, sample.batch(vec![sample.names(&large), sample.completed()])).await.unwrap();
        (plan, store.plans(&PlanQuery::default()).await.unwrap(), whole(&store, &plan).await)
    };
    let store = open(dir.path());
    assert_eq!(store.plans(&PlanQuery::default()).await.unwrap(), rows);
    assert_eq!(whole(&store, &plan).await, records);
    for digest in records.0.iter().flat_map(|record| record.body.references()) {
        assert!(!read_blob(&store, &digest, 1 << 30).unwrap().is_empty());
    }
    store.commit(&plan, 4, sample.batch(vec![sample.note("goes on")])).await.unwrap();
}

#[tokio::test]
async fn only_the_owner_may_read() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    Sample::new().commit_plan(&store, "plan").await;
    let (digest, _) = store.put(&mut &vec![1u8; 2 * 1024 * 1024][..]).unwrap();
    let hex = digest.to_string().replace("b3:", "");
    let blobs = dir.path().join("state/blobs");
    let wal = dir.path().join("state/journal.db-wal");
    let files = [database(dir.path()), wal, blobs.join(&hex[..2]).join(&hex)];
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    for file in &files {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    for folder in [blobs.join(&hex[..2]), blobs, dir.path().join("state")] {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
    }
}

#[tokio::test]
async fn a_dropped_call_has_happened_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let sample = Sample::new();
    let mut plans = Vec::new();
    for number in 0..50 {
        let plan = sample.plan();
        let batch = sample.batch(vec![sample.created("dropped"), sample.note("with it")]);
        let call = store.commit(&plan, 0, batch);
        let mut call = std::pin::pin!(call);
        // Polled once or twice, then dropped.
        for _ in 0..=number % 2 {
            let polled =
                std::future::poll_fn(|context| std::task::Poll::Ready(call.as_mut().poll(context))).await;
            if polled.is_ready() {
                break;
            }
        }
        plans.push(plan);
    }
    drop(store);
    let store = open(dir.path());
    for plan in plans {
        assert!(matches!(whole(&store, &plan).await.0.len(), 0 | 2));
    }
}
