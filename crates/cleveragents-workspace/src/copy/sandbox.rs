//! The directory of a sandbox: how it is made, told from others, and removed.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use cleveragents_runtime::WorkspaceError;

use super::manifest::Manifest;
use super::open;
use super::pack;
use super::tree::{Condition, Tree};
use crate::beneath::{Root, remove_all};
use crate::error::During;

/// A directory without this file is never removed as a sandbox.
const MARKER: &str = "MARKER";
const MARKED: &[u8] = b"cleveragents sandbox 0\n";

/// Makes a sandbox of `project` at `dir`, which must not exist.
pub(super) fn make(project: &Root, dir: &Path) -> Result<Tree, WorkspaceError> {
    let private = |path: &Path| {
        DirBuilder::new().mode(0o700).create(path).during(|| format!("creating {}", path.display()))
    };
    private(dir)?;
    let fill = || -> Result<Tree, WorkspaceError> {
        let marker = dir.join(MARKER);
        let mut file = pack::create(&marker).during(|| format!("creating {}", marker.display()))?;
        io::Write::write_all(&mut file, MARKED).during(|| format!("writing {}", marker.display()))?;
        for name in ["tree", "base", "trash"] {
            private(&dir.join(name))?;
        }
        let tree = dir.join("tree");
        let tree = Root::open(&tree).during(|| format!("opening {}", tree.display()))?;
        let (manifest, packs) = open::copy(project, &tree, &dir.join("base"))?;
        let path = dir.join("base/manifest");
        manifest.save(&path).during(|| format!("writing {}", path.display()))?;
        Tree::new(dir, &manifest, packs)
    };
    fill().inspect_err(|_| {
        let _ = remove(dir);
    })
}

/// Takes up a sandbox that another process made. Its tree is not to be trusted before it is restored.
pub(super) fn take_up(dir: &Path) -> Result<Tree, WorkspaceError> {
    let damaged = |words: String| WorkspaceError::Damaged(format!("{}: {words}", dir.display()));
    if !is_marked(dir) {
        return Err(damaged("it is not a sandbox, or it is gone".to_owned()));
    }
    let manifest = load(dir)?;
    let mut packs = Vec::new();
    for (n, expected) in manifest.packs.iter().enumerate() {
        let open = std::fs::File::open(dir.join(format!("base/pack-{n}")));
        let file = open.map_err(|e| damaged(format!("a pack of the base cannot be opened: {e}")))?;
        let len = file.metadata().map_err(|e| damaged(e.to_string()))?.len();
        if len < *expected {
            return Err(damaged(format!("pack {n} of the base is torn: {len} bytes of {expected}")));
        }
        packs.push(file);
    }
    let mut tree = Tree::new(dir, &manifest, packs)?;
    tree.condition = Condition::Unsettled;
    Ok(tree)
}

/// The manifest of a sandbox.
pub(super) fn load(dir: &Path) -> Result<Manifest, WorkspaceError> {
    Manifest::load(&dir.join("base/manifest"))
        .map_err(|e| WorkspaceError::Damaged(format!("{}: {e}", dir.display())))
}

fn is_marked(dir: &Path) -> bool {
    let real = std::fs::symlink_metadata(dir).is_ok_and(|m| m.is_dir());
    real && std::fs::read(dir.join(MARKER)).is_ok_and(|bytes| bytes == MARKED)
}

/// Removes a sandbox with all it holds: only a directory with our marker, the marker last, and never through a link.
/// Returns whether there was one.
pub fn remove(dir: &Path) -> Result<bool, WorkspaceError> {
    if !is_marked(dir) {
        return Ok(false);
    }
    let words = || format!("removing {}", dir.display());
    let act = || -> io::Result<()> {
        let root = Root::open(dir)?;
        for name in ["trash", "tree", "kept", "base", MARKER] {
            remove_all(&root, name.as_bytes())?;
        }
        std::fs::remove_dir(dir)
    };
    act().during(words)?;
    Ok(true)
}
