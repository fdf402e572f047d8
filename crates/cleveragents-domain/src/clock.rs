//! Time and ids come in from outside, through this one small port.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// Microseconds from `earlier` to this; 0 when the clock went back.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Where time and ids come from. A ULID is a timestamp with entropy, so one port gives both.
///
/// Implementations are monotonic: each id sorts after the one before it, whatever the wall clock does.
pub trait Clock: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;
    /// A new id, greater than each id given before.
    fn new_id(&self) -> Ulid;
}

/// A clock that counts: each reading is one millisecond later than the one before. Same calls, same values: for tests and replay.
#[derive(Debug)]
pub struct CountingClock(Mutex<u64>);

impl CountingClock {
    /// Starts at `start`.
    pub fn starting_at(start: Timestamp) -> Self {
        Self(Mutex::new(start.0))
    }

    fn tick(&self) -> u64 {
        let mut at = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *at += 1_000;
        *at
    }
}

impl Default for CountingClock {
    fn default() -> Self {
        Self::starting_at(Timestamp(1_700_000_000_000_000))
    }
}

impl Clock for CountingClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.tick())
    }

    fn new_id(&self) -> Ulid {
        let tick = self.tick();
        Ulid::from_parts(tick / 1_000, u128::from(tick))
    }
}
