use std::io::Read;
use std::sync::Arc;

use cleveragents_domain::{Body, Journal, JournalError, PlanId, PlanQuery};
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_testkit::journal::Sample;

use crate::support::{home, open, spawn, whole};

const EACH: usize = 60;

/// Appends notes, and goes on from the head whenever somebody else was first.
async fn append(store: &SqliteStore, sample: &Sample, plan: &PlanId, who: &str) {
    let mut at = store.head(plan).await.unwrap().unwrap().seq;
    for number in 0..EACH {
        let body = sample.note(&format!("{who} {number}"));
        loop {
            match store.commit(plan, at, sample.batch(vec![body.clone()])).await {
                Ok(head) => {
                    at = head.seq;
                    break;
                }
                Err(JournalError::Conflict { head }) => at = head.unwrap().seq,
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

async fn nothing_is_lost(store: &SqliteStore, plan: &PlanId, writers: &[&str]) {
    let (records, _) = whole(store, plan).await;
    assert_eq!(records.len(), 1 + writers.len() * EACH);
    for who in writers {
        let expected: Vec<_> = (0..EACH).map(|n| Sample::new().note(&format!("{who} {n}"))).collect();
        let by = |body: &Body| matches!(body, Body::Note { text } if text.starts_with(&format!("{who} ")));
        let found: Vec<_> = records.iter().map(|record| record.body.clone()).filter(by).collect();
        assert_eq!(found, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_stores_on_one_directory_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (Arc::new(open(dir.path())), Arc::new(open(dir.path())));
    let sample = Arc::new(Sample::new());
    let plan = sample.commit_plan(&*first, "shared").await;
    let mut tasks = Vec::new();
    for (store, who) in [(&first, "x"), (&second, "y"), (&first, "z")] {
        let (store, sample) = (Arc::clone(store), Arc::clone(&sample));
        tasks.push(tokio::spawn(async move { append(&store, &sample, &plan, who).await }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    nothing_is_lost(&first, &plan, &["x", "y", "z"]).await;
    assert_eq!(first.head(&plan).await.unwrap(), second.head(&plan).await.unwrap());
}

/// Joins whoever is at work in the directory.
#[tokio::test]
#[ignore = "is run by `two_processes_on_one_directory_lose_nothing` as a process of its own"]
async fn appends() {
    let store = open(&home());
    let plan = store.plans(&PlanQuery::default()).await.unwrap()[0].plan_id;
    append(&store, &Sample::new(), &plan, &format!("p{}", std::process::id())).await;
}

#[tokio::test]
async fn two_processes_on_one_directory_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let plan = Sample::new().commit_plan(&open(dir.path()), "shared").await;
    let children: Vec<_> = (0..2).map(|_| spawn("shared::appends", dir.path())).collect();
    let mut writers = Vec::new();
    for mut child in children {
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(child.wait().unwrap().success(), "{said}");
        writers.push(format!("p{}", child.id()));
    }
    let writers: Vec<&str> = writers.iter().map(String::as_str).collect();
    nothing_is_lost(&open(dir.path()), &plan, &writers).await;
}

#[test]
fn many_may_open_a_new_directory_at_once() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| drop(open(dir.path())));
        }
    });
}
