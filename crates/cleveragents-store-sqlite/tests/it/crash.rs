use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use cleveragents_domain::{Batch, Blobs, Digest, Head, Journal, PlanId, PlanQuery};
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_testkit::journal::Sample;

use crate::support::{home, open, say, spawn, whole};

/// Commits until it is killed, and says what was acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "is run by `acknowledged_commits_survive_a_kill` as a process of its own"]
async fn commits_for_ever() {
    let store = Arc::new(open(&home()));
    let sample = Arc::new(Sample::new());
    let mut plans = store.plans(&PlanQuery::default()).await.unwrap();
    if plans.is_empty() {
        for name in ["a", "b", "c", "d"] {
            sample.commit_plan(&*store, name).await;
        }
        plans = store.plans(&PlanQuery::default()).await.unwrap();
    }
    let mut tasks = Vec::new();
    for row in plans {
        tasks.push(tokio::spawn(commit_on(Arc::clone(&store), Arc::clone(&sample), row.plan_id, row.head)));
    }
    for task in tasks {
        task.await.unwrap();
    }
}

async fn commit_on(store: Arc<SqliteStore>, sample: Arc<Sample>, plan: PlanId, mut head: Head) {
    loop {
        let blob = format!("{plan} {}", head.seq).into_bytes();
        let bodies = vec![sample.names(&blob), sample.note("after it")];
        let batch = Batch { blobs: vec![blob], ..sample.batch(bodies) };
        head = store.commit(&plan, head.seq, batch).await.unwrap();
        say(&format!("{plan} {} {}", head.seq, head.digest));
    }
}

#[tokio::test]
async fn acknowledged_commits_survive_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged: HashMap<PlanId, Vec<Head>> = HashMap::new();
    for kill_after in [1, 3, 10, 40, 150] {
        let mut child = spawn("crash::commits_for_ever", dir.path());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut said = 0;
        for line in lines {
            let Some(line) = line.strip_prefix("said ") else { continue };
            let [plan, seq, digest] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
            // The last line may be cut short by the kill.
            let Ok(digest) = digest.parse::<Digest>() else { continue };
            let head = Head { seq: seq.parse().unwrap(), digest };
            acknowledged.entry(PlanId::parse(plan).unwrap()).or_default().push(head);
            said += 1;
            if said == kill_after {
                child.kill().unwrap();
            }
        }
        assert!(said >= kill_after, "the child ended by itself");
        child.wait().unwrap();

        let store = open(dir.path());
        for (plan, heads) in &acknowledged {
            let (records, _) = whole(&store, plan).await;
            for head in heads {
                let record = &records[usize::try_from(head.seq - 1).unwrap()];
                assert_eq!(Digest::of(&serde_json::to_vec(record).unwrap()), head.digest);
            }
            assert_eq!(records.len() % 2, 1, "a batch is there whole or not at all");
            for digest in records.iter().flat_map(|record| record.body.references()) {
                assert!(store.contains(&digest).unwrap());
            }
        }
    }
}
