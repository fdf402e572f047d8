//! The plan file: what a person writes, checked whole before anything is created.

mod raw;
mod strategist;

pub use strategist::FileStrategist;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use thiserror::Error;
use validator::Validate;

use cleveragents_domain::{
    DecisionKind, Gate, Issue, Limits, PlanRoot, PlanSpec, Policy, Profile, RootId, ValidationError,
};

use raw::{RawDecision, RawPlan};

/// Why a plan file cannot be used. Nothing was created.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanFileError {
    /// It is not YAML or JSON of the right shape; the text names line and column.
    #[error("{0}")]
    Syntax(String),
    /// Its contents do not fit; each issue names its place.
    #[error(transparent)]
    Invalid(#[from] ValidationError),
    /// It uses a part that this version does not have.
    #[error("{0}: not supported yet")]
    NotSupported(String),
}

/// The greatest plan file that is read, in bytes.
pub const MAX_PLAN_FILE: usize = 16 * 1024 * 1024;

/// How deep decisions may be nested.
const MAX_DEPTH: usize = 100;

/// A plan file that was read and checked.
#[derive(Debug, Clone)]
pub struct PlanFile {
    raw: RawPlan,
    source: Value,
    profile: Profile,
    limits: Limits,
    allow: BTreeSet<Gate>,
    roots: Vec<PlanRoot>,
    stub: bool,
}

impl PlanFile {
    /// Reads YAML (or JSON, which is YAML). Unknown keys, wrong types, an unknown profile, duplicate or unknown names
    /// and parts that are not supported yet are errors.
    pub fn parse(text: &str) -> Result<Self, PlanFileError> {
        if text.len() > MAX_PLAN_FILE {
            return Err(PlanFileError::Syntax(format!("the plan file is larger than {MAX_PLAN_FILE} bytes")));
        }
        let raw: RawPlan = serde_saphyr::from_str(text).map_err(|e| {
            let words = e.to_string();
            PlanFileError::Syntax(words.strip_prefix("error: ").unwrap_or(&words).to_owned())
        })?;
        let source = serde_json::to_value(&raw)
            .map_err(|e| PlanFileError::Syntax(format!("the plan file cannot be kept as JSON: {e}")))?;
        Self::check(raw, source)
    }

    /// Reads back what [`PlanSpec::source`] holds.
    pub fn from_source(source: &Value) -> Result<Self, PlanFileError> {
        let raw: RawPlan =
            serde_json::from_value(source.clone()).map_err(|e| PlanFileError::Syntax(e.to_string()))?;
        Self::check(raw, source.clone())
    }

    fn check(raw: RawPlan, source: Value) -> Result<Self, PlanFileError> {
        if let Some(part) = raw.not_supported() {
            return Err(PlanFileError::NotSupported(part));
        }
        raw.validate().map_err(ValidationError::from)?;
        check_names(&raw.decisions)?;
        if raw.criteria().is_empty() {
            return Err(ValidationError::new("definition_of_done", "must have at least one criterion").into());
        }
        let profile = Profile::named(raw.automation_profile.as_deref().unwrap_or(Profile::DEFAULT))?;
        let limits = raw.limits()?;
        let root = PlanRoot { id: RootId::project(), location: String::new() };
        Ok(Self { raw, source, profile, limits, allow: BTreeSet::new(), roots: vec![root], stub: false })
    }

    /// Opens gates for this plan; only `shell`, `network` and `unsafe` can be opened.
    pub fn allow(mut self, gates: impl IntoIterator<Item = Gate>) -> Result<Self, ValidationError> {
        for gate in gates {
            if !matches!(gate, Gate::Shell | Gate::Network | Gate::Unsafe) {
                return Err(ValidationError::new(
                    "allow",
                    format!("cannot open {gate}: choose shell, network or unsafe"),
                ));
            }
            self.allow.insert(gate);
        }
        Ok(self)
    }

    /// Says where the project is, for display.
    #[must_use]
    pub fn located_at(mut self, location: impl Into<String>) -> Self {
        self.roots = vec![PlanRoot { id: RootId::project(), location: location.into() }];
        self
    }

    /// Asks for the stub.
    #[must_use]
    pub fn as_stub(mut self) -> Self {
        self.stub = true;
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.raw.name
    }

    /// True when it holds decisions, so that no model is needed.
    pub fn has_decisions(&self) -> bool {
        !self.raw.decisions.is_empty()
    }

    /// Whether the stub was asked for.
    pub fn is_stub(&self) -> bool {
        self.stub
    }

    /// The rules that the plan will be created with.
    pub fn policy(&self) -> Policy {
        let mut policy = Policy::new(self.profile.clone());
        policy.opened.clone_from(&self.allow);
        policy.limits.clone_from(&self.limits);
        policy
    }

    /// Every call with its place, tool and input: `decisions[0].calls[1]`.
    pub fn calls(&self) -> impl Iterator<Item = (String, &str, &Value)> {
        self.raw.decisions.iter().enumerate().flat_map(|(d, decision)| {
            decision
                .calls
                .iter()
                .enumerate()
                .map(move |(c, call)| (format!("decisions[{d}].calls[{c}]"), call.tool.as_str(), &call.with))
        })
    }

    /// What a plan made from this file is asked to do. Without decisions the stub must have been asked for.
    pub fn spec(&self) -> Result<PlanSpec, ValidationError> {
        if !self.has_decisions() && !self.stub {
            let problem = "are missing: write decisions, or ask for the stub; models are not supported yet";
            return Err(ValidationError::new("decisions", problem));
        }
        Ok(PlanSpec {
            name: self.raw.name.clone(),
            description: self.raw.description.clone(),
            definition_of_done: self.raw.criteria(),
            invariants: self.raw.invariants.clone(),
            policy: self.policy(),
            roots: self.roots.clone(),
            stub: self.stub,
            source: self.source.clone(),
        })
    }

    /// The strategist that yields this file's decisions.
    pub fn strategist(&self) -> FileStrategist {
        FileStrategist::new(self.raw.decisions.clone())
    }
}

/// Local names are unique, parents and dependencies exist, and there is an order that respects them.
fn check_names(decisions: &[RawDecision]) -> Result<(), ValidationError> {
    let mut issues = Vec::new();
    let mut issue = |field: String, problem: String| issues.push(Issue { field, problem });
    let mut names = BTreeMap::new();
    for (index, decision) in decisions.iter().enumerate() {
        if let Some(first) = names.insert(decision.name(index), index) {
            issue(format!("decisions[{index}].id"), format!("is the id of decisions[{first}] too"));
        }
    }
    for (index, decision) in decisions.iter().enumerate() {
        let named = decision.parent.iter().map(|p| ("parent".to_owned(), p));
        let needed = decision.depends_on.iter().enumerate().map(|(n, d)| (format!("depends_on[{n}]"), d));
        for (field, name) in named.chain(needed) {
            if !names.contains_key(name) {
                issue(
                    format!("decisions[{index}].{field}"),
                    format!("names no decision of this file: {name:?}"),
                );
            }
        }
    }
    for (index, decision) in decisions.iter().enumerate() {
        if decision.kind == Some(DecisionKind::PromptDefinition) {
            let problem = "cannot be prompt_definition: that is the goal, which the plan itself states";
            issue(format!("decisions[{index}].kind"), problem.to_owned());
        }
        if strategist::depth(decisions, &names, index) > MAX_DEPTH {
            issue(format!("decisions[{index}].parent"), format!("is nested deeper than {MAX_DEPTH} levels"));
        }
    }
    if let Err(stuck) = strategist::order(decisions) {
        issue(format!("decisions[{stuck}].depends_on"), "leads back to itself".to_owned());
    }
    ValidationError::from_issues(issues).map_or(Ok(()), Err)
}
