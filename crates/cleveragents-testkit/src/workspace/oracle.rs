//! What a directory holds, read with nothing but the standard library; and effects folded over it.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use cleveragents_domain::{Digest, NodeKind, NodeState};
use cleveragents_runtime::{Content, Effect};

/// One node: its kind in a letter (`f`, `d`, `l`, `s`), its mode (0 for a link), its bytes.
pub type Node = (char, u32, Vec<u8>);

/// Every node below a root by its path.
pub type Snapshot = BTreeMap<Vec<u8>, Node>;

/// Reads a directory; `.git` in any spelling is left out. What keeps its owner out is opened for the moment.
pub fn walk(root: &Path) -> Snapshot {
    let mut snapshot = Snapshot::new();
    walk_into(root, root, &mut snapshot);
    snapshot
}

fn walk_into(root: &Path, dir: &Path, snapshot: &mut Snapshot) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let below = path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec();
        if below.split(|b| *b == b'/').any(|name| name.eq_ignore_ascii_case(b".git")) {
            continue;
        }
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        let mode = metadata.mode() & 0o7777;
        let node = if metadata.is_symlink() {
            ('l', 0, std::fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec())
        } else if metadata.is_dir() {
            opened(&path, mode, std::fs::read_dir(&path).is_err() || mode & 0o100 == 0, || {
                walk_into(root, &path, snapshot);
            });
            ('d', mode, Vec::new())
        } else if metadata.is_file() {
            (
                'f',
                mode,
                opened(&path, mode, std::fs::File::open(&path).is_err(), || std::fs::read(&path).unwrap()),
            )
        } else {
            ('s', mode, Vec::new())
        };
        snapshot.insert(below, node);
    }
}

/// Does something while the owner has every permission, if that is needed.
fn opened<T>(path: &Path, mode: u32, needed: bool, act: impl FnOnce() -> T) -> T {
    let set = |mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    if needed {
        set(mode | 0o700);
    }
    let result = act();
    if needed {
        set(mode);
    }
    result
}

/// Folds effects over a snapshot. Each must find its state before, with that content, or the fold is wrong in words.
pub fn fold(snapshot: &Snapshot, effects: &[Effect]) -> Result<Snapshot, String> {
    replace(snapshot, effects, |e| [(&e.before, &e.before_content), (&e.after, &e.after_content)])
}

/// Takes effects back: the fold from after to before.
pub fn unfold(snapshot: &Snapshot, effects: &[Effect]) -> Result<Snapshot, String> {
    replace(snapshot, effects, |e| [(&e.after, &e.after_content), (&e.before, &e.before_content)])
}

type Side<'a> = (&'a Option<NodeState>, &'a Content);

fn replace(
    snapshot: &Snapshot,
    effects: &[Effect],
    sides: impl Fn(&Effect) -> [Side<'_>; 2],
) -> Result<Snapshot, String> {
    let mut result = snapshot.clone();
    let mut last: Option<&Effect> = None;
    for effect in effects {
        if last.is_some_and(|last| last.path >= effect.path) {
            return Err(format!("{} is out of order or there twice", effect.path));
        }
        last = Some(effect);
        let [old, new] = sides(effect).map(|(state, content)| node(state.as_ref(), content));
        let path = effect.path.as_bytes();
        let (old, new) = (old?, new?);
        if result.get(path) != old.as_ref() {
            return Err(format!("{}: {:?} stands there, not {old:?}", effect.path, result.get(path)));
        }
        if old == new {
            return Err(format!("{}: nothing differs", effect.path));
        }
        match new {
            Some(node) => result.insert(path.to_vec(), node),
            None => result.remove(path),
        };
    }
    Ok(result)
}

fn node(state: Option<&NodeState>, content: &Content) -> Result<Option<Node>, String> {
    let Some(state) = state else { return Ok(None) };
    let bytes = match content {
        Content::None => Vec::new(),
        Content::Small(bytes) => bytes.to_vec(),
        Content::Large(source) => {
            let mut bytes = Vec::new();
            source.open().and_then(|mut reader| reader.read_to_end(&mut bytes)).map_err(|e| e.to_string())?;
            bytes
        }
    };
    let hashed = matches!(state.kind, NodeKind::File | NodeKind::Symlink);
    if state.content != hashed.then(|| Digest::of(&bytes)) || state.size != bytes.len() as u64 {
        return Err(format!("{state:?} does not fit its content of {} bytes", bytes.len()));
    }
    Ok(Some(match state.kind {
        NodeKind::File => ('f', state.mode, bytes),
        NodeKind::Symlink => ('l', 0, bytes),
        NodeKind::Directory => ('d', state.mode, bytes),
        NodeKind::Special => ('s', state.mode, bytes),
    }))
}
