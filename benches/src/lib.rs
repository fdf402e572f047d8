//! What the benches share.

#[path = "../peers/floor.rs"]
pub mod floor;
pub mod place;
pub mod plan;
