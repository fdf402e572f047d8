//! Several processes on one project at once.

use serde_json::{Value, json};

use crate::support::{Case, Ran, Running, edit, plan, tree, write};

/// Runs all of these at once, to their ends.
fn at_once(case: &Case, all: &[Vec<&str>]) -> Vec<Ran> {
    let started: Vec<Running> = all.iter().map(|arguments| Running::start(case.binary(arguments))).collect();
    started.into_iter().map(Running::end).collect()
}

#[test]
fn plans_run_side_by_side() {
    let case = Case::new();
    case.file("a.txt", "old\n");
    let file = case.plan_file(&plan(&[edit("a.txt", "old", "new"), write("b.txt", "b\n")]));
    let run = vec!["run", file.to_str().unwrap(), "--format", "json"];
    let mut ids: Vec<String> = at_once(&case, &vec![run; 6])
        .into_iter()
        .map(|ran| ran.envelope(0)["data"]["plan_id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
    assert_eq!(case.sandboxes().len(), 6);
    let listed = case.json(0, &["plan", "list"])["data"]["plans"].take();
    let mut listed: Vec<&Value> = listed.as_array().unwrap().iter().map(|plan| &plan["plan_id"]).collect();
    listed.reverse();
    assert_eq!(json!(listed), json!(ids));
}

/// Both plans make the same change, so that the second to write finds what it wants already there. It did not make it.
#[test]
fn of_two_applies_at_once_one_is_applied() {
    for round in 0..8 {
        let case = Case::new();
        case.file("a.txt", "old\n");
        let before = tree(&case.project);
        let plan = plan(&[edit("a.txt", "old", "new"), write("folder/b.txt", "b\n")]);
        let ids = [(); 2].map(|()| case.run(0, &plan, &[])["plan_id"].as_str().unwrap().to_owned());
        let apply: Vec<Vec<&str>> =
            ids.iter().map(|id| vec!["plan", "apply", id, "--format", "json"]).collect();
        let ends: Vec<Option<i32>> = at_once(&case, &apply).iter().map(|ran| ran.code).collect();
        let applied: Vec<&String> =
            ids.iter().zip(&ends).filter(|(_, end)| **end == Some(0)).map(|(id, _)| id).collect();
        assert!(applied.len() == 1, "round {round}: {ends:?}");
        assert!(ends.iter().all(|end| matches!(end, Some(0 | 1 | 4))), "round {round}: {ends:?}");
        let other = ids.iter().find(|id| *id != applied[0]).unwrap();
        assert_eq!(case.json(4, &["plan", "apply", other])["data"]["state"], "apply/queued");
        case.json(0, &["plan", "rollback", applied[0]]);
        assert!(tree(&case.project) == before);
        case.json(0, &["plan", "apply", other]);
    }
}
