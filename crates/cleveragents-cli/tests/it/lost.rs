//! State that was lost or damaged is said to be, and output that cannot be written is no success.

use std::fs;
use std::process::Stdio;

use crate::support::{Case, Ran, plan, write};

#[test]
fn a_lost_journal_is_not_taken_for_an_empty_one() {
    for keep_empty in [false, true] {
        let case = Case::new();
        case.run(0, &plan(&[write("a.txt", "a\n")]), &[]);
        let folder = case.sandboxes()[0].parent().unwrap().parent().unwrap().to_owned();
        for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
            let _ = fs::remove_file(folder.join(name));
        }
        if keep_empty {
            fs::write(folder.join("journal.db"), "").unwrap();
        }
        let lost = case.json(5, &["plan", "list"]);
        assert!(lost["error"]["message"].as_str().unwrap().contains("journal.db"), "{lost}");
    }
}

#[test]
fn a_damaged_content_is_evidence_that_does_not_fit() {
    let case = Case::new();
    let id = case.run(0, &plan(&[write("a.txt", "a\n")]), &[])["plan_id"].as_str().unwrap().to_owned();
    let folder = case.sandboxes()[0].parent().unwrap().parent().unwrap().to_owned();
    let connection = rusqlite::Connection::open(folder.join("journal.db")).unwrap();
    assert!(connection.execute("UPDATE blobs SET data = x'00'", []).unwrap() > 0);
    drop(connection);
    case.json(5, &["plan", "diff", &id]);
    case.json(5, &["plan", "apply", &id]);
    assert!(!case.project.join("a.txt").exists());
}

#[test]
fn another_folder_at_the_same_place_is_told() {
    let case = Case::new();
    case.file("a.txt", "a\n");
    case.run(0, &plan(&[write("b.txt", "b\n")]), &[]);
    fs::rename(&case.project, case.beside("moved")).unwrap();
    fs::create_dir(&case.project).unwrap();
    case.agents(&["plan", "list"]).exits(0).complains(&["another folder stands"]);
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let case = Case::new();
    for format in ["plain", "json"] {
        let mut command = case.binary(&["profile", "list", "--format", format]);
        command.stdout(fs::File::options().write(true).open("/dev/full").unwrap()).stderr(Stdio::piped());
        let ran = Ran::from_output(&command.output().unwrap(), std::time::Duration::ZERO);
        ran.exits(1).complains(&["cannot be written"]);
    }
}

#[test]
fn a_cancelled_plan_whose_copy_was_left_can_be_cancelled_again() {
    let case = Case::new();
    let id = case.run(0, &plan(&[write("a.txt", "a\n")]), &[])["plan_id"].as_str().unwrap().to_owned();
    let sandbox = case.sandboxes()[0].clone();
    let aside = case.beside("aside");
    fs::rename(&sandbox, &aside).unwrap();
    case.json(0, &["plan", "cancel", &id]);
    fs::rename(&aside, &sandbox).unwrap();
    case.json(0, &["plan", "cancel", &id]);
    assert!(case.sandboxes().is_empty());
    case.json(1, &["plan", "cancel", &id]);
}
