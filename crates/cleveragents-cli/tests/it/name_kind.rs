//! Every kind of change, by tools and by commands: exact after the apply, exact after the rollback.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Case, assert_same, copy_tree, delete, plan, shell, tree, write};

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Files, links and directories of several modes.
fn project() -> Case {
    let case = Case::new();
    for (name, text, bits) in [
        ("plain.txt", "plain\n", 0o644),
        ("private.txt", "secret\n", 0o600),
        ("tool.sh", "#!/bin/sh\n", 0o755),
        ("full.txt", "full\n", 0o644),
        ("becomes-dir", "file\n", 0o640),
        ("becomes-link", "file\n", 0o644),
        ("tree/deep/file.txt", "deep\n", 0o644),
        ("becomes-file/inner/file.txt", "inner\n", 0o644),
        ("empty-before.txt", "", 0o644),
    ] {
        case.file(name, text);
        mode(&case.project.join(name), bits);
    }
    fs::create_dir(case.project.join("empty-dir")).unwrap();
    symlink("plain.txt", case.project.join("link")).unwrap();
    symlink("nowhere", case.project.join("dangling")).unwrap();
    for directory in ["tree", "tree/deep", "becomes-file", "becomes-file/inner", "empty-dir"] {
        mode(&case.project.join(directory), 0o755);
    }
    case
}

/// Runs, applies, compares with a copy changed by hand, rolls back, compares with the start.
#[track_caller]
fn both_ways(calls: &[Value], by_hand: impl Fn(&Path)) -> Value {
    let case = project();
    let before = tree(&case.project);
    let wanted = case.beside("wanted");
    copy_tree(&case.project, &wanted);
    by_hand(&wanted);
    let data = case.run(0, &plan(calls), &["--allow", "unsafe"]);
    assert_same(&tree(&case.project), &before, "after the run");
    let id = data["plan_id"].as_str().unwrap();
    case.json(0, &["plan", "apply", id]);
    assert_same(&tree(&case.project), &tree(&wanted), "after the apply");
    case.json(0, &["plan", "rollback", id]);
    assert_same(&tree(&case.project), &before, "after the rollback");
    data
}

fn operations(data: &Value) -> Vec<(&str, &str)> {
    let changes = data["changes"].as_array().unwrap();
    changes.iter().map(|c| (c["path"].as_str().unwrap(), c["operation"].as_str().unwrap())).collect()
}

#[test]
fn empty_files_are_made_and_files_are_emptied() {
    let data = both_ways(&[write("marker", ""), write("full.txt", ""), delete("empty-before.txt")], |at| {
        fs::write(at.join("marker"), "").unwrap();
        mode(&at.join("marker"), 0o644);
        fs::write(at.join("full.txt"), "").unwrap();
        fs::remove_file(at.join("empty-before.txt")).unwrap();
    });
    let wanted = [("empty-before.txt", "delete"), ("full.txt", "modify"), ("marker", "create")];
    assert_eq!(operations(&data), wanted);
    both_ways(&[shell(": > marker; chmod 640 marker; : > full.txt")], |at| {
        fs::write(at.join("marker"), "").unwrap();
        mode(&at.join("marker"), 0o640);
        fs::write(at.join("full.txt"), "").unwrap();
    });
}

#[test]
fn only_deletions_are_changes() {
    let data =
        both_ways(&[delete("tree"), delete("private.txt"), delete("link"), delete("empty-dir")], |at| {
            fs::remove_dir_all(at.join("tree")).unwrap();
            fs::remove_file(at.join("private.txt")).unwrap();
            fs::remove_file(at.join("link")).unwrap();
            fs::remove_dir(at.join("empty-dir")).unwrap();
        });
    assert!(
        operations(&data).len() == 6 && operations(&data).iter().all(|(_, operation)| *operation == "delete")
    );
}

#[test]
fn modes_are_kept_and_a_mode_is_a_change_of_its_own() {
    let edits = [
        json!({ "tool": "edit_file", "with": { "path": "private.txt", "edits": [{ "old": "secret", "new": "hidden" }] } }),
        write("tool.sh", "#!/bin/sh\nexit 0\n"),
        json!({ "tool": "move_path", "with": { "from": "becomes-dir", "to": "moved" } }),
        shell("chmod 600 plain.txt; chmod 700 tree; chmod 4711 full.txt; mkdir -m 750 new-dir"),
    ];
    let data = both_ways(&edits, |at| {
        fs::write(at.join("private.txt"), "hidden\n").unwrap();
        fs::write(at.join("tool.sh"), "#!/bin/sh\nexit 0\n").unwrap();
        fs::rename(at.join("becomes-dir"), at.join("moved")).unwrap();
        fs::create_dir(at.join("new-dir")).unwrap();
        for (name, bits) in [("plain.txt", 0o600), ("tree", 0o700), ("full.txt", 0o4711), ("new-dir", 0o750)]
        {
            mode(&at.join(name), bits);
        }
    });
    for path in ["plain.txt", "tree", "full.txt"] {
        assert!(operations(&data).contains(&(path, "mode")), "{path}");
    }
}

#[test]
fn every_kind_becomes_every_other() {
    let command = "rm becomes-dir && mkdir -m 755 becomes-dir && echo x > becomes-dir/x && chmod 644 becomes-dir/x && \
         rm -r becomes-file && echo y > becomes-file && chmod 600 becomes-file && \
         ln -sf plain.txt becomes-link && \
         rm link && echo z > link && chmod 644 link && \
         rm dangling && mkdir -m 755 dangling && \
         rmdir empty-dir && ln -s tree empty-dir";
    let data = both_ways(&[shell(command)], |at| {
        fs::remove_file(at.join("becomes-dir")).unwrap();
        fs::create_dir(at.join("becomes-dir")).unwrap();
        mode(&at.join("becomes-dir"), 0o755);
        fs::write(at.join("becomes-dir/x"), "x\n").unwrap();
        mode(&at.join("becomes-dir/x"), 0o644);
        fs::remove_dir_all(at.join("becomes-file")).unwrap();
        fs::write(at.join("becomes-file"), "y\n").unwrap();
        mode(&at.join("becomes-file"), 0o600);
        for link in ["becomes-link", "link", "dangling"] {
            fs::remove_file(at.join(link)).unwrap();
        }
        symlink("plain.txt", at.join("becomes-link")).unwrap();
        fs::write(at.join("link"), "z\n").unwrap();
        mode(&at.join("link"), 0o644);
        fs::create_dir(at.join("dangling")).unwrap();
        mode(&at.join("dangling"), 0o755);
        fs::remove_dir(at.join("empty-dir")).unwrap();
        symlink("tree", at.join("empty-dir")).unwrap();
    });
    let kinds = operations(&data).iter().filter(|(_, operation)| *operation == "kind_change").count();
    assert_eq!(kinds, 6, "{:?}", operations(&data));
}
