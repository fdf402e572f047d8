//! Every kind of node into every other, captured, discarded, applied and rolled back.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cleveragents_runtime::domain::{Blobs, NetChange};
use cleveragents_runtime::{Check, Target, TargetError};
use cleveragents_testkit::workspace::{Act, Call, Snapshot, play, walk};
use cleveragents_workspace::{DirectoryTarget, Fate, StepObserver};

use crate::fixture::{Desk, blobs, sh, wait};

const TOKEN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// How each kind of node is made.
const MAKE: [&str; 9] = [
    "true",
    ": > p",
    "printf one > p",
    "printf two > p; chmod 755 p",
    "ln -s other p",
    "ln -s nowhere p",
    "mkdir p",
    "mkdir p; chmod 700 p; printf in > p/in; mkdir p/sub; ln -s in p/l",
    "mkdir -p p/in; printf x > p/sub; chmod 444 p/sub; chmod 555 p",
];

/// The changes that lead from one tree to another, with both trees.
pub(crate) struct Way {
    pub(crate) desk: Desk,
    pub(crate) base: Snapshot,
    pub(crate) tree: Snapshot,
    pub(crate) net: Vec<NetChange>,
    pub(crate) blobs: Arc<dyn Blobs>,
}

impl Way {
    /// Makes a project by one command and plays another one in its sandbox: discarded once, then kept.
    pub(crate) fn new(make: &str, change: &str) -> Self {
        let desk = Desk::new();
        sh(&desk.project(), make);
        let (base, blobs) = (walk(&desk.project()), blobs());
        let acts = vec![Act::Command(change.to_owned())];
        let calls = [false, true].map(|keep| Call { acts: acts.clone(), keep });
        let played = wait(play(&desk.open(), &base, &calls, &blobs)).unwrap();
        Self { base, tree: played.tree, net: played.net, blobs, desk }
    }

    /// The project of a way, in its state before.
    fn remake(&self, make: &str) {
        sh(&self.desk.project(), "chmod -R u+rwx . && find . -mindepth 1 -delete");
        sh(&self.desk.project(), make);
        assert_eq!(walk(&self.desk.project()), self.base);
    }

    pub(crate) fn reversed(&self) -> Vec<NetChange> {
        self.net.iter().map(NetChange::reversed).collect()
    }
}

#[test]
fn every_kind_becomes_every_other_and_back() {
    for from in MAKE {
        for to in MAKE {
            let way = Way::new(
                &format!(": > other; {from}"),
                &format!("chmod -R u+rwx p 2>/dev/null; rm -rf p; {to}"),
            );
            if from != to {
                assert!(!way.net.is_empty(), "{from} -> {to}");
            }
            let target = DirectoryTarget::open(&way.desk.project(), &way.desk.lock()).unwrap();
            wait(async {
                for (changes, wanted) in [(&way.net, &way.tree), (&way.reversed(), &way.base)] {
                    assert_eq!(target.check(changes, Check::Before).await.unwrap(), [], "{from} -> {to}");
                    target.write(changes, Check::BeforeOrAfter, way.blobs.clone(), TOKEN).await.unwrap();
                    assert_eq!(&walk(&way.desk.project()), wanted, "{from} -> {to}");
                    assert_eq!(target.read_back(changes).await.unwrap(), []);
                }
            });
        }
    }
}

/// Does not let a write go on from one step on, until it is told otherwise.
struct Stop {
    at: AtomicU64,
    fate: Fate,
}

impl StepObserver for Stop {
    fn step(&self, number: u64) -> Fate {
        if number == self.at.load(Ordering::Relaxed) { self.fate } else { Fate::Go }
    }
}

fn leftovers(project: &Path) -> bool {
    walk(project).keys().any(|path| String::from_utf8_lossy(path).contains(".agents-"))
}

/// Stops a write at every step there is, and calls `after` with what it left.
fn at_every_step(
    make: &str,
    change: &str,
    fate: Fate,
    after: impl Fn(&Way, &DirectoryTarget, TargetError),
) -> u64 {
    let way = Way::new(make, change);
    for at in 0.. {
        way.remake(make);
        let stop = Arc::new(Stop { at: AtomicU64::new(at), fate });
        let target = DirectoryTarget::observed(&way.desk.project(), &way.desk.lock(), stop.clone()).unwrap();
        match wait(target.write(&way.net, Check::BeforeOrAfter, way.blobs.clone(), TOKEN)) {
            Ok(()) => {
                assert_eq!(walk(&way.desk.project()), way.tree);
                return at;
            }
            Err(error) => {
                stop.at.store(u64::MAX, Ordering::Relaxed);
                after(&way, &target, error);
            }
        }
    }
    0
}

const BUSY: (&str, &str) = (
    "printf 1 > a; printf 2 > b; chmod 755 b; mkdir d; printf 3 > d/f; ln -s a l; mkdir -p e/deep; chmod 555 e/deep; : > k; mkdir m",
    "printf 11 > a; chmod 600 b; rm -r d; printf file > d; rm l; mkdir l; printf in > l/in; rm -rf e; mkdir -p n/o; \
     printf new > n/o/p; chmod 500 n/o; rm k; ln -s a k; chmod 700 m; printf 5 > m/z",
);

#[test]
fn a_killed_write_is_finished_by_a_second_one() {
    let steps = at_every_step(BUSY.0, BUSY.1, Fate::Die, |way, target, _| {
        wait(async {
            let conflicts = target.check(&way.net, Check::BeforeOrAfter).await.unwrap();
            assert_eq!(conflicts, [], "a state on the way is no conflict");
            target.write(&way.net, Check::BeforeOrAfter, way.blobs.clone(), TOKEN).await.unwrap();
        });
        assert_eq!(walk(&way.desk.project()), way.tree);
    });
    assert!(steps > 20, "{steps}");
}

#[test]
fn a_killed_write_is_taken_back_by_the_reversed_one() {
    at_every_step(BUSY.0, BUSY.1, Fate::Die, |way, target, _| {
        let back = way.reversed();
        wait(async {
            assert_eq!(target.check(&back, Check::BeforeOrAfter).await.unwrap(), []);
            target.write(&back, Check::BeforeOrAfter, way.blobs.clone(), &format!("{TOKEN}R")).await.unwrap();
        });
        assert_eq!(walk(&way.desk.project()), way.base);
    });
}

#[test]
fn a_failed_write_takes_back_what_it_did() {
    at_every_step(BUSY.0, BUSY.1, Fate::Fail, |way, _, error| {
        assert!(matches!(error, TargetError::Write { undone: true, .. }), "{error}");
        assert_eq!(walk(&way.desk.project()), way.base);
        assert!(!leftovers(&way.desk.project()));
    });
}

#[test]
fn every_kind_survives_a_kill_at_every_step() {
    for from in MAKE {
        for to in MAKE {
            let (make, change) =
                (format!(": > other; {from}"), format!("chmod -R u+rwx p 2>/dev/null; rm -rf p; {to}"));
            at_every_step(&make, &change, Fate::Die, |way, target, _| {
                wait(target.write(&way.net, Check::BeforeOrAfter, way.blobs.clone(), TOKEN)).unwrap();
                assert_eq!(walk(&way.desk.project()), way.tree, "{from} -> {to}");
            });
        }
    }
}

#[test]
fn a_killed_write_that_cannot_be_finished_is_taken_back() {
    let make = "printf 1 > a; printf 2 > b; printf 3 > c";
    at_every_step(make, "printf 11 > a; rm b; printf 33 > c", Fate::Die, |way, target, _| {
        std::fs::write(way.desk.project().join("c"), "mine").unwrap();
        let error = wait(target.write(&way.net, Check::BeforeOrAfter, way.blobs.clone(), TOKEN)).unwrap_err();
        assert!(matches!(error, TargetError::Write { undone: true, .. }), "{error}");
        let mut wanted = way.base.clone();
        wanted.insert(b"c".to_vec(), ('f', 0o644, b"mine".to_vec()));
        assert_eq!(walk(&way.desk.project()), wanted);
        assert!(!leftovers(&way.desk.project()));
    });
}
