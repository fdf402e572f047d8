//! Contract suites for the ports, fixtures and fakes. For tests only; no product crate depends on it at run time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

pub mod fake;
pub mod journal;
pub mod workspace;
