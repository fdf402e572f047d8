//! Writing a file of the sandbox in place, and making the directories above it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::fs::{
    AtFlags, FallocateFlags, Mode, OFlags, fallocate, fchmod, mkdirat, openat, renameat, unlinkat,
};
use rustix::io::Errno;

use super::pack;
use crate::beneath::{Place, Root, open_plain, open_write, set_mode, with_access};

/// The mode of a new file, whatever the umask.
const NEW_FILE: u32 = 0o644;
/// The mode of a new directory, whatever the umask.
pub(super) const NEW_DIR: u32 = 0o755;

/// A new file's name until it is complete. One attempt acts at a time.
const DRAFT: &str = "draft";

/// The directory that holds a place, and what was made to get there.
pub(super) struct Holder {
    pub(super) dir: OwnedFd,
    made: Vec<(OwnedFd, Vec<u8>)>,
}

impl Holder {
    /// Takes back what was made: a failed operation changes nothing.
    pub(super) fn unmake(&self) {
        for (dir, name) in self.made.iter().rev() {
            let _ = unlinkat(dir, name.as_slice(), AtFlags::REMOVEDIR);
        }
    }
}

/// Makes the directories above a place that are missing.
pub(super) fn make_dirs(place: &Place) -> io::Result<Holder> {
    let mut holder = Holder { dir: place.dir.try_clone()?, made: Vec::new() };
    for name in &place.missing {
        let step = || -> io::Result<OwnedFd> {
            with_access(&holder.dir, || Ok(mkdirat(&holder.dir, name.as_slice(), Mode::RWXU)?))?;
            set_mode(&holder.dir, name, NEW_DIR)?;
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            with_access(&holder.dir, || Ok(openat(&holder.dir, name.as_slice(), flags, Mode::empty())?))
        };
        match step() {
            Ok(next) => {
                let above = std::mem::replace(&mut holder.dir, next);
                holder.made.push((above, name.clone()));
            }
            Err(error) => {
                holder.unmake();
                return Err(error);
            }
        }
    }
    Ok(holder)
}

/// Writes a file whole: in place where one stands, so that its mode and identity stay. One that has other names too,
/// maybe outside the sandbox, is left to them and replaced here.
pub(super) fn write_file(
    place: &Place,
    trash: &Root,
    mut content: &[u8],
    permissions: Option<u32>,
) -> io::Result<()> {
    if let Some(stat) = &place.stat {
        if stat.links > 1 {
            let mode = permissions.unwrap_or(stat.mode);
            return replace_file(&place.dir, &place.name, trash, &mut content, mode);
        }
        let file = open_write(&place.dir, &place.name)?;
        overwrite(&file, content, stat.stamp.size)?;
        // Writing may have dropped the set-id bits.
        if permissions.is_some() || stat.mode & 0o6000 != 0 {
            fchmod(&file, Mode::from_raw_mode(permissions.unwrap_or(stat.mode)))?;
        }
        return Ok(());
    }
    let holder = make_dirs(place)?;
    let create = || -> io::Result<()> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let open = || Ok(File::from(openat(&holder.dir, place.name.as_slice(), flags, mode)?));
        let mut file = with_access(&holder.dir, open)?;
        let written = file
            .write_all(content)
            .and_then(|()| Ok(fchmod(&file, Mode::from_raw_mode(permissions.unwrap_or(NEW_FILE)))?));
        if written.is_err() {
            let _ = unlinkat(&holder.dir, place.name.as_slice(), AtFlags::empty());
        }
        written
    };
    create().inspect_err(|_| holder.unmake())
}

/// Gives a file that has other names too its permission bits under this name alone.
pub(super) fn set_own_mode(dir: &OwnedFd, name: &[u8], trash: &Root, mode: u32) -> io::Result<()> {
    // Not even for a moment is the file changed that the other names are for.
    let mut shared = with_access(dir, || open_plain(dir, name))?;
    replace_file(dir, name, trash, &mut shared, mode)
}

/// Puts a new file in a file's place in one step. It is written outside the tree, on the same file system.
fn replace_file(
    dir: &OwnedFd,
    name: &[u8],
    trash: &Root,
    content: &mut dyn Read,
    mode: u32,
) -> io::Result<()> {
    let mut file = pack::create(trash, DRAFT)?;
    let mut put = || -> io::Result<()> {
        io::copy(content, &mut file)?;
        fchmod(&file, Mode::from_raw_mode(mode))?;
        with_access(dir, || Ok(renameat(trash, DRAFT, dir, name)?))
    };
    put().inspect_err(|_| {
        let _ = unlinkat(trash, DRAFT, AtFlags::empty());
    })
}

/// Replaces a file's bytes. Room is taken first, so that a full disk shows before the first byte is changed.
fn overwrite(file: &File, content: &[u8], old_size: u64) -> io::Result<()> {
    let size = content.len() as u64;
    if size > old_size {
        match fallocate(file, FallocateFlags::KEEP_SIZE, 0, size) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    file.write_all_at(content, 0)?;
    if size < old_size { file.set_len(size) } else { Ok(()) }
}
