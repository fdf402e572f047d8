//! The laws of the domain, through its public surface.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod change;
mod decision;
mod id;
mod policy;
mod state;
mod validation;
mod view;
