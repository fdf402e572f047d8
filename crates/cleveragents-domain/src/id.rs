//! Identifiers: ULIDs, one type per thing that has one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ValidationError;

/// A ULID in its canonical text form (26 characters of Crockford base 32, upper case).
///
/// Source of the format: the ULID specification. Unlike the `ulid` crate's parser this one refuses text whose
/// first character is above `7`, which would overflow 128 bits: two texts never mean one id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UlidText([u8; 26]);

impl UlidText {
    /// The canonical text of `ulid`.
    pub fn new(ulid: ulid::Ulid) -> Self {
        let mut text = [b'0'; 26];
        ulid.array_to_str(&mut text);
        Self(text)
    }

    /// Parses 26 characters, lower or upper case; anything else is an error that names `field`.
    pub fn parse(text: &str, field: &str) -> Result<Self, ValidationError> {
        if text.is_empty() {
            return Err(ValidationError::new(field, "must not be empty"));
        }
        let refuse = || ValidationError::new(field, "must be a ULID: 26 characters, the first one 0 to 7");
        if text.len() != 26 || !matches!(text.as_bytes()[0], b'0'..=b'7') {
            return Err(refuse());
        }
        // The crate maps ambiguous letters (I, L, O) to digits; the canonical text is what we keep.
        ulid::Ulid::from_string(text).map(Self::new).map_err(|_| refuse())
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        // Only ever filled by the ULID encoder, which writes ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $field:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(UlidText);

        impl $name {
            /// The field name that errors about this id carry.
            pub const FIELD: &'static str = $field;

            /// Wraps a ULID made by a [`crate::Clock`].
            pub fn new(ulid: ulid::Ulid) -> Self {
                Self(UlidText::new(ulid))
            }

            /// Parses the text form; the error names the field.
            pub fn parse(text: &str) -> Result<Self, ValidationError> {
                UlidText::parse(text, Self::FIELD).map(Self)
            }

            /// The canonical text: 26 upper-case characters.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = ValidationError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    )+};
}

ids! {
    /// A plan.
    PlanId = "plan_id";
    /// A node of a plan's decision tree.
    DecisionId = "decision_id";
    /// A changeset.
    ChangeSetId = "changeset_id";
    /// One entry of a changeset.
    EntryId = "entry_id";
    /// One tool call.
    ToolCallId = "tool_call_id";
}

/// The name under which a plan knows one of its bound resources, `project` for the usual single root.
///
/// 1 to 64 characters of `a-z`, `0-9`, `-` and `_`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RootId(String);

impl RootId {
    /// Checks the name; the error names the field `root`.
    pub fn parse(name: &str) -> Result<Self, ValidationError> {
        let fits = (1..=64).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
        if fits {
            Ok(Self(name.to_owned()))
        } else {
            Err(ValidationError::new("root", "must be 1 to 64 characters of a-z, 0-9, - and _"))
        }
    }

    /// The root of a plan that has just one: `project`.
    pub fn project() -> Self {
        Self("project".to_owned())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RootId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for RootId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}
