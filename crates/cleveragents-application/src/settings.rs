//! What the outside gives to every plan.

use std::sync::Arc;

use cleveragents_domain::Clock;
use cleveragents_runtime::SystemClock;

/// Time and ids. A deterministic clock makes tests and replay deterministic.
#[derive(Clone)]
pub struct Settings {
    pub(crate) clock: Arc<dyn Clock>,
}

impl Settings {
    /// The system's clock.
    pub fn system() -> Self {
        Self { clock: Arc::new(SystemClock::default()) }
    }

    /// A clock of one's own.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self { clock }
    }

    /// The clock.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }
}
