//! Profiles: a name and one answer for each gate.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ValidationError;

/// A thing that a plan may do only if its policy lets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Run the strategize phase.
    Strategize,
    /// Run the execute phase.
    Execute,
    /// Change files in the sandbox.
    Write,
    /// Run a command, confined.
    Shell,
    /// Reach the network.
    Network,
    /// Run a command unconfined, or work without a sandbox.
    Unsafe,
    /// Write to the real project.
    Apply,
}

impl Gate {
    /// Every gate, in the order of the profile table.
    pub const ALL: [Self; 7] =
        [Self::Strategize, Self::Execute, Self::Write, Self::Shell, Self::Network, Self::Unsafe, Self::Apply];

    /// The stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strategize => "strategize",
            Self::Execute => "execute",
            Self::Write => "write",
            Self::Shell => "shell",
            Self::Network => "network",
            Self::Unsafe => "unsafe",
            Self::Apply => "apply",
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a profile says of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Yes.
    Auto,
    /// Only if a person says yes; nobody there is a no.
    Ask,
    /// No.
    Deny,
}

/// A named row of answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Its name.
    pub name: String,
    answers: BTreeMap<Gate, Answer>,
}

/// The built-in profiles, from the most to the least careful.
pub const PROFILE_NAMES: [&str; 8] =
    ["manual", "review", "supervised", "cautious", "trusted", "auto", "ci", "full-auto"];

use Answer::{Ask, Auto, Deny};

/// The profile table; columns in the order of [`Gate::ALL`].
const TABLE: [[Answer; 7]; 8] = [
    [Ask, Ask, Ask, Ask, Deny, Deny, Ask],
    [Auto, Auto, Ask, Ask, Deny, Deny, Ask],
    [Auto, Ask, Auto, Auto, Deny, Deny, Ask],
    [Auto, Auto, Auto, Ask, Deny, Deny, Ask],
    [Auto, Auto, Auto, Auto, Ask, Deny, Ask],
    [Auto, Auto, Auto, Auto, Auto, Deny, Ask],
    [Auto, Auto, Auto, Auto, Deny, Deny, Auto],
    [Auto, Auto, Auto, Auto, Auto, Auto, Auto],
];

impl Profile {
    /// The default: `supervised`.
    pub const DEFAULT: &'static str = "supervised";

    /// The built-in profile of that name. Any other name is an error that lists the choices, never another profile.
    pub fn named(name: &str) -> Result<Self, ValidationError> {
        let row = PROFILE_NAMES.iter().position(|known| *known == name).ok_or_else(|| {
            let choices = PROFILE_NAMES.join(", ");
            ValidationError::new(
                "automation_profile",
                format!("unknown profile {name:?}; choose one of {choices}"),
            )
        })?;
        Ok(Self { name: name.to_owned(), answers: Gate::ALL.into_iter().zip(TABLE[row]).collect() })
    }

    /// The answer for a gate; a gate that the profile does not know is denied.
    pub fn answer(&self, gate: Gate) -> Answer {
        self.answers.get(&gate).copied().unwrap_or(Answer::Deny)
    }
}
