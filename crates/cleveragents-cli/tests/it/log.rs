//! The log: every event at a position of its own, without a gap, the same for a late reader.

use serde_json::Value;

use crate::support::{Case, plan, shell, write};

fn events(case: &Case, id: &str, flags: &[&str]) -> Vec<Value> {
    let all: Vec<&str> = ["plan", "log", id].into_iter().chain(flags.iter().copied()).collect();
    let mut document = case.json(0, &all);
    assert_eq!(document["data"]["plan_id"], id);
    match document["data"]["events"].take() {
        Value::Array(events) => events,
        other => panic!("{other}"),
    }
}

fn positions(events: &[Value]) -> Vec<(u64, u64)> {
    let position = |event: &Value| {
        let position = &event["position"];
        (position[0].as_u64().unwrap(), position[1].as_u64().unwrap())
    };
    events.iter().map(position).collect()
}

#[test]
fn positions_have_no_gap_and_a_reader_may_come_late() {
    let case = Case::new();
    let calls = [write("a.txt", "a\n"), shell("echo b > b.txt; echo c > c.txt")];
    let data = case.run(0, &plan(&calls), &["--allow", "unsafe", "--apply"]);
    let id = data["plan_id"].as_str().unwrap();
    case.json(0, &["plan", "rollback", id]);
    let all = events(&case, id, &[]);
    let at = positions(&all);
    assert_eq!(at[0], (1, 0));
    for pair in at.windows(2) {
        let [(seq, index), next] = pair else { unreachable!() };
        assert!(next == &(*seq, index + 1) || next == &(seq + 1, 0), "after {seq}.{index} comes {next:?}");
    }
    let names: Vec<&str> = all.iter().map(|e| e["event"].as_str().unwrap()).collect();
    let told = [
        "plan_created",
        "strategize_started",
        "strategize_decisions",
        "strategize_complete",
        "runtime_execute_started",
        "changeset_started",
        "runtime_execute_step",
        "tool_call_started",
        "change_captured",
        "tool_call_finished",
        "tool_call_started",
        "change_captured",
        "change_captured",
        "tool_call_finished",
        "changeset_sealed",
        "runtime_execute_complete",
        "apply_started",
        "apply_applied",
        "rollback_started",
        "rolled_back",
    ];
    let named: Vec<&str> = names.iter().copied().filter(|name| *name != "plan_moved").collect();
    assert_eq!(named, told);

    let last = at.last().unwrap().0;
    for from in [1, 2, last / 2, last, last + 1, last + 1000] {
        let late = events(&case, id, &["--from", &from.to_string()]);
        let wanted: Vec<Value> =
            all.iter().filter(|e| e["position"][0].as_u64().unwrap() >= from).cloned().collect();
        assert_eq!(late, wanted, "from {from}");
    }
    assert_eq!(events(&case, id, &["--from", "0"]), all);
    let plain = case.agents(&["plan", "log", id]).exits(0);
    assert_eq!(plain.out.lines().count(), all.len());
    for (line, event) in plain.out.lines().zip(&all) {
        let (seq, index) = (&event["position"][0], &event["position"][1]);
        assert!(
            line.trim_start().starts_with(&format!("{seq}.{index} "))
                && line.contains(event["event"].as_str().unwrap())
        );
    }
}

#[test]
fn a_log_only_grows() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("a.txt", "a\n")]), &[]);
    let id = data["plan_id"].as_str().unwrap();
    let before = events(&case, id, &[]);
    case.json(0, &["plan", "apply", id]);
    let after = events(&case, id, &[]);
    assert!(after.len() > before.len());
    assert_eq!(after[..before.len()], before);
    // Looking is not recorded.
    for look in ["status", "diff", "log"] {
        case.agents(&["plan", look, id]).exits(0);
    }
    assert_eq!(events(&case, id, &[]), after);
}

#[test]
fn plans_are_listed_newest_first() {
    let case = Case::new();
    let mut made = Vec::new();
    for name in ["one", "two", "three"] {
        let mut plan = plan(&[write("a.txt", name)]);
        plan["name"] = name.into();
        made.push((case.run(0, &plan, &[])["plan_id"].as_str().unwrap().to_owned(), name));
    }
    made.reverse();
    let list = |case: &Case| -> Vec<(String, String)> {
        let plans = case.json(0, &["plan", "list"])["data"]["plans"].take();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        plans.as_array().unwrap().iter().map(|p| (text(&p["plan_id"]), text(&p["name"]))).collect()
    };
    let wanted: Vec<(String, String)> =
        made.iter().map(|(id, name)| (id.clone(), (*name).to_owned())).collect();
    assert_eq!(list(&case), wanted);
    let plain = case.agents(&["plan", "list"]).exits(0);
    let lines: Vec<&str> = plain.out.lines().collect();
    assert_eq!(lines.len(), 3);
    for (line, (id, name)) in lines.iter().zip(&made) {
        assert!(line.starts_with(id) && line.contains("apply/queued") && line.ends_with(name), "{line}");
    }
    // The order is that of creation, whatever happens to a plan later.
    case.json(0, &["plan", "cancel", &made[2].0]);
    assert_eq!(list(&case), wanted);
}
