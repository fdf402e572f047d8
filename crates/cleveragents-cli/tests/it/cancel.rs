//! Giving up, and what is left of a plan when it is over.

use crate::support::{Case, plan, shell, stamps, write};

#[test]
fn cancel_removes_the_private_copy_and_is_final() {
    let case = Case::new();
    case.file("a.txt", "a\n");
    let untouched = stamps(&case.project);
    let data = case.run(0, &plan(&[write("b.txt", "b\n")]), &[]);
    let id = data["plan_id"].as_str().unwrap();
    assert_eq!(case.sandboxes().len(), 1);
    let cancelled = case.agents(&["plan", "cancel", id]).exits(0);
    cancelled.says(&["is apply/cancelled", "It has written nothing to the project"]);
    assert!(case.sandboxes().is_empty());
    for (command, words) in [
        ("apply", "it was cancelled"),
        ("execute", "it was cancelled"),
        ("rollback", "was not applied"),
        ("cancel", "cancelled"),
    ] {
        case.agents(&["plan", command, id]).exits(1).complains(&[words]);
        assert_eq!(case.json(1, &["plan", command, id])["status"], "error");
        assert!(case.sandboxes().is_empty(), "{command} makes no private copy");
    }
    assert_eq!(stamps(&case.project), untouched);
    // What it did stays known.
    case.agents(&["plan", "status", id])
        .exits(0)
        .says(&["State apply/cancelled", "1 path(s) change (1 create)"]);
    case.agents(&["plan", "diff", id]).exits(0).says(&["+++ b/b.txt\n"]);
}

#[test]
fn a_failed_plan_can_be_cancelled() {
    let case = Case::new();
    let data = case.run(1, &plan(&[write("a.txt", "a\n"), shell("exit 1")]), &["--allow", "unsafe"]);
    let id = data["plan_id"].as_str().unwrap();
    let cancelled = case.json(0, &["plan", "cancel", id]);
    assert_eq!(cancelled["data"]["state"], "execute/cancelled");
    assert!(case.sandboxes().is_empty());
    case.agents(&["plan", "execute", id]).exits(1).complains(&["it was cancelled"]);
    assert!(case.sandboxes().is_empty());
}

#[test]
fn an_applied_plan_is_not_cancelled_and_leaves_no_private_copy() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("a.txt", "a\n")]), &[]);
    let id = data["plan_id"].as_str().unwrap();
    assert_eq!(case.sandboxes().len(), 1, "it lives until the apply");
    case.json(0, &["plan", "apply", id]);
    assert!(case.sandboxes().is_empty(), "and no longer");
    let applied = stamps(&case.project);
    case.agents(&["plan", "cancel", id]).exits(1);
    let refused = case.json(1, &["plan", "cancel", id]);
    assert_eq!(refused["error"]["code"], "state");
    assert_eq!(stamps(&case.project), applied);
    case.agents(&["plan", "status", id]).exits(0).says(&["State apply/applied"]);
    case.json(0, &["plan", "rollback", id]);
    case.agents(&["plan", "cancel", id]).exits(1);
    assert!(case.sandboxes().is_empty());
}

#[test]
fn a_conflict_keeps_the_private_copy() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("a.txt", "a\n")]), &[]);
    case.file("a.txt", "mine\n");
    case.json(4, &["plan", "apply", data["plan_id"].as_str().unwrap()]);
    assert_eq!(case.sandboxes().len(), 1);
    case.json(0, &["plan", "cancel", data["plan_id"].as_str().unwrap()]);
    assert!(case.sandboxes().is_empty());
    assert_eq!(std::fs::read(case.project.join("a.txt")).unwrap(), b"mine\n");
}
