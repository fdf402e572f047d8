//! File operations by path, with `std::fs`. Not safe against somebody who exchanges links meanwhile.

use std::ffi::OsStr;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cleveragents_domain::{NodeKind, RelPath};
use cleveragents_runtime::{DirEntry, FileError, FileInfo, Files, WriteMode};

pub(super) struct DirFiles {
    root: PathBuf,
    ended: Arc<AtomicBool>,
}

impl DirFiles {
    pub(super) fn new(root: &Path, ended: Arc<AtomicBool>) -> Self {
        Self { root: root.canonicalize().unwrap(), ended }
    }

    /// The node itself, its directory's links followed.
    fn node(&self, path: &RelPath) -> Result<PathBuf, FileError> {
        if self.ended.load(Ordering::SeqCst) {
            return Err(FileError::Ended);
        }
        let file = self.root.join(OsStr::from_bytes(path.as_bytes()));
        let mut there = file.parent().unwrap_or(&self.root);
        while fs::symlink_metadata(there).is_err() {
            there = there.parent().unwrap_or(&self.root);
        }
        let resolved = there.canonicalize().map_err(io_error(path))?;
        if !resolved.starts_with(&self.root) {
            return Err(FileError::Escapes { path: path.clone() });
        }
        Ok(file)
    }

    /// The node at the end of the links.
    fn target(&self, path: &RelPath) -> Result<PathBuf, FileError> {
        let file = self.node(path)?;
        if !fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_symlink()) {
            return Ok(file);
        }
        let resolved = file.canonicalize().map_err(io_error(path))?;
        if resolved.starts_with(&self.root) {
            Ok(resolved)
        } else {
            Err(FileError::Escapes { path: path.clone() })
        }
    }

    fn writable(&self, path: &RelPath) -> Result<(), FileError> {
        let protected = path.components().any(|name| name.eq_ignore_ascii_case(b".git"));
        if protected { Err(FileError::Protected(path.clone())) } else { self.node(path).map(drop) }
    }
}

fn io_error(path: &RelPath) -> impl FnOnce(io::Error) -> FileError {
    let path = path.clone();
    move |source| match source.kind() {
        io::ErrorKind::NotFound => FileError::NotFound(path),
        io::ErrorKind::AlreadyExists => FileError::Exists(path),
        io::ErrorKind::DirectoryNotEmpty => FileError::NotEmpty(path),
        io::ErrorKind::IsADirectory => FileError::WrongKind { path, found: "directory", needed: "file" },
        _ => FileError::Io { path, source },
    }
}

fn kind(metadata: &Metadata) -> NodeKind {
    match metadata.file_type() {
        kind if kind.is_file() => NodeKind::File,
        kind if kind.is_dir() => NodeKind::Directory,
        kind if kind.is_symlink() => NodeKind::Symlink,
        _ => NodeKind::Special,
    }
}

fn parents(path: &RelPath, file: &Path) -> Result<(), FileError> {
    file.parent().map_or(Ok(()), fs::create_dir_all).map_err(io_error(path))
}

impl Files for DirFiles {
    fn info(&self, path: &RelPath) -> Result<Option<FileInfo>, FileError> {
        match fs::symlink_metadata(self.node(path)?) {
            Ok(found) => {
                let mode = found.permissions().mode() & 0o7777;
                Ok(Some(FileInfo { kind: kind(&found), mode, size: found.len() }))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(io_error(path)(e)),
        }
    }

    fn read(&self, path: &RelPath, offset: u64, limit: u64) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        let mut file = fs::File::open(self.target(path)?).map_err(io_error(path))?;
        file.seek(SeekFrom::Start(offset)).map_err(io_error(path))?;
        file.take(limit).read_to_end(&mut bytes).map_err(io_error(path))?;
        Ok(bytes)
    }

    fn read_link(&self, path: &RelPath) -> Result<Vec<u8>, FileError> {
        let target = fs::read_link(self.node(path)?).map_err(io_error(path))?;
        Ok(target.into_os_string().into_vec())
    }

    fn list(&self, path: Option<&RelPath>) -> Result<Vec<DirEntry>, FileError> {
        let dir = path.map_or_else(|| Ok(self.root.clone()), |path| self.target(path))?;
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            let name =
                path.map_or_else(|| RelPath::from_bytes(name.as_bytes()), |path| path.join(name.as_bytes()));
            entries.push(DirEntry { path: name.unwrap(), kind: kind(&entry.metadata().unwrap()) });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    fn write(
        &self,
        path: &RelPath,
        content: &[u8],
        permissions: Option<u32>,
        mode: WriteMode,
    ) -> Result<(), FileError> {
        self.writable(path)?;
        if mode == WriteMode::CreateNew && self.info(path)?.is_some() {
            return Err(FileError::Exists(path.clone()));
        }
        let file = self.target(path)?;
        parents(path, &file)?;
        fs::write(&file, content).map_err(io_error(path))?;
        match permissions {
            Some(bits) => fs::set_permissions(&file, Permissions::from_mode(bits)).map_err(io_error(path)),
            None => Ok(()),
        }
    }

    fn remove(&self, path: &RelPath, recursive: bool) -> Result<(), FileError> {
        self.writable(path)?;
        let file = self.node(path)?;
        let directory = fs::symlink_metadata(&file).map_err(io_error(path))?.is_dir();
        match (directory, recursive) {
            (false, _) => fs::remove_file(file),
            (true, false) => fs::remove_dir(file),
            (true, true) => fs::remove_dir_all(file),
        }
        .map_err(io_error(path))
    }

    fn rename(&self, from: &RelPath, to: &RelPath, overwrite: bool) -> Result<(), FileError> {
        self.writable(from)?;
        self.writable(to)?;
        if !overwrite && from != to && self.info(to)?.is_some() {
            return Err(FileError::Exists(to.clone()));
        }
        let target = self.node(to)?;
        let source = self.node(from)?;
        fs::symlink_metadata(&source).map_err(io_error(from))?;
        parents(to, &target)?;
        fs::rename(source, target).map_err(io_error(from))
    }

    fn create_dir(&self, path: &RelPath) -> Result<(), FileError> {
        self.writable(path)?;
        fs::create_dir_all(self.node(path)?).map_err(io_error(path))
    }

    fn create_symlink(&self, path: &RelPath, target: &[u8]) -> Result<(), FileError> {
        self.writable(path)?;
        symlink(OsStr::from_bytes(target), self.node(path)?).map_err(io_error(path))
    }

    fn set_mode(&self, path: &RelPath, mode: u32) -> Result<(), FileError> {
        self.writable(path)?;
        fs::set_permissions(self.node(path)?, Permissions::from_mode(mode)).map_err(io_error(path))
    }
}
