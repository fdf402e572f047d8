//! L1, and L4 to L6 on its result: random trees, random calls, the fold, apply and rollback.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use cleveragents_runtime::domain::{NetChange, RelPath};
use cleveragents_runtime::{Check, Target};
use cleveragents_testkit::workspace::{Act, Call, Snapshot, contract, play, walk};
use cleveragents_workspace::DirectoryTarget;
use proptest::prelude::*;

use crate::fixture::{Desk, blobs, copy_of, wait};

const NAMES: [&[u8]; 8] = [b"a", b"b", b"c d", b"-n", b"new\nline", b"caf\xe9", b"sub", b"it's"];
const MODES: [u32; 6] = [0o600, 0o644, 0o755, 0o444, 0o640, 0o4755];

#[derive(Debug, Clone)]
enum Seed {
    File(Vec<u8>, u32),
    Dir(u32),
    Link(Vec<u8>),
}

fn path() -> impl Strategy<Value = RelPath> {
    proptest::collection::vec(prop::sample::select(&NAMES[..]), 1..4)
        .prop_map(|names| RelPath::from_bytes(names.join(&b'/')).unwrap())
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(Vec::new()),
        proptest::collection::vec(any::<u8>(), 1..20),
        Just(b"line\nline\n".to_vec())
    ]
}

fn mode() -> impl Strategy<Value = u32> {
    prop::sample::select(&MODES[..])
}

fn seed() -> impl Strategy<Value = (RelPath, Seed)> {
    let node = prop_oneof![
        4 => (content(), mode()).prop_map(|(content, mode)| Seed::File(content, mode)),
        2 => prop::sample::select(&[0o755, 0o700, 0o2755, 0o1777, 0o555][..]).prop_map(Seed::Dir),
        1 => prop_oneof![Just(b"a".to_vec()), Just(b"../sub".to_vec()), Just(b"nowhere".to_vec())].prop_map(Seed::Link),
    ];
    (path(), node)
}

/// Makes what of the seeds fits together.
fn build(root: &Path, seeds: &[(RelPath, Seed)]) {
    for (path, seed) in seeds {
        let full = root.join(std::ffi::OsStr::from_bytes(path.as_bytes()));
        let real_parent =
            full.parent().and_then(|p| std::fs::create_dir_all(p).ok().and_then(|()| p.canonicalize().ok()));
        let inside = real_parent.is_some_and(|parent| parent.starts_with(root.canonicalize().unwrap()));
        if !inside || std::fs::symlink_metadata(&full).is_ok() {
            continue;
        }
        let (made, mode) = match seed {
            Seed::File(content, mode) => (std::fs::write(&full, content), Some(*mode)),
            Seed::Dir(mode) => (std::fs::create_dir(&full), Some(*mode)),
            Seed::Link(target) => (symlink(std::ffi::OsStr::from_bytes(target), &full), None),
        };
        if made.is_err() {
            continue;
        }
        if let Some(mode) = mode {
            std::fs::set_permissions(&full, std::fs::Permissions::from_mode(mode)).unwrap();
        }
    }
}

fn quoted(path: &RelPath) -> Vec<u8> {
    let mut text = b"'./".to_vec();
    for byte in path.as_bytes() {
        if *byte == b'\'' { text.extend_from_slice(b"'\\''") } else { text.push(*byte) }
    }
    text.push(b'\'');
    text
}

/// A shell command over two paths; only such paths as UTF-8 can name.
fn command() -> impl Strategy<Value = Act> {
    let templates = [
        "sed -i s/line/row/ A",
        "rm -rf A",
        "mv A B",
        "mkdir -p A",
        "ln -s B A",
        "ln -sfn a A",
        "chmod 600 A",
        "chmod 755 A",
        "chmod a-w A",
        ": > A",
        "printf x >> A",
        "truncate -s 3 A",
        "cp -r A B",
        "rm -rf A; mkdir A",
        "rm -rf A; : > A",
        "rmdir A; ln -s b A",
        "mkdir -p A; printf y > A/a",
        "touch A",
        "find . -type f -exec chmod u+x {} +",
        "printf 'line\n' > A; chmod 640 A; mv A B",
        "ln A B; printf z >> A",
        "cp -p A B; mv B A",
        "mkfifo A",
        "rm -f A; printf 'xxxx' > A",
        "printf same | tee A > B",
        "git init -q A",
        "rm -rf ./*",
    ];
    (prop::sample::select(templates.to_vec()), path(), path()).prop_map(|(template, a, b)| {
        let (a, b) = (quoted(&a), quoted(&b));
        // The byte that no text can hold is written by the shell itself.
        let spell = |path: &[u8]| {
            let parts: Vec<String> = path
                .split(|byte| *byte == 0xe9)
                .map(|part| String::from_utf8(part.to_vec()).unwrap())
                .collect();
            parts.join("'\"$E\"'")
        };
        let text =
            template.replace(" A", &format!(" {}", spell(&a))).replace(" B", &format!(" {}", spell(&b)));
        Act::Command(format!("E=$(printf '\\351'); {text}"))
    })
}

fn operation() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (path(), content(), prop::option::of(mode())).prop_map(|(p, c, m)| Act::Write(p, c, m)),
        2 => (path(), any::<bool>()).prop_map(|(p, r)| Act::Remove(p, r)),
        2 => (path(), path(), any::<bool>()).prop_map(|(a, b, o)| Act::Rename(a, b, o)),
        1 => path().prop_map(Act::CreateDir),
        1 => (path(), path()).prop_map(|(p, t)| Act::CreateSymlink(p, t.as_bytes().to_vec())),
        1 => (path(), mode()).prop_map(|(p, m)| Act::SetMode(p, m)),
    ]
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let act = prop_oneof![2 => command(), 3 => operation()];
    let call = (proptest::collection::vec(act, 1..4), prop::bool::weighted(0.7));
    proptest::collection::vec(call.prop_map(|(acts, keep)| Call { acts, keep }), 1..7)
}

async fn game(seeds: &[(RelPath, Seed)], calls: &[Call]) -> Result<(), String> {
    let desk = Desk::new();
    build(&desk.project(), seeds);
    let base = walk(&desk.project());
    let blobs = blobs();
    let played = play(&desk.open(), &base, calls, &blobs).await?;
    let special = |c: &NetChange| {
        [&c.before, &c.after]
            .into_iter()
            .flatten()
            .any(|s| s.content.is_none() && s.kind == cleveragents_runtime::domain::NodeKind::Special)
    };
    if played.net.iter().any(special) {
        return Ok(());
    }
    let target = DirectoryTarget::open(&desk.project(), &desk.lock()).unwrap();
    let back: Vec<NetChange> = played.net.iter().map(NetChange::reversed).collect();
    for (changes, wanted) in [(&played.net, &played.tree), (&back, &base), (&played.net, &played.tree)] {
        let conflicts = target.check(changes, Check::Before).await.map_err(|e| format!("check: {e}"))?;
        if let Some(conflict) = conflicts.first() {
            // What an ordinary user may not write, or not read back, is not written; root may everything.
            let barred = ["is not writable", "could not be read back"];
            let told = conflicts.iter().all(|c| barred.iter().any(|words| c.reason.ends_with(words)));
            if told && !rustix::process::geteuid().is_root() {
                return Ok(());
            }
            return Err(format!("{conflict:?}"));
        }
        let token = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
        target
            .write(changes, Check::Before, blobs.clone(), token)
            .await
            .map_err(|e| format!("write: {e}"))?;
        compare(&walk(&desk.project()), wanted)?;
        if let Some(conflict) = target.read_back(changes).await.map_err(|e| e.to_string())?.first() {
            return Err(format!("read back: {conflict:?}"));
        }
    }
    Ok(())
}

fn compare(found: &Snapshot, wanted: &Snapshot) -> Result<(), String> {
    match found.keys().chain(wanted.keys()).find(|path| found.get(*path) != wanted.get(*path)) {
        None => Ok(()),
        Some(path) => Err(format!(
            "the project at {:?}: {:?}, not {:?}",
            String::from_utf8_lossy(path),
            found.get(path),
            wanted.get(path)
        )),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_record_is_the_tree_and_the_tree_is_the_record(
        seeds in proptest::collection::vec(seed(), 0..12),
        calls in calls(),
    ) {
        wait(game(&seeds, &calls)).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn the_copy_keeps_the_contract_of_workspaces() {
    wait(contract(&copy_of));
}
