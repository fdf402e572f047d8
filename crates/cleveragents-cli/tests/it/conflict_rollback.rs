//! The project was changed by hand after the apply: a rollback never takes that away.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::support::{Case, assert_same, delete, edit, plan, stamps, tree, write};

/// Something that a person does.
type Act<'a> = &'a dyn Fn();

#[test]
fn an_edit_by_hand_survives_a_rollback() {
    let case = Case::new();
    case.file("edited.txt", "old\n");
    case.file("gone.txt", "gone\n");
    case.file("bystander.txt", "mine\n");
    let before = tree(&case.project);
    let calls = [edit("edited.txt", "old", "new"), write("folder/made.txt", "made\n"), delete("gone.txt")];
    let data = case.run(0, &plan(&calls), &["--apply"]);
    let id = data["plan_id"].as_str().unwrap();
    let applied = tree(&case.project);

    let (edited, made, gone) = (
        case.project.join("edited.txt"),
        case.project.join("folder/made.txt"),
        case.project.join("gone.txt"),
    );
    let mode = fs::metadata(&edited).unwrap().permissions();
    let by_hand: [(&str, Act<'_>, Act<'_>); 5] = [
        ("edited.txt", &|| fs::write(&edited, "mine\n").unwrap(), &|| fs::write(&edited, "new\n").unwrap()),
        ("edited.txt", &|| fs::remove_file(&edited).unwrap(), &|| {
            fs::write(&edited, "new\n").unwrap();
            fs::set_permissions(&edited, mode.clone()).unwrap();
        }),
        ("edited.txt", &|| fs::set_permissions(&edited, fs::Permissions::from_mode(0o640)).unwrap(), &|| {
            fs::set_permissions(&edited, mode.clone()).unwrap();
        }),
        ("folder/made.txt", &|| fs::write(&made, "more\n").unwrap(), &|| fs::write(&made, "made\n").unwrap()),
        ("gone.txt", &|| fs::write(&gone, "back\n").unwrap(), &|| fs::remove_file(&gone).unwrap()),
    ];
    for (path, act, put_right) in by_hand {
        act();
        let as_left = stamps(&case.project);
        let plain = case.agents(&["plan", "rollback", id]).exits(4);
        assert!(plain.out.is_empty(), "{}", plain.out);
        plain.complains(&["nothing was written", &format!("  {path}: ")]);
        let json = case.json(4, &["plan", "rollback", id]);
        assert_eq!(json["error"]["code"], "conflict");
        let details = json["error"]["detail"].as_array().unwrap();
        assert!(
            details.len() == 1 && details[0].as_str().unwrap().starts_with(&format!("{path}: ")),
            "{json}"
        );
        assert_eq!(stamps(&case.project), as_left, "{path}: nothing is written");
        assert_eq!(json["data"]["apply"], "applied");
        put_right();
        assert_same(&tree(&case.project), &applied, "the test put it right");
    }

    // What the plan did not touch is not looked at, and not touched.
    fs::write(case.project.join("bystander.txt"), "changed since\n").unwrap();
    case.file("new.txt", "since\n");
    case.json(0, &["plan", "rollback", id]);
    let mut wanted = before;
    let after = tree(&case.project);
    for path in [&b"bystander.txt"[..], b"new.txt"] {
        wanted.insert(path.to_vec(), after[path].clone());
    }
    assert_same(&after, &wanted, "after the rollback");
}

#[test]
fn a_file_put_into_the_plans_folder_keeps_the_folder() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("folder/made.txt", "made\n")]), &["--apply"]);
    let id = data["plan_id"].as_str().unwrap();
    case.file("folder/mine.txt", "mine\n");
    let as_left = stamps(&case.project);
    let refused = case.json(4, &["plan", "rollback", id]);
    let listed: Vec<&Value> = refused["error"]["detail"].as_array().unwrap().iter().collect();
    assert!(listed.len() == 1 && listed[0].as_str().unwrap().starts_with("folder"), "{refused}");
    assert_eq!(stamps(&case.project), as_left);
    fs::remove_file(case.project.join("folder/mine.txt")).unwrap();
    case.json(0, &["plan", "rollback", id]);
    assert_eq!(tree(&case.project).len(), 1);
}
