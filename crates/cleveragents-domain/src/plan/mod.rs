//! Plans: what they are asked, where they stand, what became of them.

mod failure;
mod spec;
mod state;
mod view;

pub use failure::{ErrorDetails, ExecutionMode, FailureKind, PlanFailure};
pub use spec::{PlanRoot, PlanSpec};
pub use state::{MAX_REVERSIONS, Move, Phase, PlanState, ProcessingState, TransitionError};
pub use view::{ApplyStage, OpenCall, PlanView, ViewError};
