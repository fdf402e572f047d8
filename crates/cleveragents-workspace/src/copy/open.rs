//! Making a sandbox: one parallel walk that copies, hashes and packs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::{DigestBuilder, NodeKind, NodeState};
use rustix::fs::{
    AtFlags, Mode, OFlags, Timespec, Timestamps, UTIME_OMIT, fchmod, fstat, mkdirat, openat, readlinkat,
    symlinkat, utimensat,
};

use super::git;
use super::index::is_racy;
use super::manifest::{BaseNode, Manifest};
use super::pack::PackWriter;
use crate::beneath::{Root, Stamp, Stat, coarse_now, is_protected_name, join, list, lstat, peek, set_mode};
use crate::error::{During, shown};
use crate::work;

/// How often a file that changes while it is copied is read again.
const TRIES: usize = 5;

/// A directory to be copied.
struct Job {
    path: Vec<u8>,
    /// Its path inside a private `.git`, when it is part of one.
    in_git: Option<Vec<u8>>,
}

/// One thread's part of the copy.
struct Copier {
    pack: PackWriter,
    nodes: Vec<BaseNode>,
    /// Directories with their real mode and mtime, set when all is copied.
    dirs: Vec<(Vec<u8>, Stat)>,
    buffer: Vec<u8>,
}

/// Copies `project` into the empty directory `tree` and its contents into packs in `base`.
pub(super) fn copy(
    project: &Root,
    tree: &Root,
    base: &Root,
) -> Result<(Manifest, Vec<File>), WorkspaceError> {
    let copiers: Vec<Copier> = (0..work::threads())
        .map(|n| {
            let pack = PackWriter::create(base, u32::try_from(n).unwrap_or(0))
                .during(|| format!("creating a pack in {}", base.path().display()))?;
            Ok(Copier { pack, nodes: Vec::new(), dirs: Vec::new(), buffer: vec![0; 256 * 1024] })
        })
        .collect::<Result<_, WorkspaceError>>()?;
    let first = Job { path: Vec::new(), in_git: None };
    let copiers =
        work::drain(vec![first], copiers, |copier, job, more| copier.directory(project, tree, &job, more))?;

    let (mut manifest, mut packs, mut dirs) = (Manifest::default(), BTreeMap::new(), Vec::new());
    for copier in copiers {
        let number = copier.pack.number();
        packs.insert(number, copier.pack.finish().during(|| "writing the packs".to_owned())?);
        manifest.nodes.extend(copier.nodes);
        dirs.extend(copier.dirs);
    }
    let (files, lengths) = packs.into_values().unzip();
    manifest.packs = lengths;
    // Deepest first, so that a directory its owner may not write is closed after what it holds.
    dirs.sort_unstable_by(|a, b| b.0.cmp(&a.0));
    for (path, stat) in dirs {
        close_directory(tree, &path, &stat).during(|| format!("copying {}", shown(&path)))?;
    }
    let now = coarse_now();
    for node in &mut manifest.nodes {
        node.racy = is_racy(&node.stamp, now);
    }
    Ok((manifest, files))
}

impl Copier {
    fn directory(
        &mut self,
        project: &Root,
        tree: &Root,
        job: &Job,
        more: &mut Vec<Job>,
    ) -> Result<(), WorkspaceError> {
        let words = |path: &[u8]| {
            let what = if path.is_empty() { "the project's directory".to_owned() } else { shown(path) };
            format!("copying {what}")
        };
        let open = || -> io::Result<(OwnedFd, OwnedFd)> {
            // Never with a changed permission in the project: what may not be read is an error.
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok((openat(project.dir(&job.path)?, ".", flags, Mode::empty())?, tree.dir(&job.path)?))
        };
        let (from, to) = open().during(|| words(&job.path))?;
        for name in list(&from).during(|| words(&job.path))? {
            let path = join(&job.path, &name);
            let place = Place { from: from.as_fd(), to: to.as_fd(), name: &name, path: &path };
            match &job.in_git {
                Some(above) => git_node(&place, join(above, &name), project, more),
                None => self.node(&place, more),
            }
            .during(|| words(&path))?;
        }
        Ok(())
    }

    fn node(&mut self, place: &Place<'_>, more: &mut Vec<Job>) -> io::Result<()> {
        let Some(stat) = peek(place.from, place.name)? else { return Ok(()) };
        let path = place.path.to_vec();
        if is_protected_name(place.name) {
            if place.name == b".git" && stat.kind == NodeKind::Directory {
                mkdirat(place.to, place.name, Mode::RWXU)?;
                more.push(Job { path, in_git: Some(Vec::new()) });
            }
            return Ok(());
        }
        let (state, slot) = match stat.kind {
            NodeKind::Directory => {
                mkdirat(place.to, place.name, Mode::RWXU)?;
                more.push(Job { path: path.clone(), in_git: None });
                self.dirs.push((path.clone(), stat));
                (NodeState::directory(stat.mode), None)
            }
            NodeKind::Special => (NodeState::special(stat.mode), None),
            NodeKind::Symlink => {
                let target = readlinkat(place.from, place.name, Vec::new())?.into_bytes();
                symlinkat(target.as_slice(), place.to, place.name)?;
                let at = self.pack.position();
                self.pack.write(&target)?;
                (NodeState::symlink(&target), Some(self.pack.slot_from(at)))
            }
            NodeKind::File => {
                let (state, slot) = self.file(place)?;
                (state, Some(slot))
            }
        };
        let stamp = match stat.kind {
            NodeKind::File | NodeKind::Symlink => {
                lstat(place.to, place.name)?.map(|s| s.stamp).unwrap_or_default()
            }
            _ => Stamp::default(),
        };
        self.nodes.push(BaseNode { path, state, stamp, racy: true, slot });
        Ok(())
    }

    /// Copies one file, hashing and packing it on the way. A file that changes meanwhile is read again.
    fn file(&mut self, place: &Place<'_>) -> io::Result<(NodeState, super::pack::Slot)> {
        let mut source = open_plain(place)?;
        let mut copy = create(place)?;
        for _ in 0..TRIES {
            let before = Stat::from_raw(&fstat(&source)?);
            if before.kind != NodeKind::File {
                return Err(io::Error::other("it became another kind of node while it was copied"));
            }
            let at = self.pack.position();
            let mut builder = DigestBuilder::default();
            let mut size = 0;
            loop {
                let count = source.read(&mut self.buffer)?;
                if count == 0 {
                    break;
                }
                let bytes = &self.buffer[..count];
                builder.update(bytes);
                self.pack.write(bytes)?;
                copy.write_all(bytes)?;
                size += count as u64;
                // The end was reached if the file still has the size it had: no call only to be told so.
                if size == before.stamp.size && count < self.buffer.len() {
                    break;
                }
            }
            let after = Stat::from_raw(&fstat(&source)?);
            if before.stamp == after.stamp && before.mode == after.mode && size == after.stamp.size {
                fchmod(&copy, Mode::from_raw_mode(before.mode))?;
                rustix::fs::futimens(&copy, &modified(before.stamp.mtime))?;
                let content = Some(builder.finish());
                let state = NodeState { kind: NodeKind::File, mode: before.mode, size, content };
                return Ok((state, self.pack.slot_from(at)));
            }
            source.rewind()?;
            copy.rewind()?;
            copy.set_len(0)?;
        }
        Err(io::Error::other("it kept changing while it was copied: stop what writes it, then try again"))
    }
}

/// Copies one node of a private `.git`: not hashed, not packed, not known.
fn git_node(place: &Place<'_>, inside: Vec<u8>, project: &Root, more: &mut Vec<Job>) -> io::Result<()> {
    let Some(stat) = peek(place.from, place.name)? else { return Ok(()) };
    if git::is_left_out(&inside) {
        return Ok(());
    }
    match stat.kind {
        NodeKind::Directory => {
            mkdirat(place.to, place.name, Mode::RWXU)?;
            set_mode(place.to, place.name, stat.mode | 0o700)?;
            more.push(Job { path: place.path.to_vec(), in_git: Some(inside) });
        }
        NodeKind::Symlink => {
            let target = readlinkat(place.from, place.name, Vec::new())?.into_bytes();
            if git::is_inner_link(&target) {
                symlinkat(target.as_slice(), place.to, place.name)?;
            }
        }
        NodeKind::File => {
            let mut source = open_plain(place)?;
            let mut copy = create(place)?;
            if inside == b"config" || inside == b"objects/info/alternates" {
                let mut original = Vec::new();
                source.read_to_end(&mut original)?;
                let private = if inside == b"config" {
                    git::sanitised_config(&original)
                } else {
                    let list = project.path().join(OsStr::from_bytes(place.path));
                    let objects = list.ancestors().nth(2).unwrap_or(&list);
                    git::absolute_alternates(&original, objects)
                };
                copy.write_all(&private)?;
            } else {
                io::copy(&mut source, &mut copy)?;
            }
            fchmod(&copy, Mode::from_raw_mode(stat.mode))?;
            rustix::fs::futimens(&copy, &modified(stat.stamp.mtime))?;
        }
        NodeKind::Special => {}
    }
    Ok(())
}

/// One name in the directory that is copied and in its copy.
struct Place<'a> {
    from: BorrowedFd<'a>,
    to: BorrowedFd<'a>,
    name: &'a [u8],
    path: &'a [u8],
}

fn open_plain(place: &Place<'_>) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(openat(place.from, place.name, flags, Mode::empty())?))
}

fn create(place: &Place<'_>) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(place.to, place.name, flags, Mode::RUSR | Mode::WUSR)?))
}

fn modified(mtime: i64) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec {
            tv_sec: mtime.div_euclid(1_000_000_000),
            tv_nsec: mtime.rem_euclid(1_000_000_000),
        },
    }
}

fn close_directory(tree: &Root, path: &[u8], stat: &Stat) -> io::Result<()> {
    let (parent, name) = tree.parent(path)?;
    utimensat(&parent, name, &modified(stat.stamp.mtime), AtFlags::SYMLINK_NOFOLLOW)?;
    set_mode(&parent, name, stat.mode)
}
