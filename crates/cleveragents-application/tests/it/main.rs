//! The laws of plans, through the public surface.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp)]

mod context;
mod events;
mod faults;
mod plan_file;
mod result;
mod support;
