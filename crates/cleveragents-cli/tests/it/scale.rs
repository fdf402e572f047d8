//! Many files: it works, and what a call costs does not grow with the tree.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Case, Node, Ran, assert_same, edit, plan, shell, tree};

/// A project of so many small files, fifty a directory.
fn project(files: u32) -> Case {
    let case = Case::new();
    for directory in 0..files / 50 {
        fs::create_dir(case.project.join(format!("d{directory:03}"))).unwrap();
    }
    for file in 0..files {
        let path = format!("d{:03}/f{:02}.txt", file / 50, file % 50);
        fs::write(case.project.join(path), format!("file {file}\nold\n")).unwrap();
    }
    case
}

#[test]
fn five_thousand_files_are_changed_and_deleted_by_one_command_and_come_back() {
    let case = project(5_000);
    let before = tree(&case.project);
    let command = "for f in d01*/*.txt; do echo new >> $f; done; rm -r d02*";
    let data = case.run(0, &plan(&[shell(command)]), &["--allow", "unsafe"]);
    assert_eq!(data["summary"]["operations"], json!({ "modify": 500, "delete": 510 }));
    let id = data["plan_id"].as_str().unwrap();
    case.json(0, &["plan", "apply", id]);
    let mut wanted = before.clone();
    wanted.retain(|path, _| !path.starts_with(b"d02"));
    for (path, node) in &mut wanted {
        if let (true, Node::File { bytes, .. }) = (path.starts_with(b"d01"), node) {
            bytes.extend_from_slice(b"new\n");
        }
    }
    assert_same(&tree(&case.project), &wanted, "after the apply");
    case.json(0, &["plan", "rollback", id]);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

/// What runs in a tree cost.
struct Cost {
    case: Case,
    files: u32,
    /// The recorded time of each of 200 edit calls, in microseconds: the edit, its capture, its hash.
    calls: Vec<u64>,
    /// Processor time of runs with one call, divided by the number of files: a copy and a last look, mostly.
    by_file: Vec<Duration>,
}

impl Cost {
    fn new(files: u32) -> Self {
        Self { case: project(files), files, calls: Vec::new(), by_file: Vec::new() }
    }

    fn edits(&self, count: u32) -> Value {
        let places = (0..count).map(|n| n * (self.files / count));
        let calls: Vec<Value> =
            places.map(|n| edit(&format!("d{:03}/f{:02}.txt", n / 50, n % 50), "old", "new")).collect();
        plan(&calls)
    }

    fn measure(&mut self) {
        let data = self.case.run(0, &self.edits(200), &[]);
        let calls = data["decisions"][1]["calls"].as_array().unwrap();
        assert_eq!(calls.len(), 200);
        self.calls.extend(calls.iter().map(|call| call["duration_us"].as_u64().unwrap()));

        let file = self.case.plan_file(&self.edits(1));
        let mut command = self.case.program("sh");
        let binary = assert_cmd::cargo::cargo_bin!("agents").to_str().unwrap();
        command.args(["-c", "\"$@\" > ../answer && times", "sh", binary, "run", file.to_str().unwrap()]);
        let times = Ran::of(command).exits(0).out;
        let spent = times.lines().last().unwrap().split_whitespace().map(duration).sum::<Duration>();
        self.by_file.push(spent / self.files);
    }

    /// What nearly all calls take at least: what other programs do meanwhile shows in the slower ones.
    fn call(&mut self) -> u64 {
        self.calls.sort_unstable();
        self.calls[self.calls.len() / 10]
    }
}

/// `0m1.230000s`, as the shell's `times` writes it.
fn duration(text: &str) -> Duration {
    let (minutes, seconds) = text.trim_end_matches('s').split_once('m').unwrap();
    Duration::from_secs_f64(60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap())
}

/// Compared is a tree of 400 files with one of 3,200, eight times as large: the tenth percentile of the recorded times
/// of the same 200 edits, and the least processor time by file of a run with one edit. Work that grows with the tree
/// would make each call cost about eight times as much; a copy in quadratic time would do so for each file. Less than
/// three times is accepted.
#[test]
fn a_call_and_a_file_cost_the_same_in_a_larger_tree() {
    let (mut small, mut large) = (Cost::new(400), Cost::new(3_200));
    for _ in 0..3 {
        small.measure();
        large.measure();
    }
    let calls = (small.call(), large.call());
    assert!(calls.1 < 3 * calls.0.max(50), "a call: {calls:?} us");
    let by_file = (small.by_file.iter().min().unwrap(), large.by_file.iter().min().unwrap());
    assert!(*by_file.1 < 3 * *by_file.0, "a run, by file: {by_file:?}");
}
