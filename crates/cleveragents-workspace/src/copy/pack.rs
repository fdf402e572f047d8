//! Contents of the sandbox by hash, in a few append-only files beside it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use cleveragents_runtime::domain::{Digest, DigestBuilder, MAX_SMALL_BLOB};
use cleveragents_runtime::{Content, Source};
use rustix::fs::{Mode, OFlags, openat};

use crate::beneath::{Root, remove_all};

/// Where a content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) pack: u32,
    pub(crate) offset: u64,
    pub(crate) len: u64,
}

/// The packs of one sandbox. The last one takes what calls wrote, the others hold the base.
#[derive(Debug)]
pub(crate) struct Packs {
    files: Vec<Arc<File>>,
    slots: HashMap<Digest, Slot>,
    end: u64,
}

impl Packs {
    /// The packs of the base, and a new empty one in the sandbox's folder.
    pub(crate) fn new(mut base: Vec<File>, slots: HashMap<Digest, Slot>, folder: &Root) -> io::Result<Self> {
        base.push(create(folder, "kept")?);
        Ok(Self { files: base.into_iter().map(Arc::new).collect(), slots, end: 0 })
    }

    /// Whether a content is here.
    pub(crate) fn contains(&self, digest: &Digest) -> bool {
        self.slots.contains_key(digest)
    }

    /// A reader over a content.
    pub(crate) fn open(&self, digest: &Digest) -> Option<PackReader> {
        let slot = *self.slots.get(digest)?;
        let file = Arc::clone(self.files.get(slot.pack as usize)?);
        Some(PackReader { file, at: slot.offset, left: slot.len })
    }

    /// A content as an effect carries it: whole if it is small and `whole` says so.
    pub(crate) fn content(&self, digest: &Digest, whole: bool) -> io::Result<Content> {
        let missing =
            || io::Error::new(io::ErrorKind::NotFound, format!("content {digest} is not in the sandbox"));
        let mut reader = self.open(digest).ok_or_else(missing)?;
        if !whole || reader.left > MAX_SMALL_BLOB as u64 {
            return Ok(Content::Large(Arc::new(reader)));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(reader.left).unwrap_or(0));
        reader.read_to_end(&mut bytes)?;
        Ok(Content::Small(bytes.into()))
    }

    /// Keeps a content that is held whole.
    pub(crate) fn put(&mut self, digest: Digest, bytes: &[u8]) -> io::Result<()> {
        if self.contains(&digest) {
            return Ok(());
        }
        self.kept()?.write_all_at(bytes, self.end)?;
        self.remember(digest, bytes.len() as u64);
        Ok(())
    }

    /// Keeps a content of any size as it is read.
    pub(crate) fn put_stream(&mut self, content: &mut dyn Read) -> io::Result<(Digest, u64)> {
        let file = self.kept()?;
        let mut builder = DigestBuilder::default();
        let mut buffer = vec![0; 256 * 1024];
        let mut len = 0;
        loop {
            let count = content.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            builder.update(&buffer[..count]);
            file.write_all_at(&buffer[..count], self.end + len)?;
            len += count as u64;
        }
        let digest = builder.finish();
        if !self.contains(&digest) {
            self.remember(digest, len);
        }
        Ok((digest, len))
    }

    fn kept(&self) -> io::Result<Arc<File>> {
        self.files.last().cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn remember(&mut self, digest: Digest, len: u64) {
        let pack = u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX);
        self.slots.insert(digest, Slot { pack, offset: self.end, len });
        self.end += len;
    }
}

/// Reads one content. Cloned readers are independent.
#[derive(Debug, Clone)]
pub(crate) struct PackReader {
    file: Arc<File>,
    at: u64,
    left: u64,
}

impl Read for PackReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        let count = self.file.read_at(&mut buffer[..most], self.at)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += count as u64;
        self.left -= count as u64;
        Ok(count)
    }
}

impl Source for PackReader {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(self.clone()))
    }
}

/// A new file, readable by the owner only. What is there already is removed, never written.
pub(crate) fn create(dir: &Root, name: &str) -> io::Result<File> {
    remove_all(dir, name.as_bytes())?;
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(dir, name, flags, Mode::RUSR | Mode::WUSR)?))
}

/// Appends contents to one pack of the base.
#[derive(Debug)]
pub(crate) struct PackWriter {
    pack: u32,
    out: io::BufWriter<File>,
    end: u64,
}

impl PackWriter {
    /// A new pack with this number in `base`.
    pub(crate) fn create(base: &Root, pack: u32) -> io::Result<Self> {
        let file = create(base, &format!("pack-{pack}"))?;
        Ok(Self { pack, out: io::BufWriter::with_capacity(1 << 20, file), end: 0 })
    }

    /// Its number among the packs.
    pub(crate) fn number(&self) -> u32 {
        self.pack
    }

    /// Appends bytes of the content that began at the last [`PackWriter::position`].
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Where the next byte goes.
    pub(crate) fn position(&self) -> u64 {
        self.end
    }

    /// The slot of a content that began at `offset` and ends here.
    pub(crate) fn slot_from(&self, offset: u64) -> Slot {
        Slot { pack: self.pack, offset, len: self.end - offset }
    }

    /// Writes out what is buffered.
    pub(crate) fn finish(self) -> io::Result<(File, u64)> {
        let end = self.end;
        Ok((self.out.into_inner().map_err(io::IntoInnerError::into_error)?, end))
    }
}
