//! The real project: compared, then changed in one step that is finished or undone.

mod check;
mod directory;
mod present;
mod stage;
mod step;
mod swap;

pub use directory::DirectoryTarget;
pub use step::{Fate, StepObserver};
