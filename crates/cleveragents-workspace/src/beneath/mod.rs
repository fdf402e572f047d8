//! Acting beneath a directory by handles: nothing here follows a link unless its caller says so.

mod name;
mod node;
mod resolve;
mod root;
mod stat;

pub(crate) use name::{below, is_protected, is_protected_name, join, parent_and_name};
pub(crate) use node::{
    list, lstat, open_listed, open_plain, open_read, open_write, peek, read_link, remove_all, set_mode,
    sync_dir, with_access,
};
pub(crate) use resolve::{Place, Resolved, resolve, word};
pub(crate) use root::{Root, is_absent};
pub(crate) use stat::{Stamp, Stat, coarse_now, io_error};
