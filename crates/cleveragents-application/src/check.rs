//! The dry run: what a plan file would need, without creating anything.

use serde::Serialize;

use cleveragents_domain::{Answer, Gate, Issue};
use cleveragents_runtime::ToolRegistry;

use crate::PlanFile;

/// One call of a plan file, and what its gates say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedCall {
    /// `decisions[0].calls[1]`.
    pub place: String,
    /// The tool.
    pub tool: String,
    /// Each gate that the call needs, with the policy's answer.
    pub gates: Vec<(Gate, Answer)>,
}

/// What the dry run found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// Unknown tools and inputs that do not fit; the plan cannot run.
    pub problems: Vec<Issue>,
    /// Every call.
    pub calls: Vec<CheckedCall>,
    /// What the profile says of the phases: strategize, execute, apply.
    pub phases: Vec<(Gate, Answer)>,
}

impl CheckReport {
    /// The calls that policy refuses, with the gate.
    pub fn denied(&self) -> impl Iterator<Item = (&CheckedCall, Gate)> {
        self.calls.iter().flat_map(|call| {
            call.gates
                .iter()
                .filter(|(_, answer)| *answer == Answer::Deny)
                .map(move |(gate, _)| (call, *gate))
        })
    }
}

/// Checks every call of a file against the tools and the file's own policy.
pub fn check_plan(file: &PlanFile, registry: &ToolRegistry) -> CheckReport {
    let policy = file.policy();
    let mut problems = Vec::new();
    let mut calls = Vec::new();
    for (place, tool, input) in file.calls() {
        let Some(found) = registry.check_input(tool, input) else {
            let known: Vec<&str> = registry.specs().map(|s| s.name.as_str()).collect();
            let problem = format!("unknown tool {tool:?}; known tools: {}", known.join(", "));
            problems.push(Issue { field: format!("{place}.tool"), problem });
            continue;
        };
        if !found.is_empty() {
            problems
                .extend(found.into_iter().map(|problem| Issue { field: format!("{place}.with"), problem }));
            continue;
        }
        let gates = registry.gates(tool, input).unwrap_or_default();
        let gates = gates.into_iter().map(|gate| (gate, policy.answer(gate))).collect();
        calls.push(CheckedCall { place, tool: tool.to_owned(), gates });
    }
    let phases =
        [Gate::Strategize, Gate::Execute, Gate::Apply].map(|gate| (gate, policy.answer(gate))).to_vec();
    CheckReport { problems, calls, phases }
}
