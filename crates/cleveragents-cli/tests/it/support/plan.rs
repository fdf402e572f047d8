//! Plan files, which are YAML, and so may be JSON.

use serde_json::{Value, json};

/// One decision with these calls, under the default profile.
pub(crate) fn plan(calls: &[Value]) -> Value {
    json!({
        "name": "a test", "definition_of_done": "it is done",
        "decisions": [{ "id": "only", "title": "do it", "calls": calls }],
    })
}

pub(crate) fn shell(command: &str) -> Value {
    json!({ "tool": "shell", "with": { "command": command } })
}

pub(crate) fn write(path: &str, content: &str) -> Value {
    json!({ "tool": "write_file", "with": { "path": path, "content": content } })
}

pub(crate) fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({ "tool": "edit_file", "with": { "path": path, "edits": [{ "old": old, "new": new }] } })
}

pub(crate) fn delete(path: &str) -> Value {
    json!({ "tool": "delete_path", "with": { "path": path, "recursive": true } })
}

pub(crate) fn moved(from: &str, to: &str) -> Value {
    json!({ "tool": "move_path", "with": { "from": from, "to": to } })
}
