//! The sandbox's files as tools see them during one attempt.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cleveragents_runtime::domain::{NodeKind, RelPath};
use cleveragents_runtime::{DirEntry, FileError, FileInfo, Files, WorkspaceError, WriteMode};
use rustix::fs::{AtFlags, Mode, mkdirat, renameat, symlinkat, unlinkat};

use super::Core;
use super::tree::{Condition, Tree};
use super::write::{NEW_DIR, make_dirs, set_own_mode, write_file};
use crate::beneath::{
    Place, Resolved, Stat, is_absent, is_protected_name, list, lstat, open_read, read_link, remove_all,
    resolve, set_mode, with_access, word,
};

/// The files of one attempt. They refuse everything once it has been captured or has ended.
pub(super) struct AttemptFiles {
    pub(super) core: Arc<Core>,
    pub(super) over: Arc<AtomicBool>,
}

/// The path of an operation, for its errors.
struct At<'a>(&'a RelPath);

impl At<'_> {
    fn io(&self, source: impl Into<io::Error>) -> FileError {
        FileError::Io { path: self.0.clone(), source: source.into() }
    }

    fn wrong(&self, found: NodeKind, needed: &'static str) -> FileError {
        FileError::WrongKind { path: self.0.clone(), found: word(found), needed }
    }

    /// The name that a path leads to; the root itself is no node that could be changed.
    fn place(&self, tree: &Tree, follow: bool) -> Result<Place, FileError> {
        match resolve(tree.root(), self.0, follow)? {
            Resolved::Place(place) => Ok(place),
            Resolved::Root => Err(self.wrong(NodeKind::Directory, "path below the root")),
        }
    }

    fn standing(&self, tree: &Tree, follow: bool) -> Result<(Place, Stat), FileError> {
        let place = self.place(tree, follow)?;
        let stat = place.stat.ok_or_else(|| FileError::NotFound(self.0.clone()))?;
        Ok((place, stat))
    }

    /// Pins a path before it is touched, and directories that will be made for it.
    fn pin(&self, tree: &mut Tree, place: &Place, deep: bool) -> Result<(), FileError> {
        tree.pin(&place.path, deep).map_err(|error| match error {
            WorkspaceError::Io { source, .. } => self.io(source),
            other => self.io(io::Error::other(other.to_string())),
        })
    }

    /// A directory that holds a `.git` is as protected as the `.git` itself.
    fn refuse_git_below(&self, tree: &Tree, place: &Place, stat: &Stat) -> Result<(), FileError> {
        let holds =
            stat.kind == NodeKind::Directory && tree.holds_protected(&place.path).map_err(|e| self.io(e))?;
        if holds { Err(FileError::Protected(self.0.clone())) } else { Ok(()) }
    }
}

impl AttemptFiles {
    fn with<T>(&self, act: impl FnOnce(&mut Tree) -> Result<T, FileError>) -> Result<T, FileError> {
        let mut tree = self.core.tree();
        if self.over.load(Ordering::Acquire) || tree.condition == Condition::Closed {
            return Err(FileError::Ended);
        }
        act(&mut tree)
    }
}

impl Files for AttemptFiles {
    fn info(&self, path: &RelPath) -> Result<Option<FileInfo>, FileError> {
        self.with(|tree| {
            let place = match At(path).place(tree, false) {
                Err(FileError::WrongKind { .. }) => return Ok(None),
                place => place?,
            };
            let info = |stat: Stat| {
                let has_size = matches!(stat.kind, NodeKind::File | NodeKind::Symlink);
                let size = if has_size { stat.stamp.size } else { 0 };
                FileInfo { kind: stat.kind, mode: super::index::mode_of(&stat), size }
            };
            Ok(place.stat.map(info))
        })
    }

    fn read(&self, path: &RelPath, offset: u64, limit: u64) -> Result<Vec<u8>, FileError> {
        let at = At(path);
        let mut file = self.with(|tree| {
            let (place, stat) = at.standing(tree, true)?;
            if stat.kind != NodeKind::File {
                return Err(at.wrong(stat.kind, "file"));
            }
            open_read(&place.dir, &place.name).map_err(|e| at.io(e))
        })?;
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset)).map_err(|e| at.io(e))?;
        file.take(limit).read_to_end(&mut bytes).map_err(|e| at.io(e))?;
        Ok(bytes)
    }

    fn read_link(&self, path: &RelPath) -> Result<Vec<u8>, FileError> {
        let at = At(path);
        self.with(|tree| {
            let (place, stat) = at.standing(tree, false)?;
            if stat.kind != NodeKind::Symlink {
                return Err(at.wrong(stat.kind, "symbolic link"));
            }
            read_link(&place.dir, &place.name).map_err(|e| at.io(e))
        })
    }

    fn list(&self, path: Option<&RelPath>) -> Result<Vec<DirEntry>, FileError> {
        self.with(|tree| {
            let (dir, shown) = match path {
                None => (Vec::new(), None),
                Some(path) => match resolve(tree.root(), path, true)? {
                    Resolved::Root => (Vec::new(), Some(path)),
                    Resolved::Place(place) => match place.stat.map(|s| s.kind) {
                        Some(NodeKind::Directory) => (place.path, Some(path)),
                        Some(kind) => return Err(At(path).wrong(kind, "directory")),
                        None => return Err(FileError::NotFound(path.clone())),
                    },
                },
            };
            list_dir(tree, &dir, shown)
        })
    }

    fn write(
        &self,
        path: &RelPath,
        content: &[u8],
        permissions: Option<u32>,
        mode: WriteMode,
    ) -> Result<(), FileError> {
        let at = At(path);
        self.with(|tree| {
            let place = at.place(tree, mode == WriteMode::CreateOrReplace)?;
            match (&place.stat, mode) {
                (Some(_), WriteMode::CreateNew) => return Err(FileError::Exists(path.clone())),
                (Some(stat), _) if stat.kind != NodeKind::File => return Err(at.wrong(stat.kind, "file")),
                _ => {}
            }
            at.pin(tree, &place, false)?;
            let permissions = permissions.map(|p| p & 0o7777);
            write_file(&place, &tree.parts.trash, content, permissions).map_err(|e| at.io(e))
        })
    }

    fn remove(&self, path: &RelPath, recursive: bool) -> Result<(), FileError> {
        let at = At(path);
        self.with(|tree| {
            let (place, stat) = at.standing(tree, false)?;
            if stat.kind == NodeKind::Directory {
                if !recursive && has_names(tree, &place).map_err(|e| at.io(e))? {
                    return Err(FileError::NotEmpty(path.clone()));
                }
                at.refuse_git_below(tree, &place, &stat)?;
            }
            at.pin(tree, &place, true)?;
            remove(tree, &place, &stat).map_err(|e| at.io(e))
        })
    }

    fn rename(&self, from: &RelPath, to: &RelPath, overwrite: bool) -> Result<(), FileError> {
        let (at, at_to) = (At(from), At(to));
        self.with(|tree| {
            let (source, stat) = at.standing(tree, false)?;
            let target = at_to.place(tree, false)?;
            if let Some(other) = &target.stat {
                if stat.same_node(other) {
                    return Ok(());
                }
                if !overwrite {
                    return Err(FileError::Exists(to.clone()));
                }
                for (at, kind) in [(&at, stat.kind), (&at_to, other.kind)] {
                    if !matches!(kind, NodeKind::File | NodeKind::Symlink) {
                        return Err(at.wrong(kind, "file or symbolic link"));
                    }
                }
            }
            if target.path.starts_with(&[source.path.as_slice(), b"/"].concat()) {
                return Err(at.io(io::Error::new(io::ErrorKind::InvalidInput, "cannot be moved into itself")));
            }
            at.refuse_git_below(tree, &source, &stat)?;
            at.pin(tree, &source, true)?;
            at_to.pin(tree, &target, true)?;
            let holder = make_dirs(&target).map_err(|e| at_to.io(e))?;
            let done = with_access(&source.dir, || {
                with_access(&holder.dir, || {
                    Ok(renameat(&source.dir, &*source.name, &holder.dir, &*target.name)?)
                })
            });
            done.map_err(|e| {
                holder.unmake();
                at.io(e)
            })
        })
    }

    fn create_dir(&self, path: &RelPath) -> Result<(), FileError> {
        let at = At(path);
        self.with(|tree| {
            let place = match resolve(tree.root(), path, false)? {
                Resolved::Root => return Ok(()),
                Resolved::Place(place) => place,
            };
            match place.stat.map(|s| s.kind) {
                Some(NodeKind::Directory) => return Ok(()),
                Some(NodeKind::Symlink) => {
                    return match resolve(tree.root(), path, true)? {
                        Resolved::Root => Ok(()),
                        Resolved::Place(Place { stat: Some(stat), .. })
                            if stat.kind == NodeKind::Directory =>
                        {
                            Ok(())
                        }
                        Resolved::Place(_) => Err(FileError::Exists(path.clone())),
                    };
                }
                Some(kind) => return Err(at.wrong(kind, "directory")),
                None => {}
            }
            at.pin(tree, &place, false)?;
            make(&at, &place, |dir, name| {
                mkdirat(dir, name, Mode::RWXU)?;
                set_mode(dir, name, NEW_DIR)
            })
        })
    }

    fn create_symlink(&self, path: &RelPath, target: &[u8]) -> Result<(), FileError> {
        let at = At(path);
        self.with(|tree| {
            let place = at.place(tree, false)?;
            if place.stat.is_some() {
                return Err(FileError::Exists(path.clone()));
            }
            at.pin(tree, &place, false)?;
            make(&at, &place, |dir, name| Ok(symlinkat(target, dir, name)?))
        })
    }

    fn set_mode(&self, path: &RelPath, mode: u32) -> Result<(), FileError> {
        let at = At(path);
        self.with(|tree| {
            let (place, stat) = at.standing(tree, false)?;
            if !matches!(stat.kind, NodeKind::File | NodeKind::Directory) {
                return Err(at.wrong(stat.kind, "file or directory"));
            }
            at.pin(tree, &place, false)?;
            let mode = mode & 0o7777;
            let set = if stat.kind == NodeKind::File && stat.links > 1 {
                set_own_mode(&place.dir, &place.name, &tree.parts.trash, mode)
            } else {
                set_mode(&place.dir, &place.name, mode)
            };
            set.map_err(|e| at.io(e))
        })
    }
}

fn list_dir(tree: &Tree, dir: &[u8], shown: Option<&RelPath>) -> Result<Vec<DirEntry>, FileError> {
    let read = || -> io::Result<Vec<(Vec<u8>, Stat)>> {
        let handle = tree.root().open_listed(dir)?;
        let mut found = Vec::new();
        for name in list(&handle)?.into_iter().filter(|name| !is_protected_name(name)) {
            if let Some(stat) = lstat(&handle, &name)? {
                found.push((name, stat));
            }
        }
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    };
    let entry = |(name, stat): (Vec<u8>, Stat)| {
        let path = match shown {
            Some(dir) => dir.join(&name),
            None => RelPath::from_bytes(name),
        };
        Some(DirEntry { path: path.ok()?, kind: stat.kind })
    };
    match read() {
        Ok(found) => Ok(found.into_iter().filter_map(entry).collect()),
        Err(error) => match shown {
            Some(path) if is_absent(&error) => Err(FileError::NotFound(path.clone())),
            Some(path) => Err(At(path).io(error)),
            None => Err(FileError::Ended),
        },
    }
}

fn has_names(tree: &Tree, place: &Place) -> io::Result<bool> {
    Ok(!list(tree.root().open_listed(&place.path)?)?.is_empty())
}

/// Removes a node in one step: a directory that holds something leaves the tree whole, and is emptied outside it.
fn remove(tree: &Tree, place: &Place, stat: &Stat) -> io::Result<()> {
    if stat.kind != NodeKind::Directory {
        return with_access(&place.dir, || Ok(unlinkat(&place.dir, &*place.name, AtFlags::empty())?));
    }
    let removed = format!("removed-{}", stat.stamp.ino);
    // A directory may be moved elsewhere only while its owner may write it.
    if stat.mode & 0o700 != 0o700 {
        set_mode(&place.dir, &place.name, stat.mode | 0o700)?;
    }
    let moved = with_access(&place.dir, || {
        Ok(renameat(&place.dir, &*place.name, &tree.parts.trash, removed.as_str())?)
    });
    if let Err(error) = moved {
        set_mode(&place.dir, &place.name, stat.mode)?;
        return Err(error);
    }
    // It is gone from the tree; what cannot be emptied now goes when the sandbox is closed.
    let _ = remove_all(&tree.parts.trash, removed.as_bytes());
    Ok(())
}

/// Makes a node, and the directories above it that are missing.
fn make(
    at: &At<'_>,
    place: &Place,
    act: impl Fn(&std::os::fd::OwnedFd, &[u8]) -> io::Result<()>,
) -> Result<(), FileError> {
    let holder = make_dirs(place).map_err(|e| at.io(e))?;
    with_access(&holder.dir, || act(&holder.dir, &place.name)).map_err(|e| {
        holder.unmake();
        at.io(e)
    })
}
