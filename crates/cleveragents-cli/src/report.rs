//! What a command returns, and how it is printed: plain text or the JSON envelope.

use std::io::Write;
use std::time::Instant;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::fault::{FAILED, Fault};
use crate::render::shown;

/// What a command that did its job has to say.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// For people: printed as it is.
    pub(crate) text: Vec<u8>,
    /// For machines.
    pub(crate) data: Value,
    /// Said beside the result: on stderr, or in the envelope.
    pub(crate) notes: Vec<Note>,
}

/// Words beside the result.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) level: &'static str,
    pub(crate) text: String,
}

impl Report {
    pub(crate) fn new(text: impl Into<Vec<u8>>, data: Value) -> Self {
        Self { text: text.into(), data, notes: Vec::new() }
    }

    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.notes.push(Note { level: "warning", text: text.into() });
    }

    pub(crate) fn info(&mut self, text: impl Into<String>) {
        self.notes.push(Note { level: "info", text: text.into() });
    }
}

/// When a command began.
pub(crate) struct Timing {
    started: Timestamp,
    clock: Instant,
}

impl Timing {
    pub(crate) fn start() -> Self {
        Self { started: Timestamp::now(), clock: Instant::now() }
    }

    fn to_json(&self) -> Value {
        let ms = u64::try_from(self.clock.elapsed().as_millis()).unwrap_or(u64::MAX);
        json!({ "started": format!("{:.3}", self.started), "duration_ms": ms })
    }
}

/// Prints a result and returns the exit code. A reader that has gone away is not an error; output that cannot be
/// written is.
pub(crate) fn print(command: &str, json: bool, timing: &Timing, result: Result<Report, Fault>) -> u8 {
    let (mut out, mut err) = (std::io::stdout().lock(), std::io::stderr().lock());
    let (exit, text, beside) = if json {
        let (exit, document) = envelope(command, timing, result);
        (exit, format!("{document}\n").into_bytes(), String::new())
    } else {
        match result {
            Ok(report) => {
                let notes =
                    report.notes.iter().map(|note| format!("{}: {}\n", note.level, shown(&note.text)));
                (0, report.text, notes.collect())
            }
            Err(fault) => (fault.exit, Vec::new(), fault.to_text()),
        }
    };
    let written = out.write_all(&text).and_then(|()| out.flush());
    let _ = err.write_all(beside.as_bytes());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(err, "error: the output cannot be written: {error}");
            if exit == 0 { FAILED } else { exit }
        }
        _ => exit,
    }
}

fn envelope(command: &str, timing: &Timing, result: Result<Report, Fault>) -> (u8, Value) {
    match result {
        Ok(report) => {
            let warned = report.notes.iter().any(|n| n.level == "warning");
            let messages: Vec<Value> =
                report.notes.into_iter().map(|n| json!({ "level": n.level, "text": n.text })).collect();
            let document = json!({
                "command": command,
                "status": if warned { "warn" } else { "ok" },
                "exit_code": 0,
                "data": report.data,
                "timing": timing.to_json(),
                "messages": messages,
            });
            (0, document)
        }
        Err(fault) => {
            let document = json!({
                "command": command,
                "status": "error",
                "exit_code": fault.exit,
                "data": fault.data,
                "timing": timing.to_json(),
                "messages": [{ "level": "error", "text": fault.message }],
                "error": {
                    "code": fault.code,
                    "message": fault.message,
                    "detail": fault.detail,
                    "suggestions": fault.suggestions,
                },
            });
            (fault.exit, document)
        }
    }
}
