//! What tools share about their inputs.

use cleveragents_runtime::ToolError;
use cleveragents_runtime::domain::RelPath;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The input as the tool's own type. The schema was checked before, so an error here is rare.
pub(crate) fn parse<T: DeserializeOwned>(input: &Value) -> Result<T, ToolError> {
    T::deserialize(input).map_err(|e| ToolError::failed(format!("the input cannot be used: {e}")))
}

/// A schema of an object with these properties and no others.
#[allow(clippy::needless_pass_by_value)] // a literal at every call
pub(crate) fn object(required: &[&str], properties: Value) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schema of a path.
pub(crate) fn path(what: &str) -> Value {
    json!({
        "type": "string",
        "minLength": 1,
        "description": format!(
            "{what}, relative to the project, with / between names; no leading / and no `..`. \
             A backslash is written \\\\, a byte that is not UTF-8 is written \\xNN."
        ),
    })
}

/// What is wrong with the paths in these fields, each with its field.
pub(crate) fn path_problems(input: &Value, fields: &[&str]) -> Vec<String> {
    let one = |field: &&str| {
        let text = input.get(field)?.as_str()?;
        RelPath::from_text(text).err().map(|e| format!("{field}: {}", e.issues()[0].problem))
    };
    fields.iter().filter_map(one).collect()
}

/// What is wrong when not exactly one of two fields is there.
pub(crate) fn exactly_one(input: &Value, one: &str, other: &str) -> Option<String> {
    let there = |field: &str| input.get(field).is_some_and(|value| !value.is_null());
    (there(one) == there(other)).then(|| format!("give exactly one of {one} and {other}"))
}
