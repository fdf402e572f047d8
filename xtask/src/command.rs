//! The commands. Each says in one line what it found good, or in full what it did not.

pub(crate) mod ci;
pub(crate) mod deps;
pub(crate) mod layers;

/// What a command has to say at its end.
pub(crate) type Verdict = Result<String, String>;
