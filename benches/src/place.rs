//! Where a bench writes: on the disk that holds the target folder, and it says which file system that is.

use std::path::{Path, PathBuf};

/// A fresh folder on the same disk as the build, never in memory: a durable number from tmpfs would be no number.
pub fn fresh() -> std::io::Result<tempfile::TempDir> {
    let base = std::env::var_os("CARGO_TARGET_TMPDIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    std::fs::create_dir_all(&base)?;
    tempfile::tempdir_in(base)
}

/// The type of the file system that holds a path, from `/proc/self/mounts`: the longest mount point above it.
pub fn file_system(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    fields
        .filter(|f| f.len() > 2 && path.starts_with(f[1]))
        .max_by_key(|f| f[1].len())
        .map_or_else(|| "unknown".to_owned(), |f| f[2].to_owned())
}
