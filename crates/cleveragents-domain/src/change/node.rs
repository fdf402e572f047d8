//! What stands at a path: the `before` and `after` of a change.

use serde::{Deserialize, Serialize};

use super::Digest;

/// The kinds of things that a tree can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A regular file.
    File,
    /// A symbolic link; its content is the target's bytes.
    Symlink,
    /// A directory.
    Directory,
    /// A device, socket or pipe: recorded, refused at apply.
    Special,
}

/// What stands at a path. Two equal states are the same bytes, mode and kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NodeState {
    /// The kind.
    pub kind: NodeKind,
    /// Permission bits with setuid, setgid and sticky: `0o7777` at most. Always `0o777` for a symlink.
    pub mode: u32,
    /// Bytes of content; 0 for directories and special nodes.
    pub size: u64,
    /// Hash of a file's bytes or of a symlink's target; `None` for directories and special nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub content: Option<Digest>,
}

impl NodeState {
    /// A regular file with this content.
    pub fn file(content: &[u8], mode: u32) -> Self {
        Self {
            kind: NodeKind::File,
            mode: mode & 0o7777,
            size: content.len() as u64,
            content: Some(Digest::of(content)),
        }
    }

    /// A symlink to `target`.
    pub fn symlink(target: &[u8]) -> Self {
        Self {
            kind: NodeKind::Symlink,
            mode: 0o777,
            size: target.len() as u64,
            content: Some(Digest::of(target)),
        }
    }

    /// A directory.
    pub fn directory(mode: u32) -> Self {
        Self { kind: NodeKind::Directory, mode: mode & 0o7777, size: 0, content: None }
    }

    /// A device, socket or pipe.
    pub fn special(mode: u32) -> Self {
        Self { kind: NodeKind::Special, mode: mode & 0o7777, size: 0, content: None }
    }
}

/// What a change did, derived from its two states and never from a tool's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Nothing stood there before.
    Create,
    /// Same kind, other content (and perhaps another mode).
    Modify,
    /// Nothing stands there after.
    Delete,
    /// Only the mode differs.
    Mode,
    /// Another kind of node stands there.
    KindChange,
}

impl Operation {
    /// The operation between two states, or `None` when they are equal.
    pub fn between(before: Option<&NodeState>, after: Option<&NodeState>) -> Option<Self> {
        match (before, after) {
            (None, None) => None,
            (None, Some(_)) => Some(Self::Create),
            (Some(_), None) => Some(Self::Delete),
            (Some(b), Some(a)) if b.kind != a.kind => Some(Self::KindChange),
            (Some(b), Some(a)) if b.content != a.content || b.size != a.size => Some(Self::Modify),
            (Some(b), Some(a)) => (b.mode != a.mode).then_some(Self::Mode),
        }
    }

    /// The stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Modify => "modify",
            Self::Delete => "delete",
            Self::Mode => "mode",
            Self::KindChange => "kind_change",
        }
    }
}
