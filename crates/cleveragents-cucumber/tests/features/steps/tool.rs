//! Tools, and calls of them.

use std::sync::Arc;

use cleveragents_domain::PlannedCall;
use cucumber::gherkin::Step;
use cucumber::{given, then};

use crate::double::Toy;
use crate::world::World;

#[given(expr = "a ToolRunner with an empty registry")]
fn no_tools(world: &mut World) {
    assert!(world.runner().registry().is_empty());
}

/// A table of toys: name, the gates that it needs, what it does.
#[given(expr = "the toy tools:")]
fn toys(world: &mut World, step: &Step) {
    for row in &step.table.as_ref().expect("a table of tools").rows[1..] {
        let [name, needs, does] = &row[..] else { panic!("three columns: tool, needs, does") };
        let toy = Toy::new(name, needs, does, world.calls.clone());
        world.tools.register(Arc::new(toy)).expect("a toy that can be registered");
    }
}

#[then(expr = "{string} should have run {int} time(s)")]
fn ran(world: &mut World, tool: String, times: usize) {
    assert_eq!(world.calls.of(&tool), times);
}

/// A table of calls: tool, JSON input.
pub(super) fn calls_of(step: &Step) -> Vec<PlannedCall> {
    let rows = &step.table.as_ref().expect("a table of calls").rows[1..];
    rows.iter()
        .map(|row| PlannedCall {
            tool: row[0].clone(),
            input: serde_json::from_str(&row[1]).expect("input is JSON"),
        })
        .collect()
}
