//! The one error for input that is not acceptable as it stands.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One field that is not acceptable, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Issue {
    /// The path of the field, as the user wrote it: `plan_id`, `decisions[1].calls[0].tool`.
    pub field: String,
    /// What is wrong and what would be right; never the offending value itself when that could be a secret.
    pub problem: String,
}

/// Input was refused; nothing was changed.
///
/// Holds at least one [`Issue`]; the issues are sorted by field, so that the text is the same every time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationError {
    issues: Vec<Issue>,
}

impl ValidationError {
    /// An error about one field.
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { issues: vec![Issue { field: field.into(), problem: problem.into() }] }
    }

    /// An error about several fields, or `None` when there are none.
    pub fn from_issues(mut issues: Vec<Issue>) -> Option<Self> {
        issues.sort();
        (!issues.is_empty()).then_some(Self { issues })
    }

    /// The builder's error for a part that was not given.
    pub fn missing(field: &str) -> Self {
        Self::new(field, "is required")
    }

    /// The issues, sorted by field; never empty.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// The field of the first issue.
    pub fn field(&self) -> &str {
        self.issues.first().map_or("", |i| &i.field)
    }

    /// The same error seen from an outer structure: every field gets `prefix.` in front.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        for issue in &mut self.issues {
            issue.field = format!("{prefix}.{}", issue.field);
        }
        self
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, issue) in self.issues.iter().enumerate() {
            if n > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{}: {}", issue.field, issue.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for ValidationError {}

impl From<validator::ValidationErrors> for ValidationError {
    /// Flattens the validator's tree into sorted paths. The offending values are left out on purpose.
    fn from(errors: validator::ValidationErrors) -> Self {
        let mut issues = Vec::new();
        flatten("", &errors, &mut issues);
        Self::from_issues(issues).unwrap_or_else(|| Self::new("input", "is not valid"))
    }
}

fn flatten(prefix: &str, errors: &validator::ValidationErrors, out: &mut Vec<Issue>) {
    use validator::ValidationErrorsKind as Kind;
    for (name, kind) in errors.errors() {
        let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
        match kind {
            Kind::Struct(inner) => flatten(&path, inner, out),
            Kind::List(items) => {
                for (index, inner) in items {
                    flatten(&format!("{path}[{index}]"), inner, out);
                }
            }
            Kind::Field(list) => {
                for error in list {
                    let problem =
                        error.message.as_ref().map_or_else(|| default_text(error), ToString::to_string);
                    out.push(Issue { field: path.clone(), problem });
                }
            }
        }
    }
}

fn default_text(error: &validator::ValidationError) -> String {
    let bound = |key: &str| error.params.get(key).map(ToString::to_string);
    match (error.code.as_ref(), bound("min"), bound("max")) {
        ("length", Some(min), None) if min == "1" => "must not be empty".to_owned(),
        ("length", Some(min), None) => format!("must have at least {min} characters or items"),
        ("length", None, Some(max)) => format!("must have at most {max} characters or items"),
        ("length", Some(min), Some(max)) => format!("must have between {min} and {max} characters or items"),
        ("range", Some(min), None) if min == "0" => "must not be negative".to_owned(),
        ("range", Some(min), None) => format!("must be at least {min}"),
        ("range", None, Some(max)) => format!("must be at most {max}"),
        ("range", Some(min), Some(max)) => format!("must be between {min} and {max}"),
        (code, _, _) => format!("is not valid ({code})"),
    }
}
