//! The directory of a sandbox: how it is made, told from others, and removed.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::NodeKind;

use super::manifest::Manifest;
use super::open;
use super::pack;
use super::tree::{Condition, Tree};
use crate::beneath::{Root, list, open_plain, open_read, peek, remove_all, sync_dir};
use crate::error::During;
use crate::lock::Lock;

/// A directory without this file is never removed as a sandbox.
const MARKER: &str = "MARKER";
const MARKED: &[u8] = b"cleveragents sandbox 0\n";

/// The lock that commands inherit; see `CommandRoot::alive`.
pub(super) const ALIVE: &str = "alive";

/// How long the commands of an earlier process are waited for.
const WAIT: Duration = Duration::from_secs(10);

/// The handles of a sandbox's directory and of what is in it, none of them reached through a link.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) folder: Root,
    pub(super) tree: Root,
    pub(super) trash: Root,
    pub(super) base: Root,
}

impl Parts {
    fn open(folder: Root) -> io::Result<Self> {
        let (tree, trash, base) = (folder.child("tree")?, folder.child("trash")?, folder.child("base")?);
        Ok(Self { folder, tree, trash, base })
    }
}

/// Makes a sandbox of `project` at `dir`, which must not exist.
///
/// The directory is marked before it gets its name, so that one with this name can always be removed again.
pub(super) fn make(project: &Root, dir: &Path) -> Result<Tree, WorkspaceError> {
    let words = || format!("creating {}", dir.display());
    if std::fs::symlink_metadata(dir).is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists)).during(words);
    }
    let draft = draft_of(dir);
    remove_draft(&draft).during(|| format!("removing {}", draft.display()))?;
    let begin = || -> io::Result<Root> {
        private(&draft)?;
        let folder = Root::real(&draft)?;
        let mut marker = pack::create(&folder, MARKER)?;
        marker.write_all(MARKED)?;
        marker.sync_all()?;
        sync_dir(&folder)?;
        std::fs::rename(&draft, dir)?;
        Root::real(dir)
    };
    let folder = begin().during(words).inspect_err(|_| {
        let _ = remove(dir);
    })?;
    let fill = || -> Result<Tree, WorkspaceError> {
        for name in ["tree", "base", "trash"] {
            private(&dir.join(name)).during(words)?;
        }
        pack::create(&folder, ALIVE).during(words)?;
        let parts = Parts::open(folder).during(words)?;
        let (manifest, packs) = open::copy(project, &parts.tree, &parts.base)?;
        manifest.save(&parts.base).during(|| "writing the manifest of the sandbox".to_owned())?;
        Tree::new(parts, &manifest, packs)
    };
    fill().inspect_err(|_| {
        let _ = remove(dir);
    })
}

fn private(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// The name that a sandbox bears until it is marked, and from when it is not marked any more.
fn draft_of(dir: &Path) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    dir.with_file_name(name)
}

/// Takes up a sandbox that another process made. Its tree is not to be trusted before it is restored.
pub(super) fn take_up(dir: &Path) -> Result<Tree, WorkspaceError> {
    let damaged = |words: String| WorkspaceError::Damaged(format!("{}: {words}", dir.display()));
    let folder = Root::real(dir).ok().filter(is_marked);
    let folder = folder.ok_or_else(|| damaged("it is not a sandbox, or it is gone".to_owned()))?;
    let parts = Parts::open(folder).map_err(|e| damaged(format!("a part of it cannot be opened: {e}")))?;
    let manifest = load(&parts)?;
    let mut packs = Vec::new();
    for (n, expected) in manifest.packs.iter().enumerate() {
        let open = open_plain(&parts.base, format!("pack-{n}").as_bytes());
        let file = open.map_err(|e| damaged(format!("a pack of the base cannot be opened: {e}")))?;
        let len = file.metadata().map_err(|e| damaged(e.to_string()))?.len();
        if len < *expected {
            return Err(damaged(format!("pack {n} of the base is torn: {len} bytes of {expected}")));
        }
        packs.push(file);
    }
    let mut tree = Tree::new(parts, &manifest, packs)?;
    tree.condition = Condition::Unsettled;
    Ok(tree)
}

/// The manifest of a sandbox.
pub(super) fn load(parts: &Parts) -> Result<Manifest, WorkspaceError> {
    Manifest::load(&parts.base)
        .map_err(|e| WorkspaceError::Damaged(format!("{}: {e}", parts.folder.path().display())))
}

/// Waits until nothing of a command of an earlier process lives, and keeps new ones from starting.
pub(super) fn still(folder: &Root) -> Result<Lock, WorkspaceError> {
    let words = || format!("locking {}", folder.path().join(ALIVE).display());
    let open = || -> io::Result<File> {
        match peek(folder, ALIVE.as_bytes())? {
            Some(stat) if stat.kind == NodeKind::File => open_read(folder, ALIVE.as_bytes()),
            _ => pack::create(folder, ALIVE),
        }
    };
    Lock::within(open().during(words)?, WAIT).during(words)?.ok_or_else(|| {
        WorkspaceError::Refused(format!(
            "a command of an earlier process still runs in the sandbox {}: end it, then try again",
            folder.path().display()
        ))
    })
}

fn is_marked(folder: &Root) -> bool {
    marker(folder).is_ok_and(|bytes| bytes == MARKED)
}

fn marker(folder: &Root) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(folder, MARKER.as_bytes())?.take(MARKED.len() as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Removes what making or removing a sandbox left under its other name. What is not ours stays.
fn remove_draft(draft: &Path) -> io::Result<()> {
    let Ok(folder) = Root::real(draft) else { return Ok(()) };
    let ours = is_marked(&folder) || {
        let names = list(folder.open_listed(b"")?)?;
        // It may not even have come to the marker, or to its last byte.
        names.iter().all(|name| name == MARKER.as_bytes())
            && (names.is_empty() || MARKED.starts_with(&marker(&folder)?))
    };
    if !ours {
        return Ok(());
    }
    remove_all(&folder, MARKER.as_bytes())?;
    std::fs::remove_dir(draft)
}

/// Removes a sandbox with all it holds: only a directory with our marker, the marker last, and never through a link.
/// Waits a short time for commands of an earlier process that still run in it, and refuses when they do not end.
/// Returns whether there was one.
pub fn remove(dir: &Path) -> Result<bool, WorkspaceError> {
    let words = || format!("removing {}", dir.display());
    let draft = draft_of(dir);
    remove_draft(&draft).during(words)?;
    let Some(folder) = Root::real(dir).ok().filter(is_marked) else { return Ok(false) };
    let _still = still(&folder)?;
    let act = || -> io::Result<()> {
        for name in ["trash", "tree", "kept", "base", ALIVE] {
            remove_all(&folder, name.as_bytes())?;
        }
        // Without its marker it could not be removed by its name any more.
        std::fs::rename(dir, &draft)?;
        remove_draft(&draft)
    };
    act().during(words)?;
    Ok(true)
}
