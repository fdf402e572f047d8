//! Test doubles, each on a public port of the product.

mod approver;
mod collector;
mod store;
mod target;
mod tool;
mod worker;

pub(crate) use approver::Person;
pub(crate) use collector::{Collector, name_of};
pub(crate) use store::CustomStore;
pub(crate) use target::Corrupting;
pub(crate) use tool::{CallCount, Toy};
pub(crate) use worker::{Idle, Meanwhile};
