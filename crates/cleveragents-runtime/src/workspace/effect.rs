//! What a call really changed, with the contents on both sides.

use std::io::Read;
use std::sync::Arc;

use cleveragents_domain::{NodeState, Operation, RelPath};

/// Content of one side of an effect.
#[derive(Clone)]
pub enum Content {
    /// A directory, a special node, or nothing.
    None,
    /// Small content, at most `cleveragents_domain::MAX_SMALL_BLOB` bytes.
    Small(Arc<[u8]>),
    /// Larger content: opened when it is needed, streamed. Valid until the attempt is kept or discarded.
    Large(Arc<dyn Source>),
}

/// Opens large content for reading.
pub trait Source: Send + Sync {
    /// A reader from the first byte on.
    fn open(&self) -> std::io::Result<Box<dyn Read + Send>>;
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Small(bytes) => write!(f, "Small({} bytes)", bytes.len()),
            Self::Large(_) => f.write_str("Large"),
        }
    }
}

/// One path that is not what it was.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The path.
    pub path: RelPath,
    /// What stood there; `None` is absent.
    pub before: Option<NodeState>,
    /// What stands there; `None` is absent.
    pub after: Option<NodeState>,
    /// The content before.
    pub before_content: Content,
    /// The content after.
    pub after_content: Content,
}

impl Effect {
    /// What was done; `None` when nothing differs, which a workspace never reports.
    pub fn operation(&self) -> Option<Operation> {
        Operation::between(self.before.as_ref(), self.after.as_ref())
    }
}

/// What an attempt found, sorted by path.
#[derive(Debug, Clone, Default)]
pub struct ChangeSetCapture {
    /// What this attempt did.
    pub effects: Vec<Effect>,
    /// What nobody's attempt did: found standing there before this one touched it.
    pub outside: Vec<Effect>,
}
