//! Laws of one plan's log.

use std::sync::Arc;

use cleveragents_domain::{
    Batch, Body, Digest, JournalError, MAX_SMALL_BLOB, Phase, PlanQuery, PlanState, ProcessingState, Store,
};

use super::Sample;
use super::sample::bytes;

/// A plan that was never created has no head, no records and no row.
pub async fn a_stranger_has_no_log(store: Arc<dyn Store>) {
    let plan = Sample::new().plan();
    assert_eq!(store.head(&plan).await.unwrap(), None);
    assert!(store.read(&plan, 1, 10).await.unwrap().is_empty());
    assert!(store.plans(&PlanQuery::default()).await.unwrap().is_empty());
}

/// Records are numbered from 1 without gaps, each names the digest of the one before it, and the head is the last.
pub async fn records_are_numbered_and_chained(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.plan();
    let bodies = vec![sample.created("first"), sample.note("b"), sample.note("c")];
    let first = store.commit(&plan, 0, sample.batch(bodies.clone())).await.unwrap();
    assert_eq!(first.seq, 3);
    let head = store.commit(&plan, 3, sample.batch(vec![sample.note("d")])).await.unwrap();
    assert_eq!(store.head(&plan).await.unwrap(), Some(head));

    let records = store.read(&plan, 1, usize::MAX).await.unwrap();
    assert_eq!(records.iter().map(|r| r.seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(records[..3].iter().map(|r| r.body.clone()).collect::<Vec<_>>(), bodies);
    let mut prev = Digest::of(b"");
    for record in &records {
        assert_eq!((record.plan_id, record.prev), (plan, prev));
        prev = Digest::of(&serde_json::to_vec(record).unwrap());
    }
    assert_eq!(head.digest, prev, "the head's digest covers all records");
}

/// A commit at a position that is not the head is refused with the head, and leaves no trace, contents included.
pub async fn a_conflict_writes_nothing(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let head = store.head(&plan).await.unwrap();
    let row = store.plans(&PlanQuery::default()).await.unwrap();
    for at in [0, 2, u64::MAX] {
        let batch = Batch { blobs: vec![b"from a loser".to_vec()], ..sample.batch(vec![sample.completed()]) };
        match store.commit(&plan, at, batch).await {
            Err(JournalError::Conflict { head: found }) => assert_eq!(found, head),
            other => panic!("a commit at {at} gave {other:?}"),
        }
    }
    assert_eq!(store.head(&plan).await.unwrap(), head);
    assert_eq!(store.read(&plan, 1, 10).await.unwrap().len(), 1);
    assert_eq!(store.plans(&PlanQuery::default()).await.unwrap(), row);
    assert!(!store.contains(&Digest::of(b"from a loser")).unwrap());

    let other = sample.plan();
    let refused = store.commit(&other, 1, sample.batch(vec![sample.created("late")])).await;
    assert!(matches!(refused, Err(JournalError::Conflict { head: None })), "{refused:?}");
}

/// A batch without records is refused.
pub async fn a_batch_needs_a_record(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let batch = Batch { blobs: vec![b"alone".to_vec()], ..sample.batch(Vec::new()) };
    let refused = store.commit(&plan, 1, batch).await;
    assert!(matches!(refused, Err(JournalError::Empty)), "{refused:?}");
    assert!(!store.contains(&Digest::of(b"alone")).unwrap());
}

/// A record may name content of its own batch, of an earlier one, or of `put`; any other is refused.
pub async fn missing_content_is_refused(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let large = bytes(MAX_SMALL_BLOB + 1, 7);
    let head = store.head(&plan).await.unwrap();
    for content in [&b"nowhere"[..], &large] {
        let refused =
            store.commit(&plan, 1, sample.batch(vec![sample.note("x"), sample.names(content)])).await;
        match refused {
            Err(JournalError::MissingBlob(digest)) => assert_eq!(digest, Digest::of(content)),
            other => panic!("{other:?}"),
        }
        assert_eq!(store.head(&plan).await.unwrap(), head);
    }
    let own = Batch { blobs: vec![b"own".to_vec()], ..sample.batch(vec![sample.names(b"own")]) };
    store.commit(&plan, 1, own).await.unwrap();
    store.commit(&plan, 2, sample.batch(vec![sample.names(b"own")])).await.unwrap();
    store.put(&mut &b"put before"[..]).unwrap();
    store.commit(&plan, 3, sample.batch(vec![sample.names(b"put before")])).await.unwrap();
    store.put(&mut &large[..]).unwrap();
    store.commit(&plan, 4, sample.batch(vec![sample.names(&large)])).await.unwrap();
    assert_eq!(store.head(&plan).await.unwrap().unwrap().seq, 5);
}

/// A batch that is refused for one content keeps none of its others.
pub async fn a_refused_batch_leaves_no_blob(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let bodies = vec![sample.names(b"here"), sample.names(b"not here")];
    let batch = Batch { blobs: vec![b"here".to_vec()], ..sample.batch(bodies) };
    assert!(matches!(store.commit(&plan, 1, batch).await, Err(JournalError::MissingBlob(_))));
    assert!(!store.contains(&Digest::of(b"here")).unwrap());
}

/// Content above the bound does not travel in a batch; content at the bound does.
pub async fn too_large_is_refused(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let with = |len| Batch { blobs: vec![bytes(len, 3)], ..sample.batch(vec![sample.note("x")]) };
    match store.commit(&plan, 1, with(MAX_SMALL_BLOB + 1)).await {
        Err(JournalError::TooLarge { size, limit, .. }) => {
            assert_eq!((size, limit), (MAX_SMALL_BLOB + 1, MAX_SMALL_BLOB));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(store.head(&plan).await.unwrap().unwrap().seq, 1);
    store.commit(&plan, 1, with(MAX_SMALL_BLOB)).await.unwrap();
}

/// Rows follow the records; they come newest first, by state when asked, and no more than asked.
pub async fn plans_are_listed_newest_first(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let first = sample.commit_plan(&*store, "first").await;
    let second = sample.commit_plan(&*store, "second").await;
    let third = sample.commit_plan(&*store, "third").await;
    let head =
        store.commit(&second, 1, sample.batch(vec![sample.completed(), sample.note("x")])).await.unwrap();

    let ids =
        |rows: Vec<cleveragents_domain::PlanRow>| rows.into_iter().map(|r| r.plan_id).collect::<Vec<_>>();
    let all = store.plans(&PlanQuery::default()).await.unwrap();
    let row = all.iter().find(|r| r.plan_id == second).unwrap();
    assert_eq!((row.name.as_str(), row.head), ("second", head));
    assert!(row.created_at < row.updated_at);
    assert_eq!(ids(all.clone()), [third, second, first]);
    let two = PlanQuery { limit: Some(2), ..PlanQuery::default() };
    assert_eq!(ids(store.plans(&two).await.unwrap()), [third, second]);
    let none = PlanQuery { limit: Some(0), ..PlanQuery::default() };
    assert!(store.plans(&none).await.unwrap().is_empty());
    let queued = PlanQuery { state: Some(PlanState::initial()), limit: None };
    assert_eq!(ids(store.plans(&queued).await.unwrap()), [third, first]);
    let done = PlanState::new(Phase::Action, ProcessingState::Complete);
    let done = PlanQuery { state: Some(done), limit: Some(1) };
    assert_eq!(ids(store.plans(&done).await.unwrap()), [second]);
}

/// Pages put together are the log; a page beyond its end is empty.
pub async fn a_log_is_read_in_pages(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let notes: Vec<Body> = (0..24).map(|n| sample.note(&n.to_string())).collect();
    store.commit(&plan, 1, sample.batch(notes)).await.unwrap();
    let whole = store.read(&plan, 1, usize::MAX).await.unwrap();
    assert_eq!(store.read(&plan, 0, usize::MAX).await.unwrap(), whole, "0 is before the first");
    let mut paged = Vec::new();
    loop {
        let page = store.read(&plan, paged.len() as u64 + 1, 7).await.unwrap();
        assert!(page.len() <= 7);
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, whole);
    assert_eq!(whole.len(), 25);
    assert!(store.read(&plan, 1, 0).await.unwrap().is_empty());
    assert!(store.read(&plan, u64::MAX, 5).await.unwrap().is_empty());
}
