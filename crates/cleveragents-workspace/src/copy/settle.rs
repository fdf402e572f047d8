//! Putting states back into the tree: by discard, and when a sandbox is restored.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

use cleveragents_runtime::WorkspaceError;
use cleveragents_runtime::domain::{BlobError, Blobs, Digest, DigestBuilder, NodeKind, NodeState};
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, chmodat, fchmod, mkdirat, mknodat, openat, symlinkat, unlinkat,
};

use super::index::{Entry, is_racy};
use super::tree::{Change, Tree};
use super::write::set_own_mode;
use crate::beneath::{coarse_now, lstat, open_write, remove_all, set_mode, with_access};
use crate::error::{During, shown};

impl Tree {
    /// Brings every changed path back to its state before, from the packs first and then from `blobs`. Nothing is
    /// removed before all contents that are needed are known to be there.
    pub(crate) fn settle(
        &mut self,
        changes: &[Change],
        blobs: Option<&dyn Blobs>,
    ) -> Result<(), WorkspaceError> {
        for change in changes {
            if let Some(digest) = needed(change)
                && !self.packs.contains(&digest)
                && !blobs.map_or(Ok(false), |blobs| blobs.contains(&digest))?
            {
                return Err(BlobError::Missing(digest).into());
            }
        }
        let words = |change: &Change| format!("putting back {}", shown(&change.path));
        // What must go, deepest first; then what must come, parents first; then directories' modes, deepest first.
        for change in changes.iter().rev() {
            self.clear(change).during(|| words(change))?;
        }
        for change in changes {
            if let Some(entry) = &change.before {
                self.make(change, &entry.state, blobs)?;
            }
        }
        for change in changes.iter().rev() {
            if let Some(state) =
                change.before.as_ref().map(|e| &e.state).filter(|s| s.kind == NodeKind::Directory)
            {
                let set = || -> io::Result<()> {
                    let (dir, name) = self.root().parent(&change.path)?;
                    with_access(&dir, || set_mode(&dir, name, state.mode))
                };
                set().during(|| words(change))?;
            }
        }
        for change in changes {
            let entry = self.settled(change).during(|| words(change))?;
            self.index.set(change.path.clone(), entry);
        }
        Ok(())
    }

    /// Removes what stands in the way of the state before.
    fn clear(&self, change: &Change) -> io::Result<()> {
        let Some(stat) = self.root().stat(&change.path)? else { return Ok(()) };
        let wanted = change.before.as_ref().map(|e| e.state.kind);
        let may_stay = wanted == Some(stat.kind) && matches!(stat.kind, NodeKind::File | NodeKind::Directory);
        if may_stay {
            return Ok(());
        }
        let (dir, name) = self.root().parent(&change.path)?;
        with_access(&dir, || remove_all(&dir, name))
    }

    fn make(
        &self,
        change: &Change,
        state: &NodeState,
        blobs: Option<&dyn Blobs>,
    ) -> Result<(), WorkspaceError> {
        let words = || format!("putting back {}", shown(&change.path));
        let (dir, name) = self.root().parent(&change.path).during(words)?;
        match (state.kind, state.content) {
            (NodeKind::Directory, _) => with_access(&dir, || match mkdirat(&dir, name, Mode::RWXU) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => Ok(()),
                Err(error) => Err(error.into()),
            })
            .during(words),
            (NodeKind::Symlink, Some(digest)) => {
                let mut target = Vec::new();
                self.reader(&digest, blobs)?.read_to_end(&mut target).during(words)?;
                verified(Digest::of(&target), digest)?;
                with_access(&dir, || Ok(symlinkat(target.as_slice(), &dir, name)?)).during(words)
            }
            (NodeKind::File, Some(digest)) => {
                let shared = lstat(&dir, name).during(words)?.is_some_and(|stat| stat.links > 1);
                if needed(change).is_none() {
                    if !shared {
                        return with_access(&dir, || set_mode(&dir, name, state.mode)).during(words);
                    }
                    // Written anew from what was kept; where that is not to be had, from the file itself.
                    if self.reader(&digest, blobs).is_err() {
                        return set_own_mode(&dir, name, &self.parts.trash, state.mode).during(words);
                    }
                }
                let file = open_or_create(&dir, name).during(words)?;
                let mut reader = self.reader(&digest, blobs)?;
                verified(write_whole(&file, &mut *reader).during(words)?, digest)?;
                fchmod(&file, Mode::from_raw_mode(state.mode)).map_err(io::Error::from).during(words)
            }
            (NodeKind::Special, _) => {
                // Where its nature is not known, or a device that may not be made, it is only remembered.
                if let Some((kind, device)) = change.before.as_ref().and_then(|e| e.special) {
                    let (kind, mode) = (FileType::from_raw_mode(kind), Mode::from_raw_mode(state.mode));
                    let _ = mknodat(&dir, name, kind, mode, device)
                        .and_then(|()| chmodat(&dir, name, mode, AtFlags::empty()));
                }
                Ok(())
            }
            _ => Err(WorkspaceError::Damaged(format!("{}: a state without a content", shown(&change.path)))),
        }
    }

    fn reader(
        &self,
        digest: &Digest,
        blobs: Option<&dyn Blobs>,
    ) -> Result<Box<dyn Read + Send>, WorkspaceError> {
        if let Some(reader) = self.packs.open(digest) {
            return Ok(Box::new(reader));
        }
        Ok(blobs.ok_or(BlobError::Missing(*digest))?.open(digest)?)
    }

    /// What is known of a path that was put back.
    fn settled(&self, change: &Change) -> io::Result<Option<Entry>> {
        let Some(wanted) = &change.before else { return Ok(None) };
        let now = coarse_now();
        let Some(stat) = self.root().stat(&change.path)? else {
            return Ok((wanted.state.kind == NodeKind::Special).then(|| Entry::unseen(wanted.state.clone())));
        };
        let racy = is_racy(&stat.stamp, now);
        Ok(Some(Entry::new(wanted.state.clone(), stat.stamp, racy).with_special(wanted.special)))
    }
}

/// The content that has to be written for a change to be taken back; `None` when the right one stands there.
fn needed(change: &Change) -> Option<Digest> {
    let before = &change.before.as_ref()?.state;
    let stands = |e: &Entry| e.state.kind == NodeKind::File && e.state.content == before.content;
    before.content.filter(|_| !(before.kind == NodeKind::File && change.after.as_ref().is_some_and(stands)))
}

fn verified(found: Digest, wanted: Digest) -> Result<(), WorkspaceError> {
    if found == wanted {
        return Ok(());
    }
    Err(WorkspaceError::Damaged(format!("the kept content {wanted} is not what was kept")))
}

/// The file in place if there is one with this name only, else a new one.
fn open_or_create(dir: impl AsFd, name: &[u8]) -> io::Result<File> {
    with_access(&dir, || {
        match lstat(&dir, name)? {
            Some(stat) if stat.links == 1 => return open_write(&dir, name),
            Some(_) => unlinkat(&dir, name, AtFlags::empty())?,
            None => {}
        }
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(&dir, name, flags, Mode::RUSR | Mode::WUSR)?))
    })
}

fn write_whole(mut file: &File, content: &mut dyn Read) -> io::Result<Digest> {
    file.set_len(0)?;
    let mut builder = DigestBuilder::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = content.read(&mut buffer)?;
        if count == 0 {
            return Ok(builder.finish());
        }
        builder.update(&buffer[..count]);
        file.write_all(&buffer[..count])?;
    }
}
