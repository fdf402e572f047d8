//! The phases one by one: new, strategize, execute.

use serde_json::json;

use crate::support::{Case, plan, write};

fn state(case: &Case, id: &str) -> String {
    case.json(0, &["plan", "status", id])["data"]["state"].as_str().unwrap().to_owned()
}

#[test]
fn a_plan_can_be_taken_through_its_phases_by_hand() {
    let case = Case::new();
    let file = case.plan_file(&plan(&[write("a.txt", "a\n")]));
    let made = case.json(0, &["plan", "new", file.to_str().unwrap()])["data"].take();
    let id = made["plan_id"].as_str().unwrap().to_owned();
    assert_eq!(made["state"], "strategize/queued");
    assert!(case.sandboxes().is_empty(), "nothing is copied before execute");
    case.agents(&["plan", "tree", &id]).exits(0).complains(&["no decisions yet"]);
    let decided = case.json(0, &["plan", "strategize", &id])["data"].take();
    assert_eq!(
        (&decided["state"], decided["decisions"].as_array().unwrap().len()),
        (&json!("execute/queued"), 2)
    );
    case.agents(&["plan", "tree", &id]).exits(0).says(&["do it"]);
    assert!(case.sandboxes().is_empty(), "strategize is read-only and opens no copy");
    case.agents(&["plan", "strategize", &id]).exits(1).complains(&["execute/queued"]);
    case.agents(&["plan", "execute", &id]).exits(0).says(&["b/a.txt"]);
    assert_eq!(state(&case, &id), "apply/queued");
    case.agents(&["plan", "apply", &id]).exits(0);
    assert_eq!(std::fs::read(case.project.join("a.txt")).unwrap(), b"a\n");
}

#[test]
fn a_typed_command_answers_for_its_own_phase_alone() {
    let case = Case::new();
    let mut manual = plan(&[]);
    manual["automation_profile"] = json!("manual");
    let file = case.plan_file(&manual);
    let made = case.json(0, &["plan", "new", file.to_str().unwrap()])["data"].take();
    let id = made["plan_id"].as_str().unwrap().to_owned();
    // execute is asked for; strategize, which the profile asks about too, is not.
    case.agents(&["plan", "execute", &id]).exits(3).complains(&["strategize"]);
    assert_eq!(state(&case, &id), "strategize/queued");
    case.agents(&["plan", "strategize", &id]).exits(0);
    case.agents(&["plan", "execute", &id]).exits(0);
    assert_eq!(state(&case, &id), "apply/queued");
}

#[test]
fn a_bad_plan_file_creates_no_plan() {
    let case = Case::new();
    let file = case.plan_file(&plan(&[json!({ "tool": "nonsense" })]));
    case.agents(&["plan", "new", file.to_str().unwrap()]).exits(2).complains(&["nonsense", "plan.json"]);
    assert!(!case.state.exists());
}
