//! The blob port: file contents by hash.

use std::io::Read;

use thiserror::Error;

use crate::Digest;

/// Why content could not be kept or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BlobError {
    /// No content has this hash.
    #[error("no content {0} in the store")]
    Missing(Digest),
    /// The stored bytes are not the ones that were stored.
    #[error("the stored content {0} is damaged")]
    Corrupt(Digest),
    /// The content is larger than the caller allows.
    #[error("content {digest} has more than {limit} bytes")]
    TooLarge {
        /// Its hash.
        digest: Digest,
        /// The caller's bound.
        limit: u64,
    },
    /// Reading the source or the storage failed.
    #[error("the content could not be read or written")]
    Io(#[from] std::io::Error),
    /// The storage behind it failed.
    #[error("the blob store failed")]
    Backend(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Keeps contents by their BLAKE3 hash. Blocking: call it from a thread that may block.
///
/// Content that no record names is harmless.
pub trait Blobs: Send + Sync + 'static {
    /// Streams content in, in constant memory. When it returns the content is durable. The same content twice is
    /// kept once.
    fn put(&self, content: &mut dyn Read) -> Result<(Digest, u64), BlobError>;
    /// A reader over content. The bytes are the ones whose hash was asked for, or reading ends in an error.
    fn open(&self, digest: &Digest) -> Result<Box<dyn Read + Send>, BlobError>;
    /// Whether the content is kept.
    fn contains(&self, digest: &Digest) -> Result<bool, BlobError>;
}

/// Reads content whole, refusing more than `limit` bytes.
pub fn read_blob(blobs: &dyn Blobs, digest: &Digest, limit: u64) -> Result<Vec<u8>, BlobError> {
    let mut bytes = Vec::new();
    blobs.open(digest)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(BlobError::TooLarge { digest: *digest, limit });
    }
    if Digest::of(&bytes) != *digest {
        return Err(BlobError::Corrupt(*digest));
    }
    Ok(bytes)
}
