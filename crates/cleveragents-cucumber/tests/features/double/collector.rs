//! Listens to events.

use std::sync::{Arc, Mutex};

use cleveragents_application::{Event, StreamCallback};

/// Keeps every event that it hears of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collector(Arc<Mutex<Vec<Event>>>);

impl Collector {
    /// The callback that fills this collector.
    pub(crate) fn callback(&self) -> StreamCallback {
        let heard = self.0.clone();
        Arc::new(move |event| heard.lock().unwrap().push(event.clone()))
    }

    pub(crate) fn heard(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    /// The stable names, as they are serialised.
    pub(crate) fn names(&self) -> Vec<String> {
        self.heard().iter().map(name_of).collect()
    }
}

/// The stable name of an event, read from its JSON form.
pub(crate) fn name_of(event: &Event) -> String {
    let json = serde_json::to_value(event).unwrap();
    json["event"].as_str().expect("every event has a name").to_owned()
}
