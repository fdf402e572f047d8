//! What the kernel says about a node, without reading it.

use std::io;

use cleveragents_runtime::domain::NodeKind;
use rustix::fs::FileType;
use rustix::time::{ClockId, clock_gettime};

/// A node's metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) kind: NodeKind,
    pub(crate) mode: u32,
    pub(crate) dev: u64,
    pub(crate) links: u64,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// The type bits and the device number, by which a special node can be made again.
    pub(crate) special: (u32, u64),
    pub(crate) stamp: Stamp,
}

/// The part of a node's metadata that changes whenever its content does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    pub(crate) ino: u64,
    pub(crate) size: u64,
    /// Nanoseconds since the epoch.
    pub(crate) mtime: i64,
    /// Nanoseconds since the epoch. No program can set it.
    pub(crate) ctime: i64,
}

impl Stat {
    // Field widths differ between platforms.
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
    pub(crate) fn from_raw(raw: &rustix::fs::Stat) -> Self {
        let kind = match FileType::from_raw_mode(raw.st_mode) {
            FileType::RegularFile => NodeKind::File,
            FileType::Directory => NodeKind::Directory,
            FileType::Symlink => NodeKind::Symlink,
            _ => NodeKind::Special,
        };
        Self {
            kind,
            mode: u32::from(raw.st_mode) & 0o7777,
            dev: raw.st_dev as u64,
            links: raw.st_nlink as u64,
            uid: raw.st_uid,
            gid: raw.st_gid,
            special: (u32::from(raw.st_mode) & !0o7777, raw.st_rdev as u64),
            stamp: Stamp {
                ino: raw.st_ino,
                size: u64::try_from(raw.st_size).unwrap_or(0),
                mtime: nanoseconds(raw.st_mtime, i64::try_from(raw.st_mtime_nsec).unwrap_or(0)),
                ctime: nanoseconds(raw.st_ctime, i64::try_from(raw.st_ctime_nsec).unwrap_or(0)),
            },
        }
    }

    /// Whether two names lead to the same node.
    pub(crate) fn same_node(&self, other: &Self) -> bool {
        (self.dev, self.stamp.ino) == (other.dev, other.stamp.ino)
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

/// The clock that file times are taken from, in nanoseconds since the epoch.
pub(crate) fn coarse_now() -> i64 {
    #[cfg(target_os = "linux")]
    let clock = ClockId::RealtimeCoarse;
    #[cfg(not(target_os = "linux"))]
    let clock = ClockId::Realtime;
    let now = clock_gettime(clock);
    nanoseconds(now.tv_sec, now.tv_nsec)
}

/// An error with words of ours.
pub(crate) fn io_error(kind: io::ErrorKind, words: &'static str) -> io::Error {
    io::Error::new(kind, words)
}
