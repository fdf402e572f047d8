//! The binary, as users and scripts meet it: it is started as a process, and the oracle walks the trees by itself.

#![allow(clippy::unwrap_used, clippy::expect_used)] // in tests a panic is the report

mod cancel;
mod conflict;
mod conflict_rollback;
mod error_file;
mod error_place;
mod error_resource;
mod explain;
mod gate;
mod gate_limit;
mod git;
mod git_environment;
mod guide;
mod half_way;
mod interrupt;
mod interrupt_unconfined;
mod log;
mod lost;
mod name;
mod name_kind;
mod phase;
mod race;
mod resume;
mod review;
mod scale;
mod shell;
mod shown;
mod stub;
mod support;
mod surface;
mod walk;
