//! The shell example: confined where the machine can, and never silently unconfined.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::Duration;

use crate::support::{Case, Flag, Tree, assert_same, copy_tree, plan, shell, stamps, tree};

fn wanted(case: &Case) -> Tree {
    let copy = case.beside("wanted");
    copy_tree(&case.project, &copy);
    fs::create_dir(copy.join("colours")).unwrap();
    fs::write(copy.join("colours/red.txt"), "red apple\nred cherry\n").unwrap();
    fs::write(copy.join("colours/.keep"), "").unwrap();
    fs::write(copy.join("fruit.txt"), "green pear\n").unwrap();
    fs::set_permissions(copy.join("fruit.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("colours/red.txt", copy.join("red")).unwrap();
    tree(&copy)
}

#[test]
fn commands_are_confined_where_the_machine_can() {
    let (case, file) = Case::example("shell");
    let (before, wanted) = (tree(&case.project), wanted(&case));
    let run = ["run", file.to_str().unwrap(), "--apply"];
    if !case.confined() {
        let refused = case.json(3, &run);
        assert_eq!(refused["data"]["state"], "execute/errored");
        return assert_same(&tree(&case.project), &before, "after the refusal");
    }
    let ran = case.json(0, &run);
    assert_eq!(ran["data"]["confinement"], serde_json::json!({ "confined": 2 }));
    assert_same(&tree(&case.project), &wanted, "after the apply");
    let id = ran["data"]["plan_id"].as_str().unwrap();
    let status = case.agents(&["plan", "status", id]).exits(0);
    assert!(!status.out.to_lowercase().contains("unconfined"), "{}", status.out);
    case.agents(&["plan", "rollback", id]).exits(0);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

#[test]
fn a_confined_command_writes_nowhere_else_and_sees_the_usual_path() {
    let case = Case::new();
    let outside = case.beside("outside");
    fs::create_dir(&outside).unwrap();
    let escaped = std::env::temp_dir().join(format!("escaped-{}", std::process::id()));
    let flag = Flag::new();
    let (out, tmp, elsewhere) = (outside.display(), escaped.display(), flag.path());
    let places = format!("'{out}/x' '{tmp}' '{}' '{}/x'", elsewhere.display(), case.home.display());
    let command = format!("pwd > where.txt; for place in {places}; do echo x > $place; done; true");
    if !case.confined() {
        // Where it could write elsewhere, it does not run.
        let refused = case.run(3, &plan(&[shell(&command)]), &["--apply"]);
        assert_eq!(refused["failure"]["kind"], "refused");
        return assert_eq!(tree(&case.project).len(), 1);
    }
    case.run(0, &plan(&[shell(&command)]), &["--apply"]);
    assert!(tree(&outside).len() == 1 && tree(&case.home).len() == 1, "written outside");
    assert!(!escaped.exists() && !elsewhere.exists(), "written outside");
    let seen = fs::read_to_string(case.project.join("where.txt")).unwrap();
    assert_eq!(seen.trim(), case.project.canonicalize().unwrap().to_str().unwrap());
}

#[test]
fn what_a_command_leaves_running_is_ended_with_it() {
    for case in [Case::new(), Case::new().without_bubblewrap()] {
        let command = "(sleep 1; echo late > late.txt) & echo made > made.txt";
        let data = case.run(0, &plan(&[shell(command)]), &["--apply", "--allow", "unsafe"]);
        std::thread::sleep(Duration::from_millis(1200));
        let found: Vec<Vec<u8>> = tree(&case.project).into_keys().collect();
        assert_eq!(found, [&b""[..], b"made.txt"]);
        assert_eq!(data["changes"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn without_bubblewrap_commands_need_a_word_and_are_labelled() {
    let (case, file) = Case::example("shell");
    let case = case.without_bubblewrap();
    assert!(!case.confined());
    let file = file.to_str().unwrap();
    let (before, untouched, wanted) = (tree(&case.project), stamps(&case.project), wanted(&case));

    let refused = case.agents(&["run", file]).exits(3).complains(&["denies unsafe", "--allow unsafe"]);
    assert!(refused.out.is_empty(), "{}", refused.out);
    let refused = case.json(3, &["run", file]);
    assert!(refused["error"]["message"].as_str().unwrap().contains("--allow unsafe"), "{refused}");
    assert_eq!(
        (&refused["error"]["code"], &refused["data"]["failure"]["kind"]),
        (&"refused".into(), &"refused".into())
    );
    assert_eq!(refused["data"]["changes"], serde_json::json!([]));
    assert_eq!(case.json(3, &["check", file])["error"]["code"], "refused");
    assert_eq!(stamps(&case.project), untouched);

    let label = "UNCONFINED: 2 command(s) ran without confinement";
    case.agents(&["run", file, "--allow", "unsafe"]).exits(0).says(&[label, "Opened by hand: unsafe"]);
    let ran = case.json(0, &["run", file, "--allow", "unsafe"]);
    let id = ran["data"]["plan_id"].as_str().unwrap();
    case.agents(&["plan", "status", id]).exits(0).says(&[label, "Opened by hand: unsafe"]);
    for document in [&ran, &case.json(0, &["plan", "status", id])] {
        assert_eq!(document["data"]["confinement"], serde_json::json!({ "unconfined": 2 }));
        assert_eq!(document["data"]["allowed"], serde_json::json!(["unsafe"]));
        for call in document["data"]["decisions"][1]["calls"].as_array().unwrap() {
            assert_eq!(call["confinement"], "unconfined");
        }
    }
    case.agents(&["plan", "log", id]).exits(0).says(&["confinement=unconfined"]);
    assert_eq!(stamps(&case.project), untouched);
    case.json(0, &["plan", "apply", id]);
    assert_same(&tree(&case.project), &wanted, "after the apply");
    case.json(0, &["plan", "rollback", id]);
    assert_same(&tree(&case.project), &before, "after the rollback");
}
