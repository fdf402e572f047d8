//! The journal: one truth, under compare-and-swap.

use std::sync::Arc;

use cleveragents_application::PlanLifecycleService;
use cleveragents_domain::{
    Batch, Body, ChangeSetId, Digest, Head, InMemoryJournal, JournalError, Record, Seq, Store,
};
use cleveragents_store_sqlite::SqliteStore;
use cucumber::{given, then, when};

use crate::double::Meanwhile;
use crate::world::World;

#[given(expr = "a journal that is {string}")]
fn a_journal(world: &mut World, kind: String) {
    let store: Arc<dyn Store> = match kind.as_str() {
        "in memory" => Arc::new(InMemoryJournal::new()),
        "on disk" => Arc::new(SqliteStore::open(&world.home.path().join("journal")).expect("a store")),
        other => panic!("there is no journal {other:?}"),
    };
    world.lifecycle = Some(PlanLifecycleService::new(store, world.settings()));
}

#[when(expr = "two writers commit after the same record")]
async fn two_writers(world: &mut World) {
    let at = head(world).await.seq;
    let first = commit(world, at, "the first").await;
    first.expect("the first is committed");
    let second = commit(world, at, "the second").await;
    world.attempt(second);
}

#[when(expr = "{int} writers commit at once, each again until it is committed")]
async fn many_writers(world: &mut World, writers: usize) {
    let store = world.lifecycle().store().clone();
    let (id, recorded_at) = (world.id(), world.clock.now());
    let tasks: Vec<_> = (0..writers)
        .map(|writer| {
            let store = store.clone();
            tokio::spawn(async move {
                loop {
                    let at = store.head(&id).await.unwrap().map_or(0, |head| head.seq);
                    let bodies = vec![Body::Note { text: format!("writer {writer}") }];
                    match store.commit(&id, at, Batch { recorded_at, bodies, blobs: Vec::new() }).await {
                        Ok(_) => return,
                        Err(JournalError::Conflict { .. }) => tokio::task::yield_now().await,
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[when(expr = "a record is committed that names content which is nowhere")]
async fn missing_content(world: &mut World) {
    let nowhere = ChangeSetId::new(world.clock.new_id());
    let mut entry = world.entry(nowhere, "a.txt");
    let state = entry.after.as_mut().expect("a file");
    state.content = Some(Digest::of(b"nobody has stored this"));
    let bodies = vec![Body::Outside { changeset_id: entry.changeset_id, entries: vec![entry] }];
    let at = head(world).await.seq;
    let batch = Batch { recorded_at: world.clock.now(), bodies, blobs: Vec::new() };
    let tried = world.lifecycle().store().commit(&world.id(), at, batch).await;
    world.attempt(tried);
}

#[when(expr = "the plan is cancelled by another process while execute runs")]
async fn cancelled_meanwhile(world: &mut World) {
    let other = PlanLifecycleService::new(world.lifecycle().store().clone(), world.settings());
    let id = world.id();
    let tried = world.plan_executor(Some(Meanwhile::new(other))).run_execute(id.as_str()).await;
    world.outcome = world.attempt(tried);
}

#[when(expr = "another process opens the journal")]
fn reopened(world: &mut World) {
    // What the first process held is gone: sessions, views, the connection.
    world.lifecycle = None;
    world.executor = None;
    a_journal(world, "on disk".to_owned());
}

#[then(expr = "the second should fail with a conflict that names the head")]
async fn conflict(world: &mut World) {
    let head = head(world).await;
    let Some(crate::world::Problem::Journal(JournalError::Conflict { head: Some(named) })) = &world.problem
    else {
        panic!("no conflict: {:?}", world.problem)
    };
    assert_eq!(*named, head);
}

#[then(expr = "the commit should fail because content is missing")]
fn refused_content(world: &mut World) {
    let problem = world.problem();
    assert!(matches!(problem, crate::world::Problem::Journal(JournalError::MissingBlob(_))), "{problem:?}");
}

#[then(expr = "only the first should be in the log")]
async fn only_the_first(world: &mut World) {
    assert_eq!(notes(world).await, ["the first"]);
}

#[then(expr = "the notes of all {int} should be in the log, each once")]
async fn all_notes(world: &mut World, writers: usize) {
    let mut notes = notes(world).await;
    notes.sort();
    let mut expected: Vec<String> = (0..writers).map(|writer| format!("writer {writer}")).collect();
    expected.sort();
    assert_eq!(notes, expected);
}

#[then(expr = "the records should be numbered without gaps, each chained to the one before it")]
async fn chained(world: &mut World) {
    let records = records(world).await;
    let mut before = Digest::of(b"");
    for (seq, record) in (1..).zip(&records) {
        assert_eq!((record.seq, record.prev), (seq, before));
        before = Digest::of(&serde_json::to_vec(record).unwrap());
    }
    let head = head(world).await;
    assert_eq!((head.seq, head.digest), (records.len() as Seq, before));
}

#[then(expr = "the last record should be the cancellation")]
async fn ends_cancelled(world: &mut World) {
    let last = records(world).await.pop().expect("a log").body;
    let Body::Transition { movement, .. } = last else { panic!("{last:?}") };
    assert_eq!(movement.as_str(), "cancel");
}

async fn commit(world: &mut World, at: Seq, text: &str) -> Result<Head, JournalError> {
    let bodies = vec![Body::Note { text: text.to_owned() }];
    let batch = Batch { recorded_at: world.clock.now(), bodies, blobs: Vec::new() };
    let id = world.id();
    world.lifecycle().store().commit(&id, at, batch).await
}

async fn head(world: &mut World) -> Head {
    let id = world.id();
    world.lifecycle().store().head(&id).await.unwrap().expect("the plan has a log")
}

async fn records(world: &mut World) -> Vec<Record> {
    let id = world.id();
    world.lifecycle().records(&id, 1).await.unwrap()
}

async fn notes(world: &mut World) -> Vec<String> {
    let notes = records(world).await.into_iter().filter_map(|record| match record.body {
        Body::Note { text } => Some(text),
        _ => None,
    });
    notes.collect()
}
