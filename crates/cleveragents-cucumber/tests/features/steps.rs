//! Steps, by concept. Each is a few lines: the World and the doubles hold the rest.

mod apply;
mod changeset;
mod context;
mod error;
mod event;
mod executor;
mod gate;
mod journal;
mod lifecycle;
mod plan;
mod project;
mod runtime_actor;
mod runtime_result;
mod summarize;
mod tool;

pub(crate) use lifecycle::Place;
