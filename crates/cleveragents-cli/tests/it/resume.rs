//! A call that fails half-way: what is kept, what is taken back, and how the plan goes on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{Case, Flag, Node, plan, shell, stamps, tree};

/// Four calls; the third changes two paths, then fails until the flag is raised.
fn four_calls(flag: &Flag) -> Value {
    let third = format!(
        "echo partial > partial.txt; rm keep.txt; test -e '{}' || exit 1; echo three >> log.txt",
        flag.path().display()
    );
    let mut plan =
        plan(&[shell("head -c 16 /dev/urandom > once.bin"), shell("echo two >> log.txt"), shell(&third)]);
    let fourth =
        json!({ "title": "then this", "depends_on": ["only"], "calls": [shell("echo four >> log.txt")] });
    plan["decisions"].as_array_mut().unwrap().push(fourth);
    plan
}

/// How often each call was started, by decision and position in the order of first start.
fn starts(case: &Case, id: &str) -> Vec<usize> {
    let status = case.json(0, &["plan", "status", id]);
    let mut place = BTreeMap::new();
    for (n, decision) in status["data"]["decisions"].as_array().unwrap().iter().enumerate() {
        for call in decision["calls"].as_array().unwrap() {
            place.insert(call["call_id"].as_str().unwrap().to_owned(), (n, call["index"].as_u64().unwrap()));
        }
    }
    let mut counts = BTreeMap::new();
    for event in case.json(0, &["plan", "log", id])["data"]["events"].as_array().unwrap() {
        if event["event"] == "tool_call_started" {
            *counts.entry(place[event["call_id"].as_str().unwrap()]).or_default() += 1;
        }
    }
    counts.into_values().collect()
}

#[test]
fn a_failed_call_is_taken_back_and_the_plan_goes_on_with_it() {
    let (case, flag) = (Case::new(), Flag::new());
    case.file("keep.txt", "kept\n");
    let untouched = stamps(&case.project);
    let file = case.plan_file(&four_calls(&flag));
    let failed = case.json(1, &["run", file.to_str().unwrap(), "--allow", "unsafe"]);
    let data = &failed["data"];
    let id = data["plan_id"].as_str().unwrap();
    assert_eq!(
        (&failed["error"]["code"], &data["state"]),
        (&"call_failed".into(), &"execute/errored".into())
    );
    assert_eq!(data["failure"]["kind"], "failed");
    let taken_back =
        ["keep.txt (delete)", "partial.txt (create)"].map(|w| format!("taken back in the sandbox: {w}"));
    assert_eq!(failed["error"]["detail"], json!(taken_back));
    let paths = |data: &Value| -> Vec<Value> {
        data["changes"].as_array().unwrap().iter().map(|c| c["path"].clone()).collect()
    };
    assert_eq!(paths(data), ["log.txt", "once.bin"], "what the first two calls did is recorded");
    assert_eq!(data["summary"]["invocations"]["shell"], json!({ "succeeded": 2, "failed": 1 }));
    assert_eq!(stamps(&case.project), untouched);
    let sandbox = || {
        let tree = tree(&case.sandboxes()[0]);
        let ends = |name: &str| tree.keys().any(|path| path.ends_with(name.as_bytes()));
        (ends("/keep.txt"), ends("/partial.txt"), ends("/log.txt"))
    };
    assert_eq!(sandbox(), (true, false, true), "taken back in the private copy too");

    // In words too, and failing again changes nothing.
    let again = case.agents(&["plan", "execute", id]).exits(1);
    assert!(again.out.is_empty());
    again.complains(&[
        "call 2 (shell) failed: exit status 1",
        &taken_back[0],
        &taken_back[1],
        "agents plan execute",
    ]);
    let status = case.agents(&["plan", "status", id]).exits(0);
    status.says(&[
        "State execute/errored",
        "[2 of 3 calls, shell failed]",
        "Failed (failed)",
        "exit status 1",
    ]);
    case.agents(&["plan", "apply", id]).exits(1).complains(&["execute it first"]);
    assert_eq!((starts(&case, id), sandbox()), (vec![1, 1, 2], (true, false, true)));

    flag.raise();
    let done = case.json(0, &["plan", "execute", id])["data"].take();
    assert_eq!((&done["state"], &done["failure"]), (&"apply/queued".into(), &Value::Null));
    assert_eq!(done["changeset_id"], data["changeset_id"], "it is the same changeset");
    assert_eq!(starts(&case, id), [1, 1, 3, 1], "the first two calls were not run again");
    let digest =
        |data: &Value| data["changes"].as_array().unwrap().iter().find(|c| c["path"] == "once.bin").cloned();
    assert_eq!(digest(&done), digest(data));
    assert_eq!(stamps(&case.project), untouched);

    // A complete plan is not executed again, and nothing of it is lost.
    let refused = case.json(1, &["plan", "execute", id]);
    assert!(refused["error"]["message"].as_str().unwrap().contains("executed already"), "{refused}");
    assert_eq!((&refused["data"]["seal"], &refused["data"]["changes"]), (&done["seal"], &done["changes"]));
    case.json(0, &["plan", "apply", id]);
    let after = tree(&case.project);
    let bytes = |path: &str| match after.get(path.as_bytes()) {
        Some(Node::File { bytes, .. }) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    };
    assert_eq!(bytes("log.txt").as_deref(), Some("two\nthree\nfour\n"));
    assert_eq!((bytes("partial.txt").as_deref(), bytes("keep.txt")), (Some("partial\n"), None));

    // Neither is an applied one; a refusal makes no private copy either.
    case.agents(&["plan", "execute", id]).exits(1).complains(&["executed already"]);
    assert!(case.sandboxes().is_empty(), "{:?}", case.sandboxes());
}
