//! Events: told once, and the same to whoever comes late.

use cleveragents_application::Event;
use cucumber::gherkin::Step;
use cucumber::then;

use crate::double::name_of;
use crate::world::World;

/// Every event that was heard has one of these names somewhere in this order; others may stand between them.
#[then(expr = "the listener should have heard these events, in this order:")]
fn heard_in_order(world: &mut World, step: &Step) {
    let names = world.collector.names();
    let mut rest = names.iter();
    for expected in step.table.as_ref().expect("a table of names").rows.iter().flatten() {
        assert!(rest.any(|name| name == expected), "{expected} in {names:?}");
    }
}

#[then(expr = "the listener should have heard {word} {int} time(s)")]
fn heard_times(world: &mut World, name: String, times: usize) {
    let names = world.collector.names();
    assert_eq!(names.iter().filter(|n| **n == name).count(), times, "{names:?}");
}

#[then(expr = "the listener should not have heard {word}")]
fn not_heard(world: &mut World, name: String) {
    heard_times(world, name, 0);
}

#[then(expr = "the positions should have no gaps")]
async fn no_gaps(world: &mut World) {
    let events = late(world, 1).await;
    let (mut seq, mut index) = (0, 0);
    for event in &events {
        let position = event.position.expect("a journaled plan's events have positions");
        if position.0 != seq {
            (seq, index) = (seq + 1, 0);
        }
        assert_eq!(position, (seq, index), "{event:?}");
        index += 1;
    }
    let id = world.id();
    let head = world.lifecycle().store().head(&id).await.unwrap().expect("a log");
    assert_eq!(seq, head.seq, "the last record tells its events too");
}

#[then(expr = "a late reader should see exactly what the listener heard")]
async fn the_same_late(world: &mut World) {
    let heard = world.collector.heard();
    let from = heard.first().and_then(|event| event.position).expect("something was heard").0;
    assert_eq!(late(world, from).await, heard);
}

#[then(expr = "every event should name its plan, and be read back from one line of JSON")]
async fn one_line_each(world: &mut World) {
    for event in late(world, 1).await {
        let line = serde_json::to_string(&event).unwrap();
        assert!(!line.contains('\n'));
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(json["plan_id"], world.id().as_str());
        assert_eq!(json["event"], name_of(&event));
    }
}

async fn late(world: &mut World, from: u64) -> Vec<Event> {
    let id = world.id();
    world.lifecycle().events(&id, from).await.unwrap()
}
