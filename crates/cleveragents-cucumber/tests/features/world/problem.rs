//! What an attempt failed with.

use cleveragents_application::{PlanError, PlanFileError};
use cleveragents_domain::{ChangeSetStoreError, JournalError, TransitionError, ValidationError};

/// The error of the last attempt, of whichever operation it was.
#[derive(Debug)]
pub(crate) enum Problem {
    Validation(ValidationError),
    Plan(PlanError),
    PlanFile(PlanFileError),
    Store(ChangeSetStoreError),
    Journal(JournalError),
    Transition(TransitionError),
}

impl Problem {
    /// The validation error, whichever operation raised it.
    pub(crate) fn validation(&self) -> &ValidationError {
        match self {
            Self::Validation(error)
            | Self::Plan(
                PlanError::Validation(error) | PlanError::ChangeSetStore(ChangeSetStoreError::Invalid(error)),
            )
            | Self::PlanFile(PlanFileError::Invalid(error))
            | Self::Store(ChangeSetStoreError::Invalid(error)) => error,
            other => panic!("not a ValidationError: {other:?}"),
        }
    }

    pub(crate) fn plan(&self) -> &PlanError {
        match self {
            Self::Plan(error) => error,
            other => panic!("not a PlanError: {other:?}"),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Validation(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::PlanFile(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Journal(error) => error.fmt(f),
            Self::Transition(error) => error.fmt(f),
        }
    }
}

macro_rules! from {
    ($($variant:ident($error:ty)),+ $(,)?) => {$(
        impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )+};
}

from! {
    Validation(ValidationError),
    Plan(PlanError),
    PlanFile(PlanFileError),
    Store(ChangeSetStoreError),
    Journal(JournalError),
    Transition(TransitionError),
}
