//! How the binary ended, and what it said.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Ran {
    /// `None` when it was killed, also for taking too long.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) time: Duration,
}

impl Ran {
    /// Runs a command to its end. None of these tests takes a minute; one that does hangs.
    pub(crate) fn of(command: Command) -> Self {
        Self::within(command, Duration::from_mins(1))
    }

    /// The same with less patience.
    pub(crate) fn within(command: Command, patience: Duration) -> Self {
        let start = Instant::now();
        let output = assert_cmd::Command::from_std(command).timeout(patience).output().unwrap();
        Self::from_output(&output, start.elapsed())
    }

    pub(crate) fn from_output(output: &std::process::Output, time: Duration) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr), time }
    }

    /// Fails when it ended otherwise.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\nstdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Fails unless stdout holds each of these.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.out.contains(word), "no {word:?} in stdout:\n{}", self.out);
        }
        self
    }

    /// Fails unless stderr holds each of these.
    #[track_caller]
    pub(crate) fn complains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in stderr:\n{}", self.err);
        }
        self
    }

    /// Stdout as the one JSON document that it must be, with an envelope that fits the exit code.
    #[track_caller]
    pub(crate) fn envelope(self, code: i32) -> Value {
        let ran = self.exits(code);
        let document: Value = serde_json::from_str(&ran.out)
            .unwrap_or_else(|e| panic!("stdout is not one JSON document: {e}\n{}", ran.out));
        assert!(ran.err.is_empty(), "beside the JSON, stderr says: {}", ran.err);
        let keys: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
        let mut wanted = vec!["command", "data", "exit_code", "messages", "status", "timing"];
        if code != 0 {
            wanted.insert(2, "error");
            let error: Vec<&str> =
                document["error"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(error, ["code", "detail", "message", "suggestions"]);
            assert!(document["error"]["suggestions"].is_array() && document["error"]["message"] != "");
        }
        assert_eq!(keys, wanted);
        assert_eq!(document["exit_code"], code);
        assert_eq!(document["status"] == "error", code != 0, "{}", document["status"]);
        assert!(document["timing"]["started"].is_string() && document["timing"]["duration_ms"].is_u64());
        for message in document["messages"].as_array().unwrap() {
            assert!(message["level"].is_string() && message["text"].is_string(), "{message}");
        }
        document
    }
}
