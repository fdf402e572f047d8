//! Odd names, all the way: plan file, private copy, record, apply, rollback.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{Case, assert_same, copy_tree, delete, edit, moved, plan, shell, tree, write};

/// Names as bytes, and as a plan file writes them: `\\` is a backslash, `\xNN` a byte that is not UTF-8.
const NAMES: [(&[u8], &str); 12] = [
    (b"with space and  two", "with space and  two"),
    (b"line\nbreak", "line\nbreak"),
    (b"-rf", "-rf"),
    (b"--", "--"),
    (b"caf\xe9", "caf\\xe9"),
    (b"\xff\xfe", "\\xff\\xfe"),
    ("naïve ☂".as_bytes(), "naïve ☂"),
    (b"back\\slash", "back\\\\slash"),
    (b"back\\xe9", "back\\\\xe9"),
    (b"'quotes\" $(x) `y` *?[z]", "'quotes\" $(x) `y` *?[z]"),
    (b"\ttab and \x01", "\ttab and \x01"),
    (b"...", "..."),
];

fn at(root: &Path, bytes: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(bytes))
}

fn put(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
}

#[test]
fn every_name_is_edited_made_moved_and_deleted_and_comes_back() {
    let case = Case::new();
    for folder in ["edited", "moved", "deleted"] {
        fs::create_dir(case.project.join(folder)).unwrap();
        for (bytes, _) in NAMES {
            put(&at(&case.project.join(folder), bytes), "old\n");
        }
    }
    let before = tree(&case.project);
    let wanted = case.beside("wanted");
    copy_tree(&case.project, &wanted);
    fs::create_dir(wanted.join("made")).unwrap();
    fs::set_permissions(wanted.join("made"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut calls = Vec::new();
    for (bytes, text) in NAMES {
        calls.push(edit(&format!("edited/{text}"), "old", "new"));
        calls.push(write(&format!("made/{text}"), "made\n"));
        calls.push(moved(&format!("moved/{text}"), &format!("moved/{text}.to")));
        calls.push(delete(&format!("deleted/{text}")));
        put(&at(&wanted.join("edited"), bytes), "new\n");
        put(&at(&wanted.join("made"), bytes), "made\n");
        let from = at(&wanted.join("moved"), bytes);
        fs::rename(&from, at(&wanted.join("moved"), &[bytes, b".to"].concat())).unwrap();
        fs::remove_file(at(&wanted.join("deleted"), bytes)).unwrap();
    }
    let data = case.run(0, &plan(&calls), &[]);
    let id = data["plan_id"].as_str().unwrap();
    let mut paths: Vec<&str> =
        data["changes"].as_array().unwrap().iter().map(|c| c["path"].as_str().unwrap()).collect();
    paths.sort_unstable();
    // What is recorded can be written into a plan file again.
    let mut told: Vec<String> = vec!["made".to_owned()];
    for (_, text) in NAMES {
        let folders = [("edited", ""), ("made", ""), ("moved", ""), ("moved", ".to"), ("deleted", "")];
        told.extend(folders.map(|(folder, end)| format!("{folder}/{text}{end}")));
    }
    told.sort_unstable();
    assert_eq!(paths, told);
    for look in ["status", "diff", "log"] {
        case.agents(&["plan", look, id]).exits(0);
        case.json(0, &["plan", look, id]);
    }
    case.json(0, &["plan", "apply", id]);
    assert_same(&tree(&case.project), &tree(&wanted), "after the apply");
    case.json(0, &["plan", "rollback", id]);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

#[test]
fn a_command_makes_every_name_too() {
    let case = Case::new();
    let before = tree(&case.project);
    let command = "printf x > \"$(printf 'a\\nb')\"; printf x > ./-n; printf x > \"$(printf 'caf\\351')\"; mkdir \"$(printf '\\377 d')\"";
    let data = case.run(0, &plan(&[shell(command)]), &["--allow", "unsafe", "--apply"]);
    let paths: Vec<&str> =
        data["changes"].as_array().unwrap().iter().map(|c| c["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["-n", "a\nb", "caf\\xe9", "\\xff d"]);
    let found: Vec<Vec<u8>> = tree(&case.project).into_keys().collect();
    assert_eq!(found, [&b""[..], b"-n", b"a\nb", b"caf\xe9", b"\xff d"]);
    case.json(0, &["plan", "rollback", data["plan_id"].as_str().unwrap()]);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

#[test]
fn a_project_with_an_odd_name_of_its_own() {
    let mut case = Case::new();
    for name in [&b"it's a\nproject"[..], b"caf\xe9 $HOME", b"-p"] {
        case.project = at(case.project.parent().unwrap(), name);
        fs::create_dir(&case.project).unwrap();
        let before = tree(&case.project);
        let calls = [write("a.txt", "a\n"), shell("cat a.txt > b.txt && test \"$(pwd)\" = \"$PWD\"")];
        let data = case.run(0, &plan(&calls), &["--allow", "unsafe", "--apply"]);
        assert_eq!(fs::read(case.project.join("b.txt")).unwrap(), b"a\n");
        case.json(0, &["plan", "rollback", data["plan_id"].as_str().unwrap()]);
        assert_same(&tree(&case.project), &before, "after the rollback");
    }
}

#[test]
fn names_that_lead_out_are_refused() {
    let case = Case::new();
    let outside = case.beside("outside.txt");
    std::os::unix::fs::symlink("..", case.project.join("up")).unwrap();
    // What is no path of a project is found before anything is created.
    for path in ["../outside.txt", "/outside.txt", "a/../../outside.txt", "nul\0byte"] {
        case.run(2, &plan(&[write(path, "x")]), &["--apply"]);
        assert!(!outside.exists() && !case.state.exists(), "{path:?}");
    }
    // Where a link leads is only known when it is followed.
    let data = case.run(1, &plan(&[write("up/outside.txt", "x")]), &["--apply"]);
    assert_eq!((&data["state"], &data["changes"]), (&"execute/errored".into(), &json!([])));
    assert!(!outside.exists());
    assert_eq!(tree(&case.project).len(), 2);
}
