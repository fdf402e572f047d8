//! The SQLite store: the contract of every journal, and what only a durable store promises.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod contract;
mod crash;
mod damage;
mod reopen;
mod shared;
mod support;
