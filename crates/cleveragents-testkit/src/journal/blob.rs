//! Laws of contents.

use std::io::Read;
use std::sync::Arc;

use cleveragents_domain::{BlobError, Digest, MAX_SMALL_BLOB, Store, read_blob};

use super::sample::bytes;

/// Sizes at and around every bound.
const SIZES: [usize; 7] = [0, 1, 200, 4096, MAX_SMALL_BLOB, MAX_SMALL_BLOB + 1, 3 * 1024 * 1024];

/// Gives few bytes at a time, as a pipe does.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let many = buf.len().min(1021);
        self.0.read(&mut buf[..many])
    }
}

/// Empty, small and large contents come back byte for byte, under their hash.
pub async fn contents_come_back_as_they_went_in(store: Arc<dyn Store>) {
    for size in SIZES {
        let content = bytes(size, 1);
        let (digest, kept) = store.put(&mut Trickle(&content)).unwrap();
        assert_eq!((digest, kept), (Digest::of(&content), size as u64));
        assert!(store.contains(&digest).unwrap());
        let mut back = Vec::new();
        store.open(&digest).unwrap().read_to_end(&mut back).unwrap();
        assert!(back == content, "{size} bytes");
        assert!(read_blob(&*store, &digest, size as u64).unwrap() == content);
        if size > 0 {
            let refused = read_blob(&*store, &digest, size as u64 - 1);
            assert!(matches!(refused, Err(BlobError::TooLarge { .. })), "{refused:?}");
        }
    }
}

/// The way in does not matter: in a batch or by `put`, the same bytes have the same name.
pub async fn the_same_bytes_have_one_name(store: Arc<dyn Store>) {
    let sample = super::Sample::new();
    let plan = sample.commit_plan(&*store, "plan").await;
    let mut batch = sample.batch(vec![sample.names(b"both ways"), sample.names(b"")]);
    batch.blobs = vec![b"both ways".to_vec(), Vec::new(), b"both ways".to_vec()];
    store.commit(&plan, 1, batch).await.unwrap();
    let (digest, _) = store.put(&mut &b"both ways"[..]).unwrap();
    assert_eq!(read_blob(&*store, &digest, 100).unwrap(), b"both ways");
    assert_eq!(read_blob(&*store, &Digest::of(b""), 0).unwrap(), b"");
}

/// The same content twice is the same content, also when two threads bring it at once.
pub async fn kept_twice_is_kept_once(store: Arc<dyn Store>) {
    for size in [10, 2 * 1024 * 1024] {
        let content = bytes(size, 2);
        let put = |_| {
            let (store, content) = (Arc::clone(&store), content.clone());
            std::thread::spawn(move || store.put(&mut &content[..]).unwrap())
        };
        let threads: Vec<_> = (0..4).map(put).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), (Digest::of(&content), size as u64));
        }
        assert!(read_blob(&*store, &Digest::of(&content), size as u64).unwrap() == content);
    }
}

/// A hash that was never stored is missing, and a source that fails half-way leaves nothing behind.
pub async fn damaged_names_are_missing(store: Arc<dyn Store>) {
    struct Failing(usize);
    impl Read for Failing {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            if self.0 == 0 {
                return Err(std::io::Error::other("the source broke"));
            }
            let many = buf.len().min(self.0);
            buf[..many].fill(b'x');
            self.0 -= many;
            Ok(many)
        }
    }
    let stranger = Digest::of(b"never stored");
    assert!(!store.contains(&stranger).unwrap());
    assert!(matches!(store.open(&stranger).map(drop), Err(BlobError::Missing(d)) if d == stranger));
    for size in [100, 2 * 1024 * 1024] {
        assert!(matches!(store.put(&mut Failing(size)), Err(BlobError::Io(_))));
        assert!(!store.contains(&Digest::of(&vec![b'x'; size])).unwrap());
    }
}
