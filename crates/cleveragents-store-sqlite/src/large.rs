//! Large contents, one file each.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use cleveragents_domain::{BlobError, Digest, DigestBuilder};

use crate::database::sync_parent;

/// What a file is called until it is whole.
const PARTIAL: &str = "partial-";

/// A partial file as old as this belongs to a process that is gone.
const ABANDONED: Duration = Duration::from_hours(24);

static NEXT: AtomicU64 = AtomicU64::new(0);

/// The directory of large contents.
#[derive(Debug, Clone)]
pub(crate) struct LargeBlobs(PathBuf);

impl LargeBlobs {
    /// Makes the directory when there is none, and removes what dead processes left half-written.
    pub(crate) fn open(dir: PathBuf) -> io::Result<Self> {
        make_dir(&dir)?;
        let now = SystemTime::now();
        for entry in fs::read_dir(&dir)?.flatten() {
            let partial = entry.file_name().as_encoded_bytes().starts_with(PARTIAL.as_bytes());
            let age = entry
                .metadata()
                .and_then(|m| m.modified())
                .map(|at| now.duration_since(at).unwrap_or_default());
            if partial && age.is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(Self(dir))
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        let text = digest.to_string();
        let hex = text.strip_prefix("b3:").unwrap_or(&text);
        self.0.join(&hex[..2]).join(hex)
    }

    pub(crate) fn contains(&self, digest: &Digest) -> bool {
        self.path(digest).is_file()
    }

    /// Streams content in: a partial file, synced, then renamed to its hash, then the name synced.
    pub(crate) fn put(&self, begun: &[u8], rest: &mut dyn Read) -> io::Result<(Digest, u64)> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let partial = Partial(self.0.join(format!("{PARTIAL}{}-{number}", std::process::id())));
        // A process that had our id once may have left a file of that name.
        let _ = fs::remove_file(&partial.0);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial.0)?;
        let (mut hash, mut size) = (DigestBuilder::default(), begun.len() as u64);
        hash.update(begun);
        file.write_all(begun)?;
        let mut piece = vec![0; 256 * 1024];
        loop {
            let read = match rest.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            hash.update(&piece[..read]);
            file.write_all(&piece[..read])?;
            size += read as u64;
        }
        file.sync_all()?;
        let digest = hash.finish();
        let path = self.path(&digest);
        if let Some(parent) = path.parent() {
            make_dir(parent)?;
        }
        fs::rename(&partial.0, &path)?;
        sync_parent(&path)?;
        Ok((digest, size))
    }

    pub(crate) fn reader(&self, digest: &Digest) -> Result<Box<dyn Read + Send>, BlobError> {
        match File::open(self.path(digest)) {
            Ok(file) => {
                Ok(Box::new(Verified { inner: file, hash: DigestBuilder::default(), digest: *digest }))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Err(BlobError::Missing(*digest)),
            Err(e) => Err(e.into()),
        }
    }
}

/// Makes a directory that only its owner may enter, and makes its name durable.
pub(crate) fn make_dir(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    if let Some(parent) = dir.parent()
        && !parent.as_os_str().is_empty()
    {
        make_dir(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => sync_parent(dir),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(e),
    }
}

/// A half-written file: removed when it is not renamed.
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Ends in an error when the bytes were not the ones that the hash names.
struct Verified<R> {
    inner: R,
    hash: DigestBuilder,
    digest: Digest,
}

impl<R: Read> Read for Verified<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buf)?;
        self.hash.update(&buf[..read]);
        if read == 0 && !buf.is_empty() && self.hash.finish() != self.digest {
            return Err(io::Error::new(io::ErrorKind::InvalidData, BlobError::Corrupt(self.digest)));
        }
        Ok(read)
    }
}
