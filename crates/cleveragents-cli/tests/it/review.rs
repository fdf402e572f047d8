//! The diff in its styles, and in parts.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::support::{Case, delete, edit, moved, write};

/// Two decisions over three files, one of them moved.
fn executed() -> (Case, String) {
    let case = Case::new();
    case.file("a.txt", "one\ntwo\nthree\n");
    case.file("dir/b.txt", "b1\nb2\nb3\nb4\n");
    case.file("gone.txt", "gone\n");
    let plan = json!({
        "name": "parts", "definition_of_done": "shown",
        "decisions": [
            { "title": "first", "calls": [edit("a.txt", "two", "2"), write("new/c.txt", "c\n")] },
            { "title": "second", "calls": [edit("a.txt", "three", "3"), moved("dir/b.txt", "moved.txt"), delete("gone.txt")] },
        ],
    });
    let id = case.run(0, &plan, &[])["plan_id"].as_str().unwrap().to_owned();
    (case, id)
}

#[test]
fn numbers_and_names() {
    let (case, id) = executed();
    let numbers = case.agents(&["plan", "diff", &id, "--numstat"]).exits(0).out;
    for line in ["2\t2\ta.txt", "1\t0\tnew/c.txt", "0\t1\tgone.txt"] {
        assert!(numbers.lines().any(|l| l == line), "{line:?} in {numbers}");
    }
    case.agents(&["plan", "diff", &id, "--stat"]).exits(0).says(&[" a.txt", "++--", "files changed"]);
    let names = case.agents(&["plan", "diff", &id, "--name-only"]).exits(0).out;
    assert_eq!(
        names.lines().collect::<Vec<_>>(),
        ["a.txt", "dir/b.txt", "gone.txt", "moved.txt", "new", "new/c.txt"]
    );
    case.agents(&["plan", "diff", &id, "--stat", "--name-only"]).exits(2);
    assert_eq!(case.json(0, &["plan", "diff", &id, "--numstat"])["data"]["text"], json!(numbers));
}

#[test]
fn a_moved_file_is_shown_as_a_rename_that_git_applies() {
    let (case, id) = executed();
    let patch = case.beside("whole.patch");
    case.agents(&["plan", "diff", &id, "--export", patch.to_str().unwrap()]).exits(0).says(&["whole.patch"]);
    let text = fs::read_to_string(&patch).unwrap();
    assert!(text.contains("rename from dir/b.txt") && text.contains("rename to moved.txt"), "{text}");
    let copy = case.beside("copy");
    crate::support::copy_tree(&case.project, &copy);
    let applied =
        Command::new("git").args(["apply", patch.to_str().unwrap()]).current_dir(&copy).status().unwrap();
    assert!(applied.success());
    assert_eq!(fs::read_to_string(copy.join("moved.txt")).unwrap(), "b1\nb2\nb3\nb4\n");
    assert_eq!(fs::read_to_string(copy.join("a.txt")).unwrap(), "one\n2\n3\n");
    assert!(!copy.join("gone.txt").exists() && copy.join("new/c.txt").exists());
    case.agents(&["plan", "diff", &id, "--export", patch.to_str().unwrap()])
        .exits(1)
        .complains(&["whole.patch"]);
    assert_eq!(fs::read_to_string(&patch).unwrap(), text);
}

#[test]
fn a_part_by_decision_call_or_path() {
    let (case, id) = executed();
    let first = case.agents(&["plan", "diff", &id, "--decision", "1", "a.txt"]).exits(0).out;
    assert!(first.contains("-two") && first.contains("+2") && !first.contains("+3"), "{first}");
    let second = case.agents(&["plan", "diff", &id, "--decision", "2", "a.txt"]).exits(0).out;
    assert!(second.contains("-three") && !second.contains("-two"), "{second}");
    let below = case.agents(&["plan", "diff", &id, "--name-only", "new"]).exits(0).out;
    assert_eq!(below, "new\nnew/c.txt\n");
    let status = case.json(0, &["plan", "status", &id]);
    let call = status["data"]["decisions"][1]["calls"][1]["call_id"].as_str().unwrap();
    let one = case.agents(&["plan", "diff", &id, "--call", call, "--name-only"]).exits(0).out;
    assert_eq!(one, "new\nnew/c.txt\n");
    case.agents(&["plan", "diff", &id, "nowhere"]).exits(0).complains(&["changes nothing here"]);
    for wrong in
        [["--decision", "9"], ["--call", "x"], ["--call", "01ARZ3NDEKTSV4RRFFQ69G5FAV"], ["--", "../x"]]
    {
        case.agents(&["plan", "diff", &id, wrong[0], wrong[1]]).exits(2);
    }
}
