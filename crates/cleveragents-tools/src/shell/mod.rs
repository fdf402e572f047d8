//! `shell`: a command, confined where the machine can.

mod alive;
mod confinement;
mod directory;
mod drain;
mod duration;
mod environment;
mod leader;
mod output;
mod process;
mod tool;

pub use confinement::Confinement;
pub(crate) use tool::Shell;
