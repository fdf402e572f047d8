//! `GIT_*` in the environment, as every hook has it: it leads nobody to another repository.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::git::{COMMITS, git, repository};
use crate::support::{Case, edit, plan, shell, stamps, tree};

#[test]
fn exported_variables_of_git_lead_to_no_other_repository() {
    let mut case = repository();
    let other = case.beside("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("theirs.txt"), "theirs\n").unwrap();
    git(&case, &other, &["init", "--quiet"]);
    git(&case, &other, &["add", "-A"]);
    git(&case, &other, &["commit", "--quiet", "-m", "theirs"]);
    let dot_git = case.project.join(".git");
    let all =
        |case: &Case| (tree(&other), stamps(&other), tree(&case.project.join(".git")), stamps(&dot_git));
    let seen = all(&case);
    case.variable("GIT_DIR", other.join(".git"));
    case.variable("GIT_INDEX_FILE", other.join(".git/index"));
    case.variable("GIT_WORK_TREE", &other);
    case.variable("GIT_OBJECT_DIRECTORY", other.join(".git/objects"));
    case.variable("GIT_CONFIG_PARAMETERS", "'core.hooksPath=/nowhere'");
    let calls = [
        edit("a.txt", "old", "new"),
        shell(COMMITS),
        shell("env | grep '^GIT_DIR\\|^GIT_INDEX' && exit 1; true"),
    ];
    let data = case.run(0, &plan(&calls), &["--allow", "unsafe", "--apply"]);
    assert_eq!(
        fs::read_to_string(case.project.join("count.txt")).unwrap(),
        "2\n",
        "it committed in its copy"
    );
    assert!(all(&case) == seen, "after the apply");
    case.json(0, &["plan", "rollback", data["plan_id"].as_str().unwrap()]);
    assert!(all(&case) == seen, "after the rollback");
}

#[test]
fn a_plan_may_run_inside_a_real_hook() {
    let case = repository();
    let calls = [edit("a.txt", "old", "new"), shell(COMMITS)];
    let file = case.plan_file(&plan(&calls));
    let (hook, answer) = (case.project.join(".git/hooks/pre-commit"), case.beside("answer.json"));
    let script = format!(
        "#!/bin/sh\nenv | grep -q ^GIT_INDEX_FILE= || exit 9\nexec '{}' run '{}' --apply --allow unsafe --format json > '{}'\n",
        assert_cmd::cargo::cargo_bin!("agents").display(),
        file.display(),
        answer.display()
    );
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, script).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();

    git(&case, &case.project, &["commit", "--quiet", "-m", "second"]);
    let answer: serde_json::Value = serde_json::from_slice(&fs::read(answer).unwrap()).unwrap();
    assert_eq!((&answer["exit_code"], &answer["data"]["state"]), (&0.into(), &"apply/applied".into()));
    assert_eq!(
        fs::read_to_string(case.project.join("count.txt")).unwrap(),
        "2\n",
        "it committed in its copy"
    );
    // The user's commit holds what the user staged, and no more.
    let shown = git(&case, &case.project, &["show", "--stat", "--format=%s", "HEAD"]);
    assert!(
        shown.starts_with("second\n") && shown.contains("staged.txt") && shown.contains("1 file changed"),
        "{shown}"
    );
    assert_eq!(git(&case, &case.project, &["rev-list", "--count", "--all"]), "2\n");
    assert_eq!(git(&case, &case.project, &["branch", "--format=%(refname:short)"]), "main\n");
    let status = git(&case, &case.project, &["status", "--porcelain"]);
    assert_eq!(status, " M a.txt\n?? count.txt\n?? status.txt\n?? unstaged.txt\n");
}
