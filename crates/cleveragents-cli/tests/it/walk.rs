//! The whole way on the greeting example: run, apply, roll back.

use std::fs;

use crate::support::{Case, Ran, Tree, assert_same, copy_tree, stamps, tree};

/// What the example's plan must make of its project, made by hand.
fn wanted(case: &Case) -> Tree {
    let copy = case.beside("wanted");
    copy_tree(&case.project, &copy);
    let replace = |path: &str, pairs: &[(&str, &str)]| {
        let mut text = fs::read_to_string(copy.join(path)).unwrap();
        for (old, new) in pairs {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            text = text.replace(old, new);
        }
        fs::write(copy.join(path), text).unwrap();
    };
    replace("src/lib.rs", &[("/// Greets", "/// Welcomes"), ("fn greet(", "fn welcome(")]);
    replace("src/main.rs", &[("::greet(", "::welcome(")]);
    replace("README.md", &[("`greet NAME` to be greeted", "`welcome NAME` to be welcomed")]);
    fs::create_dir(copy.join("bin")).unwrap();
    fs::rename(copy.join("run.sh"), copy.join("bin/welcome.sh")).unwrap();
    fs::remove_file(copy.join("OLD_NOTES.txt")).unwrap();
    fs::write(copy.join("CHANGES.md"), "- `greet` is called `welcome`\n").unwrap();
    tree(&copy)
}

#[test]
fn a_plan_is_run_applied_once_and_rolled_back_to_the_byte() {
    let (case, plan) = Case::example("greeting");
    let (before, untouched) = (tree(&case.project), stamps(&case.project));
    let wanted = wanted(&case);

    let ran = case.agents(&["run", plan.to_str().unwrap()]).exits(0);
    assert_eq!(stamps(&case.project), untouched, "a run reads the project and no more");
    assert_eq!(ran.err, "");
    let ran = ran.says(&[
        "rename-greeting",
        "State apply/queued  profile supervised",
        "├─ rename the function and its caller  [2 of 2 calls]",
        "└─ say so in the documents  [4 of 4 calls]",
        "8 path(s) change (3 create, 2 delete, 3 modify), +7 -7 lines, 6 tool call(s)",
        "edit_file: 3 succeeded",
        "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,4 +1,4 @@\n-/// Greets somebody.\n",
        "+pub fn welcome(name: &str) -> String {\n",
        "deleted file mode 100644\n--- a/OLD_NOTES.txt\n+++ /dev/null\n",
        "rename from run.sh\nrename to bin/welcome.sh\n",
    ]);
    let plans = case.json(0, &["plan", "list"]);
    let id = plans["data"]["plans"][0]["plan_id"].as_str().unwrap();
    let ran = ran.says(&[&format!("agents plan apply {id}")]);
    let diff = case.agents(&["plan", "diff", id]).exits(0);
    assert!(ran.out.contains(&diff.out) && diff.out.starts_with("diff --git a/CHANGES.md b/CHANGES.md\n"));
    case.agents(&["plan", "rollback", id]).exits(1).complains(&["was not applied"]);
    assert_eq!(stamps(&case.project), untouched);

    case.agents(&["plan", "apply", id]).exits(0).says(&["Applied 8 path(s), read back", "apply/applied"]);
    assert_same(&tree(&case.project), &wanted, "after the apply");
    let applied = stamps(&case.project);
    case.agents(&["plan", "apply", id]).exits(1).complains(&["applied already"]);
    let again = case.json(1, &["plan", "apply", id]);
    assert_eq!(
        (&again["error"]["code"], &again["data"]["state"]),
        (&"state".into(), &"apply/applied".into())
    );
    assert_eq!(stamps(&case.project), applied, "a second apply writes nothing");

    case.agents(&["plan", "rollback", id]).exits(0).says(&["Rolled back 8 path(s)"]);
    assert_same(&tree(&case.project), &before, "after the rollback");
    let back = stamps(&case.project);
    case.agents(&["plan", "rollback", id]).exits(1).complains(&["rolled back already"]);
    case.agents(&["plan", "apply", id]).exits(1).complains(&["applied already"]);
    assert_eq!(stamps(&case.project), back, "neither is done twice");
    case.agents(&["plan", "status", id]).exits(0).says(&["the project holds the state before this plan"]);
}

#[test]
fn a_run_applies_when_it_is_told_to() {
    let (case, plan) = Case::example("greeting");
    let (before, wanted) = (tree(&case.project), wanted(&case));
    let ran = case.json(0, &["run", plan.to_str().unwrap(), "--apply"]);
    assert_eq!((&ran["command"], &ran["status"]), (&"run".into(), &"ok".into()));
    assert_eq!((&ran["data"]["state"], &ran["data"]["apply"]), (&"apply/applied".into(), &"applied".into()));
    assert_same(&tree(&case.project), &wanted, "after run --apply");
    assert!(case.sandboxes().is_empty());
    let id = ran["data"]["plan_id"].as_str().unwrap();
    case.agents(&["plan", "rollback", id]).exits(0);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

#[test]
fn a_run_applies_when_the_profile_does() {
    let (case, plan) = Case::example("greeting");
    let wanted = wanted(&case);
    let text = fs::read_to_string(&plan).unwrap();
    let ci = case.beside("ci.yaml");
    fs::write(&ci, text.replace("automation_profile: supervised", "automation_profile: ci")).unwrap();
    let project = case.project.to_str().unwrap();
    let mut command = case.binary(&["run", ci.to_str().unwrap(), "--project", project]);
    command.current_dir(&case.home);
    let ran = Ran::of(command).exits(0);
    ran.says(&["profile ci", "Applied 8 path(s)", &format!("--project {project}")]);
    assert_same(&tree(&case.project), &wanted, "after the run");
}
