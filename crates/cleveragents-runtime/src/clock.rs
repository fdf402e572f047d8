//! The real clock: the only place where time is read and ids are made.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use cleveragents_domain::{Clock, Timestamp, Ulid};

/// Reads the system's time. Readings and ids never go back, even when the wall clock does.
#[derive(Default)]
pub struct SystemClock {
    last: Mutex<u64>,
    ids: Mutex<ulid::Generator>,
}

impl std::fmt::Debug for SystemClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SystemClock")
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros());
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = (*last).max(u64::try_from(wall).unwrap_or(u64::MAX));
        Timestamp(*last)
    }

    fn new_id(&self) -> Ulid {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // It refuses only when 2^80 ids were made within one millisecond.
            if let Ok(id) = ids.generate() {
                return id;
            }
        }
    }
}
