//! What we write, git must be able to apply, byte for byte. git is the judge: it shares no code with us.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cleveragents_diff::{
    FileChange, Operation, Patch, Rename, Side, UnifiedDiff, apply_file, is_binary, line_counts,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What stands at one path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    File { exec: bool, content: Vec<u8> },
    Link(Vec<u8>),
}

impl State {
    fn side(&self) -> Side<'_> {
        match self {
            State::File { exec, content } => Side::file(if *exec { 0o755 } else { 0o644 }, content),
            State::Link(target) => Side::symlink(target),
        }
    }

    fn write(&self, path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match self {
            State::File { exec, content } => {
                fs::write(path, content).unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(if *exec { 0o755 } else { 0o644 }))
                    .unwrap();
            }
            State::Link(target) => symlink(std::ffi::OsStr::from_bytes(target), path).unwrap(),
        }
    }

    fn read(path: &Path) -> Option<State> {
        let stat = fs::symlink_metadata(path).ok()?;
        Some(if stat.is_symlink() {
            State::Link(fs::read_link(path).unwrap().as_os_str().as_bytes().to_vec())
        } else {
            State::File { exec: stat.permissions().mode() & 0o100 != 0, content: fs::read(path).unwrap() }
        })
    }
}

type Tree = BTreeMap<Vec<u8>, (Option<State>, Option<State>)>;

fn line() -> impl Strategy<Value = Vec<u8>> {
    let body = prop_oneof![
        4 => (0u8..6).prop_map(|n| vec![b'a' + n]),
        2 => Just(Vec::new()),
        1 => Just(b"    indented".to_vec()),
        1 => prop::sample::select(vec![
            &b"-- old"[..], b"++ new", b"@@ -1 +1 @@", b"diff --git a/x b/x", b"\\ No newline at end of file",
            b"\xef\xbb\xbfx = 1", b"lone\rreturn", b"\r", b"caf\xe9", b"\xff\xfe", b" ", b"\t", b"# mode 0644 x",
        ]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(1u8..=255, 0..12).prop_map(|bytes| bytes.into_iter().filter(|&b| b != b'\n').collect()),
    ];
    (body, prop_oneof![3 => Just(&b"\n"[..]), 1 => Just(&b"\r\n"[..])])
        .prop_map(|(body, end)| [&body, end].concat())
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(line(), 0..24), any::<bool>(), prop::bool::weighted(0.1)).prop_map(
        |(lines, cut, mark)| {
            let mut content = if mark { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
            content.extend(lines.concat());
            if cut && content.ends_with(b"\n") {
                content.pop();
            }
            content
        },
    )
}

/// A content that was edited here and there; now and then one that has nothing to do with the first.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edits =
        prop::collection::vec((any::<prop::sample::Index>(), 0usize..3, prop::option::of(line())), 1..4);
    (content(), content(), edits, 0u8..5, any::<bool>()).prop_map(|(before, other, edits, way, end)| {
        let mut lines: Vec<Vec<u8>> = before.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        for (place, removed, added) in edits {
            let start = place.index(lines.len() + 1);
            let stop = (start + removed).min(lines.len());
            lines.splice(start..stop, added);
        }
        let mut after = if way == 0 { other } else { lines.concat() };
        if end && after.last().is_some_and(|&last| last != b'\n') {
            after.push(b'\n');
        }
        (before, after)
    })
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop::sample::select(vec![
        &b" "[..],
        b"\t",
        b"\n",
        b"\"",
        b"\\",
        b"\xc3\xa9",
        b"\xff",
        b"a b",
        b" b",
        b"\x01",
        b"\x7f",
        b"->",
        b"#",
        b"'",
        b"-",
        b"x\ty",
        b"\r",
        b"\\303",
        b"a ",
        b"=>",
        b"+++",
        b"dev",
        b"null",
    ]);
    prop::collection::vec(odd, 1..4).prop_map(|parts| parts.concat())
}

fn state(content: Vec<u8>, exec: bool, link: bool) -> State {
    let target: Vec<u8> = content.iter().copied().filter(|&b| b != 0).take(60).collect();
    if link && !target.is_empty() { State::Link(target) } else { State::File { exec, content } }
}

fn case() -> impl Strategy<Value = (Vec<u8>, Option<State>, Option<State>)> {
    let flags =
        (any::<bool>(), prop::bool::weighted(0.2), prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    (name(), pair(), flags, 0u8..8).prop_map(
        |(name, (before, after), (exec, flip, link, relink), presence)| {
            let before = (presence != 0).then(|| state(before, exec, link));
            let after = (presence != 1).then(|| state(after, exec != flip, link != relink));
            (name, before, after)
        },
    )
}

fn apply(root: &Path, patch: &[u8]) -> Result<(), String> {
    let mut git = Command::new("git")
        .args(["apply", "--whitespace=nowarn"])
        .current_dir(root)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("GIT_CEILING_DIRECTORIES", root.parent().unwrap())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // git reads all of its input before it says anything.
    git.stdin.take().unwrap().write_all(patch).unwrap();
    let output = git.wait_with_output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn patch(tree: &Tree) -> Vec<u8> {
    let mut patch = Vec::new();
    for (path, (before, after)) in tree {
        let change = FileChange {
            path,
            before: before.as_ref().map(State::side),
            after: after.as_ref().map(State::side),
        };
        UnifiedDiff::new().append(&change, &mut patch);
    }
    patch
}

fn at(root: &Path, path: &[u8]) -> PathBuf {
    root.join(std::ffi::OsStr::from_bytes(path))
}

/// Our own parser must come to the same states.
fn read_back(tree: &Tree, patch: &[u8]) {
    let parsed = Patch::parse(patch).unwrap_or_else(|error| panic!("{error}"));
    let mut states: BTreeMap<Vec<u8>, State> =
        tree.iter().filter_map(|(path, (before, _))| Some((path.clone(), before.clone()?))).collect();
    for file in &parsed.files {
        let base = states.remove(file.path());
        let (content, exec) = match &base {
            None => (&b""[..], false),
            Some(State::File { exec, content }) => (&content[..], *exec),
            Some(State::Link(target)) => (&target[..], false),
        };
        let was_link = matches!(base, Some(State::Link(_)));
        let result = apply_file(content, file).unwrap();
        if file.operation != Operation::Delete {
            let is_link = file.new_mode.map_or(was_link, |mode| mode == 0o120_000);
            let exec = file.new_mode.map_or(exec, |mode| mode & 0o100 != 0);
            let state = if is_link { State::Link(result) } else { State::File { exec, content: result } };
            states.insert(file.path().to_vec(), state);
        }
    }
    for (path, (_, after)) in tree {
        assert_eq!(states.get(path), after.as_ref(), "{}", path.escape_ascii());
    }
}

/// Goes from the one state of `tree` to the other and back, and compares what stands there. The way back has a patch
/// of its own: `git apply -R` drops the exec bit where a link became an executable, in git's own patches too.
fn check(tree: &Tree) {
    let root = tempfile::tempdir().unwrap();
    for (path, (before, _)) in tree {
        if let Some(before) = before {
            before.write(&at(root.path(), path));
        }
    }
    let back: Tree =
        tree.iter().map(|(path, (before, after))| (path.clone(), (after.clone(), before.clone()))).collect();
    for tree in [tree, &back] {
        let patch = patch(tree);
        let shown = || patch.escape_ascii().to_string().replace("\\n", "\n");
        apply(root.path(), &patch).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
        read_back(tree, &patch);
        for (path, (_, after)) in tree {
            assert_eq!(&State::read(&at(root.path(), path)), after, "{}", path.escape_ascii());
        }
    }
}

fn runner(seed: u8) -> TestRunner {
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

#[test]
fn git_gets_the_same_bytes_back() {
    const BATCHES: u8 = 24;
    const PAIRS: usize = 100;
    let mut pairs = 0;
    for seed in 0..BATCHES {
        let mut runner = runner(seed);
        let mut tree = Tree::new();
        for index in 0..PAIRS {
            let (name, before, after) = case().new_tree(&mut runner).unwrap().current();
            if before == after {
                continue;
            }
            // A folder of its own for each, so that no name is in the way of another.
            let path = [format!("{index}/").as_bytes(), &name[..]].concat();
            assert!(![&before, &after].into_iter().flatten().any(|state| match state {
                State::File { content, .. } => is_binary(content),
                State::Link(_) => false,
            }));
            tree.insert(path, (before, after));
        }
        pairs += tree.len();
        check(&tree);
    }
    assert!(pairs >= 2000, "only {pairs} pairs");
}

#[test]
fn counts_are_those_that_git_finds_in_the_patch() {
    let mut runner = runner(99);
    let root = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let (before, after) = pair().new_tree(&mut runner).unwrap().current();
        if before == after {
            continue;
        }
        let counts = line_counts(&before, &after);
        let tree: Tree = [(
            b"x".to_vec(),
            (
                Some(State::File { exec: false, content: before }),
                Some(State::File { exec: false, content: after }),
            ),
        )]
        .into();
        let file = root.path().join("patch");
        fs::write(&file, patch(&tree)).unwrap();
        let output = Command::new("git")
            .args(["apply", "--numstat"])
            .arg(&file)
            .current_dir(root.path())
            .output()
            .unwrap();
        let expected = format!("{}\t{}\tx\n", counts.added, counts.removed);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}

#[test]
fn comment_lines_do_not_disturb_git() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("key"), "a\n").unwrap();
    let mut patch = Vec::new();
    let mut append = |path: &[u8], before, after| {
        UnifiedDiff::new().append(&FileChange { path, before, after }, &mut patch);
    };
    append(b"key", Some(Side::file(0o644, b"a\n")), Some(Side::file(0o600, b"b\n")));
    append(b"empty\ndir", None, Some(Side::directory(0o755)));
    append(b"marker", None, Some(Side::file(0o600, b"")));
    append(b"last", None, Some(Side::file(0o640, b"no newline")));
    append(b"other", Some(Side::directory(0o755)), None);
    apply(root.path(), &patch).unwrap();
    assert_eq!(fs::read(root.path().join("key")).unwrap(), b"b\n");
    assert_eq!(fs::read(root.path().join("marker")).unwrap(), b"");
    assert_eq!(fs::read(root.path().join("last")).unwrap(), b"no newline");
}

#[test]
fn a_nul_too_far_behind_to_be_seen_is_text() {
    let before = b"line\n".repeat(2000);
    let after = [&before[..], b"\0\n"].concat();
    assert!(!is_binary(&after));
    let file = |content| Some(State::File { exec: false, content });
    check(&[(b"x".to_vec(), (file(before), file(after)))].into());
}

#[test]
fn renames_are_git_s() {
    let root = tempfile::tempdir().unwrap();
    let names: [(&[u8], &[u8]); 4] =
        [(b"old x", b"new/\xc3\xa9"), (b"same", b"moved"), (b"tab\t", b"b/a"), (b"a/b", b"\"q\"")];
    let mut patch = Vec::new();
    for (index, (from, path)) in names.into_iter().enumerate() {
        let before = b"1\n2\n3\n4\n5\n".to_vec();
        let after = if index == 1 { before.clone() } else { b"1\n2\nthree\n4\n5".to_vec() };
        State::File { exec: false, content: before.clone() }.write(&at(root.path(), from));
        let change = FileChange {
            path,
            before: Some(Side::file(0o644, &before)),
            after: Some(Side::file(0o755, &after)),
        };
        let rename = Rename { from, similarity: if index == 1 { 100 } else { 60 } };
        let start = patch.len();
        UnifiedDiff::new().append_renamed(&change, &rename, &mut patch);
        let parsed = Patch::parse(&patch[start..]).unwrap();
        let file = &parsed.files[0];
        assert_eq!((file.operation, file.old_path.as_deref()), (Operation::Rename, Some(from)));
        assert_eq!((file.path(), file.similarity), (path, Some(rename.similarity)));
        assert_eq!(apply_file(&before, file).unwrap(), after);
    }
    apply(root.path(), &patch).unwrap();
    for (index, (from, path)) in names.into_iter().enumerate() {
        assert_eq!(State::read(&at(root.path(), from)), None);
        let Some(State::File { exec: true, content }) = State::read(&at(root.path(), path)) else { panic!() };
        assert_eq!(content.ends_with(b"\n"), index == 1);
    }
}
