//! The project was changed by hand between run and apply: nothing at all is written.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{Case, assert_same, delete, edit, plan, shell, stamps, tree, write};

/// Modifies, creates, deletes, creates below a new directory, changes a mode.
fn five_changes() -> Value {
    plan(&[
        edit("edited.txt", "old", "new"),
        write("made.txt", "made\n"),
        delete("gone.txt"),
        write("folder/deep.txt", "deep\n"),
        shell("chmod 700 mode.sh"),
    ])
}

fn project() -> Case {
    let case = Case::new();
    for name in ["edited.txt", "gone.txt", "mode.sh", "bystander.txt"] {
        case.file(name, "old\n");
        fs::set_permissions(case.project.join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    case
}

/// Runs the plan, changes the project by hand, and expects exactly these paths to be conflicts.
fn refused(by_hand: impl Fn(&Case), paths: &[&str], put_right: impl Fn(&Case)) {
    let case = project();
    let before = tree(&case.project);
    let data = case.run(0, &five_changes(), &["--allow", "unsafe"]);
    let id = data["plan_id"].as_str().unwrap();
    by_hand(&case);
    let as_left = stamps(&case.project);

    let plain = case.agents(&["plan", "apply", id]).exits(4);
    assert!(plain.out.is_empty(), "{}", plain.out);
    let plain = plain.complains(&["are not what was recorded; nothing was written"]);
    assert_eq!(stamps(&case.project), as_left, "nothing at all is written");
    let json = case.json(4, &["plan", "apply", id]);
    assert_eq!(stamps(&case.project), as_left);
    assert_eq!(
        (&json["error"]["code"], &json["data"]["state"]),
        (&"conflict".into(), &"apply/queued".into())
    );
    let listed: Vec<&Value> =
        json["data"]["conflicts"].as_array().unwrap().iter().map(|c| &c["path"]).collect();
    assert_eq!(listed, paths, "{json}");
    let details = json["error"]["detail"].as_array().unwrap();
    assert_eq!(details.len(), paths.len());
    let plain = details.iter().fold(plain, |plain, line| plain.complains(&[line.as_str().unwrap()]));
    paths.iter().fold(plain, |plain, path| plain.complains(&[&format!("  {path}: ")]));
    let status = case.agents(&["plan", "status", id]).exits(0).says(&["State apply/queued"]);
    paths.iter().fold(status, |status, path| status.says(&[&format!("  conflict  {path}  ")]));

    put_right(&case);
    assert_same(&tree(&case.project), &before, "the test put it right");
    case.json(0, &["plan", "apply", id]);
    let wanted = case.beside("wanted");
    fs::create_dir_all(wanted.join("folder")).unwrap();
    let found = tree(&case.project);
    assert_eq!(found.len(), 7, "root, folder and five files");
    assert_eq!(fs::read(case.project.join("edited.txt")).unwrap(), b"new\n");
    case.json(0, &["plan", "rollback", id]);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

fn text(case: &Case, name: &str, text: &str) {
    fs::write(case.project.join(name), text).unwrap();
}

fn mode(case: &Case, name: &str, mode: u32) {
    fs::set_permissions(case.project.join(name), fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn an_edit_by_hand() {
    refused(|c| text(c, "edited.txt", "mine\n"), &["edited.txt"], |c| text(c, "edited.txt", "old\n"));
}

#[test]
fn a_file_that_the_plan_would_create() {
    let remove = |c: &Case| fs::remove_file(c.project.join("made.txt")).unwrap();
    refused(|c| text(c, "made.txt", "mine\n"), &["made.txt"], remove);
}

#[test]
fn a_file_that_is_gone() {
    let remove = |c: &Case| fs::remove_file(c.project.join("edited.txt")).unwrap();
    let back = |c: &Case| {
        text(c, "edited.txt", "old\n");
        mode(c, "edited.txt", 0o644);
    };
    refused(remove, &["edited.txt"], back);
}

#[test]
fn a_file_that_the_plan_deletes_was_edited() {
    refused(|c| text(c, "gone.txt", "mine\n"), &["gone.txt"], |c| text(c, "gone.txt", "old\n"));
}

#[test]
fn a_mode_that_was_changed() {
    refused(|c| mode(c, "mode.sh", 0o600), &["mode.sh"], |c| mode(c, "mode.sh", 0o644));
}

#[test]
fn another_kind_of_node_at_a_path() {
    let link = |c: &Case| std::os::unix::fs::symlink("bystander.txt", c.project.join("folder")).unwrap();
    refused(link, &["folder"], |c| fs::remove_file(c.project.join("folder")).unwrap());
}

#[test]
fn all_conflicts_are_listed_at_once() {
    let break_all = |c: &Case| {
        text(c, "edited.txt", "mine\n");
        text(c, "made.txt", "mine\n");
        mode(c, "gone.txt", 0o600);
    };
    let put_right = |c: &Case| {
        text(c, "edited.txt", "old\n");
        fs::remove_file(c.project.join("made.txt")).unwrap();
        mode(c, "gone.txt", 0o644);
    };
    refused(break_all, &["edited.txt", "gone.txt", "made.txt"], put_right);
}

#[test]
fn a_run_that_would_apply_says_so_too() {
    let case = project();
    // The plan's own command changes nothing of the project; a person does, while it runs: here before the apply.
    let file = case.plan_file(&five_changes());
    let data = case.json(0, &["run", file.to_str().unwrap(), "--allow", "unsafe"])["data"].take();
    case.json(0, &["plan", "apply", data["plan_id"].as_str().unwrap()]);
    // The same plan again does not fit any more: its edits find nothing, and nothing is written.
    let untouched = stamps(&case.project);
    let failed = case.json(1, &["run", file.to_str().unwrap(), "--allow", "unsafe", "--apply"]);
    assert_eq!(failed["data"]["state"], "execute/errored");
    assert_eq!(failed["data"]["decisions"][1]["calls"].as_array().unwrap().len(), 1);
    assert_eq!(failed["data"]["changes"], json!([]));
    assert_eq!(stamps(&case.project), untouched);
}
