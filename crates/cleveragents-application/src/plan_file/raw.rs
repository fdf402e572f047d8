//! The plan file as it is written, before it is checked.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use validator::Validate;

use cleveragents_domain::{DecisionKind, Limits, ValidationError};

#[derive(Debug, Clone, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlan {
    #[validate(length(min = 1, max = 200))]
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[validate(length(min = 1))]
    pub(super) definition_of_done: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) automation_profile: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) invariants: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[validate(nested)]
    pub(super) decisions: Vec<RawDecision>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    pub(super) limits: Option<RawLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    validations: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mcp_servers: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDecision {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(min = 1, max = 100))]
    pub(super) id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<DecisionKind>,
    #[validate(length(min = 1))]
    pub(super) title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) question: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chosen: Option<String>,
    #[serde(default)]
    pub(super) rationale: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) alternatives: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) depends_on: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[validate(nested)]
    pub(super) calls: Vec<RawCall>,
}

#[derive(Debug, Clone, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCall {
    #[validate(length(min = 1))]
    pub(super) tool: String,
    #[serde(default = "empty_object")]
    pub(super) with: Value,
}

fn empty_object() -> Value {
    Value::Object(serde_json::Map::new())
}

#[derive(Debug, Clone, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(range(min = 1))]
    tool_calls: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(range(min = 1))]
    tool_calls_per_decision: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wall_time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(range(min = 1))]
    output_bytes: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost_usd: Option<Value>,
}

impl RawDecision {
    /// The local name: the given id, or the position.
    pub(super) fn name(&self, index: usize) -> String {
        self.id.clone().unwrap_or_else(|| format!("#{index}"))
    }
}

impl RawPlan {
    /// The first part that this version does not have.
    pub(super) fn not_supported(&self) -> Option<String> {
        let limits = self.limits.as_ref();
        let parts = [
            ("validations", self.validations.is_some()),
            ("mcp_servers", self.mcp_servers.is_some()),
            ("model", self.model.is_some()),
            ("limits.tokens", limits.is_some_and(|l| l.tokens.is_some())),
            ("limits.cost_usd", limits.is_some_and(|l| l.cost_usd.is_some())),
        ];
        parts.into_iter().find_map(|(name, used)| used.then(|| name.to_owned()))
    }

    /// One criterion a line.
    pub(super) fn criteria(&self) -> Vec<String> {
        self.definition_of_done.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect()
    }

    pub(super) fn limits(&self) -> Result<Limits, ValidationError> {
        let mut limits = Limits::default();
        let Some(raw) = &self.limits else { return Ok(limits) };
        let count = |value: Option<i64>| value.and_then(|n| u64::try_from(n).ok());
        limits.tool_calls = count(raw.tool_calls);
        limits.tool_calls_per_decision = count(raw.tool_calls_per_decision);
        if let Some(bytes) = count(raw.output_bytes) {
            limits.output_bytes = bytes;
        }
        if let Some(text) = &raw.wall_time {
            let refuse = |_| {
                ValidationError::new("limits.wall_time", "must be a duration such as 300s, 20m or 1h 30m")
            };
            let time = humantime::parse_duration(text).map_err(refuse)?;
            if time.is_zero() {
                return Err(ValidationError::new("limits.wall_time", "must be more than nothing"));
            }
            limits.wall_time_ms = Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        }
        Ok(limits)
    }
}
