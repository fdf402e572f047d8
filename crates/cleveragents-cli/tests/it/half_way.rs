//! A process that dies while it writes the project, at every step of the write, and what the next command makes of it.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cleveragents_application::domain::{Blobs, Conflict, CountingClock, NetChange, PlanId};
use cleveragents_application::runtime::{Check, SystemClock, Target, TargetError};
use cleveragents_application::{PlanLifecycleService, Settings};
use cleveragents_store_sqlite::SqliteStore;
use cleveragents_workspace::{DirectoryTarget, Fate, StateHome, StepObserver};
use serde_json::Value;

use crate::support::{Case, Tree, delete, edit, moved, plan, tree, write};

/// Dies at a step.
struct DiesAt(u64);

impl StepObserver for DiesAt {
    fn step(&self, number: u64) -> Fate {
        if number == self.0 { Fate::Die } else { Fate::Go }
    }
}

/// A target whose process is gone when its write dies: the call never returns.
struct Mortal(DirectoryTarget);

#[async_trait]
impl Target for Mortal {
    async fn check(&self, changes: &[NetChange], check: Check) -> Result<Vec<Conflict>, TargetError> {
        self.0.check(changes, check).await
    }
    async fn write(
        &self,
        changes: &[NetChange],
        accept: Check,
        blobs: Arc<dyn Blobs>,
        token: &str,
    ) -> Result<(), TargetError> {
        match self.0.write(changes, accept, blobs, token).await {
            Ok(()) => Ok(()),
            Err(_) => std::future::pending().await,
        }
    }
    async fn read_back(&self, changes: &[NetChange]) -> Result<Vec<Conflict>, TargetError> {
        self.0.read_back(changes).await
    }
}

struct Scene {
    case: Case,
    id: String,
    before: Tree,
    after: Tree,
}

impl Scene {
    /// A plan of every kind of change, executed and not applied.
    fn new() -> Self {
        let case = Case::new();
        for (path, text) in
            [("a.txt", "one\n"), ("b.txt", "two\n"), ("gone/c.txt", "three\n"), ("d.txt", "four\n")]
        {
            case.file(path, text);
        }
        let calls = [
            edit("a.txt", "one", "1"),
            edit("b.txt", "two", "2"),
            delete("gone"),
            moved("d.txt", "new/d.txt"),
            write("new/e.txt", "five\n"),
        ];
        let id = case.run(0, &plan(&calls), &[])["plan_id"].as_str().unwrap().to_owned();
        let before = tree(&case.project);
        case.json(0, &["plan", "apply", &id]);
        let after = tree(&case.project);
        case.json(0, &["plan", "rollback", &id]);
        let id = case.run(0, &plan(&calls), &[])["plan_id"].as_str().unwrap().to_owned();
        Self { case, id, before, after }
    }

    fn lock_file(&self) -> PathBuf {
        let home = StateHome::new(&self.case.state);
        let project = self.case.project.canonicalize().unwrap();
        home.project(&project, &CountingClock::default()).unwrap().lock_path()
    }

    /// Applies or rolls back in a process that dies at a step of the write; false when it came to its end before that.
    fn dies_at(&self, step: u64, back: bool) -> bool {
        let home = StateHome::new(&self.case.state);
        let project = self.case.project.canonicalize().unwrap();
        let state = home.project(&project, &CountingClock::default()).unwrap();
        let store = Arc::new(SqliteStore::open(state.root()).unwrap());
        let service =
            PlanLifecycleService::new(store, Settings::with_clock(Arc::new(SystemClock::default())));
        let target = DirectoryTarget::observed(&project, &state.lock_path(), Arc::new(DiesAt(step))).unwrap();
        let (target, plan) = (Mortal(target), PlanId::parse(&self.id).unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let write = async {
                if back {
                    service.rollback(&plan, &target).await.map(drop)
                } else {
                    service.apply(&plan, &target).await.map(drop)
                }
            };
            tokio::time::timeout(Duration::from_millis(300), write).await.map(Result::unwrap).is_err()
        })
    }

    fn tree(&self) -> Tree {
        tree(&self.case.project)
    }

    fn plan(&self, exit: i32, command: &str) -> Value {
        self.case.json(exit, &["plan", command, &self.id])
    }
}

#[test]
fn whatever_step_it_dies_at_the_same_command_finishes_and_says_so() {
    let mut died = [0, 0];
    for step in 1.. {
        let scene = Scene::new();
        let cut = scene.dies_at(step, false);
        let applied = scene.plan(i32::from(!cut), "apply");
        assert!(scene.tree() == scene.after, "step {step}");
        assert_eq!(applied["data"]["state"], "apply/applied");
        if cut {
            died[0] += 1;
            assert!(applied["messages"].to_string().contains("the apply was finished"), "{applied}");
        }
        let cut_back = scene.dies_at(step, true);
        let rolled_back = scene.plan(i32::from(!cut_back), "rollback");
        assert!(scene.tree() == scene.before, "step {step}");
        if cut_back {
            died[1] += 1;
            assert!(
                rolled_back["messages"].to_string().contains("the rollback was finished"),
                "{rolled_back}"
            );
        }
        if !cut && !cut_back {
            break;
        }
    }
    assert!(died[0] >= 10 && died[1] >= 10, "only {died:?} steps: the write was not stopped everywhere");
}

/// A process that died with some paths written and others not.
fn torn() -> Scene {
    let scene = Scene::new();
    assert!(scene.dies_at(9, false));
    let now = scene.tree();
    assert!(now != scene.before && now != scene.after, "it did not die half-way");
    scene
}

#[test]
fn a_recovery_that_cannot_have_the_lock_records_nothing() {
    let scene = torn();
    let lock = File::options().write(true).open(scene.lock_file()).unwrap();
    lock.lock().unwrap();
    let busy = scene.plan(1, "apply");
    assert_eq!(busy["data"]["apply"], "apply_committed", "{busy}");
    drop(lock);
    scene.plan(0, "apply");
    assert!(scene.tree() == scene.after);
}

#[test]
fn a_new_plan_does_not_start_from_a_half_written_project() {
    let scene = torn();
    let file = scene.case.plan_file(&plan(&[edit("a.txt", "1", "uno")]));
    let ran = scene.case.json(0, &["run", file.to_str().unwrap()]);
    assert!(ran["messages"].to_string().contains(&scene.id), "it says what it finished: {ran}");
    let ran = &ran["data"];
    assert!(scene.tree() == scene.after, "the write was finished before the project was copied");
    assert_eq!(ran["changes"].as_array().unwrap().len(), 1);
    assert_eq!(scene.plan(1, "apply")["data"]["state"], "apply/applied");
}

#[test]
fn another_plans_apply_finishes_it_first() {
    let scene = Scene::new();
    let other =
        scene.case.run(0, &plan(&[write("other.txt", "x\n")]), &[])["plan_id"].as_str().unwrap().to_owned();
    assert!(scene.dies_at(9, false));
    let done = scene.case.json(0, &["plan", "apply", &other]);
    assert!(done["messages"].to_string().contains(&scene.id), "{done}");
    scene.case.json(0, &["plan", "rollback", &other]);
    assert!(scene.tree() == scene.after);
    scene.plan(0, "rollback");
    assert!(scene.tree() == scene.before);
}

#[test]
fn cancel_leaves_a_half_written_project_alone() {
    let scene = torn();
    let now = scene.tree();
    scene.plan(1, "cancel");
    assert!(scene.tree() == now);
    scene.plan(0, "apply");
    assert!(scene.tree() == scene.after);
}

#[test]
fn a_path_that_somebody_edits_meanwhile_is_not_overwritten_and_the_write_can_go_on() {
    let scene = torn();
    let edited = ["a.txt", "b.txt"].map(|name| {
        let path = scene.case.project.join(name);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, "mine\n").unwrap();
        (path, bytes)
    });
    let now = scene.tree();
    let refused = scene.plan(4, "apply");
    assert_eq!(
        (&refused["error"]["code"], &refused["data"]["apply"]),
        (&"half_way".into(), &"apply_committed".into())
    );
    assert!(scene.tree() == now);
    for (path, bytes) in edited {
        std::fs::write(path, bytes).unwrap();
    }
    scene.plan(0, "apply");
    assert!(scene.tree() == scene.after);
}
