//! What git writes, we must be able to read and apply: on generated repositories with files of all sorts, and on the
//! history of this project where the tests run in a clone of it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use cleveragents_diff::{BinaryPatch, Operation, Patch, apply_file};

use crate::git::{command, feed, run};
use crate::random::{Random, edited, joined, lines};

/// git's mode and the content of each path.
type Tree = BTreeMap<Vec<u8>, (u32, Vec<u8>)>;

/// The tree of a commit; empty if there is none.
fn tree(root: &Path, commit: &str) -> Tree {
    let listed = run(root, &["ls-tree", "-r", "-z", "--full-tree", commit]);
    let mut entries = Vec::new();
    let mut ids = Vec::new();
    for entry in listed.split(|&byte| byte == 0).filter(|entry| !entry.is_empty()) {
        let tab = entry.iter().position(|&byte| byte == b'\t').unwrap();
        let fields: Vec<&str> = std::str::from_utf8(&entry[..tab]).unwrap().split(' ').collect();
        entries.push((entry[tab + 1..].to_vec(), u32::from_str_radix(fields[0], 8).unwrap()));
        ids.extend_from_slice(fields[2].as_bytes());
        ids.push(b'\n');
    }
    let mut batch = command(root);
    batch.args(["cat-file", "--batch"]);
    let blobs = feed(batch, &ids).unwrap();
    let mut rest = &blobs[..];
    let mut tree = Tree::new();
    for (path, mode) in entries {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap();
        let size: usize =
            std::str::from_utf8(&rest[..end]).unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        tree.insert(path, (mode, rest[end + 1..end + 1 + size].to_vec()));
        rest = &rest[end + size + 2..];
    }
    tree
}

/// Does to `tree` what the patch says; how many files it changed.
fn apply(tree: &mut Tree, patch: &[u8], after: &Tree) -> usize {
    let parsed = Patch::parse(patch).unwrap_or_else(|error| panic!("{error}"));
    // Every base is what stood there before: a file may be copied and changed in one patch.
    let before = tree.clone();
    for file in &parsed.files {
        let (old, new) = (file.old_path.as_deref(), file.new_path.as_deref());
        let base = old.map(|old| before.get(old).unwrap_or_else(|| panic!("no {}", old.escape_ascii())));
        let content = base.map_or(&b""[..], |(_, content)| content);
        let result = if file.binary == Some(BinaryPatch::Differ) {
            // The bytes are not in the patch.
            assert!(apply_file(content, file).is_err());
            new.map(|new| after[new].1.clone()).unwrap_or_default()
        } else {
            apply_file(content, file)
                .unwrap_or_else(|error| panic!("{}: {error}", file.path().escape_ascii()))
        };
        if matches!(file.operation, Operation::Delete | Operation::Rename) {
            // Unless another file has come there already.
            let old = old.unwrap();
            if tree.get(old) == before.get(old) {
                tree.remove(old);
            }
        }
        if let Some(new) = new {
            let mode = file.new_mode.or(base.map(|(mode, _)| *mode)).unwrap();
            tree.insert(new.to_vec(), (mode, result));
        }
    }
    parsed.files.len()
}

fn check(root: &Path, from: &str, to: &str, options: &[&str]) -> usize {
    let (mut before, after) = (tree(root, from), tree(root, to));
    let patch = run(root, &[&["diff-tree", "-p", "-r"], options, &[from, to]].concat());
    if patch.is_empty() {
        return 0;
    }
    let count = apply(&mut before, &patch, &after);
    let paths = |tree: &Tree| tree.keys().map(|path| path.escape_ascii().to_string()).collect::<Vec<_>>();
    assert_eq!(paths(&before), paths(&after), "{from} to {to} {options:?}");
    for (path, there) in &before {
        assert!(after[path] == *there, "{from} to {to} {options:?}: {}", path.escape_ascii());
    }
    count
}

const NAMES: [&[u8]; 16] = [
    b"plain",
    b"with space",
    b"tab\there",
    b"line\nfeed",
    b"\"quoted\"",
    b"back\\slash",
    b"\xc3\xa9t\xc3\xa9",
    b"\xff\xfe",
    b"a",
    b"b/x",
    b"d/b/c",
    b" lead",
    b"trail ",
    b"x => y",
    b"cr\rname",
    b"dev/null",
];

/// Puts random files of all sorts in the folder, or changes those that are there.
fn shake(root: &Path, random: &mut Random, contents: &mut BTreeMap<usize, Vec<Vec<u8>>>) {
    for (index, name) in NAMES.iter().enumerate() {
        let path = root.join(std::ffi::OsStr::from_bytes(name));
        let there = contents.get(&index).cloned();
        if there.is_some() && random.one_in(3) {
            continue;
        }
        let _ = fs::remove_file(&path);
        if random.one_in(6) {
            contents.remove(&index);
            continue;
        }
        let other = random.below(NAMES.len());
        let lines = match there {
            _ if random.one_in(5) => contents.get(&other).cloned().unwrap_or_default(), // a copy, or a move
            Some(lines) => edited(random, &lines, 3),
            None => lines(random, 40),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let content =
            if random.one_in(12) { b"bin\0ary".repeat(random.below(9) + 1) } else { joined(random, &lines) };
        let target: Vec<u8> = content.iter().copied().filter(|&byte| byte != 0).take(50).collect();
        if random.one_in(8) && !target.is_empty() {
            symlink(std::ffi::OsStr::from_bytes(&target), &path).unwrap();
        } else {
            fs::write(&path, &content).unwrap();
            let mode = if random.one_in(4) { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        contents.insert(index, lines);
    }
}

#[test]
fn of_generated_repositories() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    run(root, &["init", "-q"]);
    let mut random = Random::new(41);
    let mut contents = BTreeMap::new();
    let mut count = 0;
    run(root, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    for _ in 0..24 {
        shake(root, &mut random, &mut contents);
        run(root, &["add", "-A"]);
        run(root, &["-c", "core.safecrlf=false", "commit", "-q", "--allow-empty", "-m", "x"]);
        let options: [&[&str]; 6] = [
            &["--no-renames"],
            &["-M", "-U1"],
            &["-C", "--find-copies-harder", "--full-index"],
            &["--no-prefix", "-M"],
            &["--src-prefix=i/", "--dst-prefix=w/", "--histogram"],
            // Not `--function-context`: git writes hunks that overlap then, which `git apply` refuses as well.
            &["-B", "-M", "--patience", "-U9"],
        ];
        for options in options {
            count += check(root, "HEAD~", "HEAD", options);
            count += check(root, "HEAD", "HEAD~", options);
        }
    }
    assert!(count > 2000, "only {count}");
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that tests nothing says so")]
fn of_this_projects_history() {
    let mut top = command(Path::new(env!("CARGO_MANIFEST_DIR")));
    let top = top.env_remove("GIT_CEILING_DIRECTORIES").args(["rev-parse", "--show-toplevel"]).output();
    let Some(top) = top.ok().filter(|output| output.status.success()) else {
        eprintln!("skipped: not in a clone");
        return;
    };
    let root = Path::new(std::ffi::OsStr::from_bytes(top.stdout.trim_ascii_end()));
    let listed = String::from_utf8(run(root, &["rev-list", "--no-merges", "--parents", "HEAD"])).unwrap();
    for line in listed.lines().take(400) {
        let Some((commit, parent)) = line.split_once(' ') else { continue };
        // A clone may be shallow.
        if !command(root).args(["cat-file", "-e", parent]).output().unwrap().status.success() {
            continue;
        }
        check(root, parent, commit, &["-M"]);
        check(root, commit, parent, &["-C", "-U1"]);
    }
}
