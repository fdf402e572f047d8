//! Laws of many writers.

use std::sync::Arc;

use cleveragents_domain::{Batch, Body, JournalError, PlanQuery, Store};

use super::Sample;

const TASKS: u64 = 16;

/// Sixteen writers want the same position: exactly one gets it, and the others hear so.
pub async fn one_winner_per_position(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    for at in 1..=20 {
        let tasks: Vec<_> = (0..TASKS)
            .map(|task| {
                let blob = format!("{at} {task}").into_bytes();
                let batch = Batch { blobs: vec![blob.clone()], ..sample.batch(vec![sample.names(&blob)]) };
                let store = Arc::clone(&store);
                tokio::spawn(async move { store.commit(&plan, at, batch).await })
            })
            .collect();
        let mut winners = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(head) => winners.push(head),
                Err(JournalError::Conflict { head }) => assert_eq!(head.unwrap().seq, at + 1),
                Err(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(winners.len(), 1, "at {at}");
        assert_eq!(store.head(&plan).await.unwrap(), Some(winners[0]));
    }
    assert_eq!(store.read(&plan, 1, usize::MAX).await.unwrap().len(), 21);
}

/// Plans that run side by side do not disturb one another, and each commit is seen as soon as it has returned.
pub async fn many_plans_at_once(store: Arc<dyn Store>) {
    let sample = Sample::new();
    let mut tasks = Vec::new();
    for number in 0..TASKS {
        let plan = sample.commit_plan(&*store, &format!("plan {number}")).await;
        let batches: Vec<Batch> =
            (0..20).map(|step| sample.batch(vec![sample.note(&format!("{number} {step}"))])).collect();
        let store = Arc::clone(&store);
        tasks.push(tokio::spawn(async move {
            for (at, batch) in (1..).zip(batches) {
                let head = store.commit(&plan, at, batch).await.unwrap();
                assert_eq!(store.head(&plan).await.unwrap(), Some(head));
                assert_eq!(store.read(&plan, head.seq, 1).await.unwrap().len(), 1);
            }
            (plan, number)
        }));
    }
    for task in tasks {
        let (plan, number) = task.await.unwrap();
        let records = store.read(&plan, 2, usize::MAX).await.unwrap();
        let expected: Vec<Body> = (0..20).map(|step| sample.note(&format!("{number} {step}"))).collect();
        assert_eq!(records.into_iter().map(|r| r.body).collect::<Vec<_>>(), expected);
    }
    let rows = store.plans(&PlanQuery::default()).await.unwrap();
    assert!(rows.iter().all(|row| row.head.seq == 21));
    assert_eq!(rows.len(), usize::try_from(TASKS).unwrap());
}
