//! The laws of the runner, with toy tools.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod end;
mod gate;
mod grant;
mod input;
mod output;
mod record;
mod toy;
