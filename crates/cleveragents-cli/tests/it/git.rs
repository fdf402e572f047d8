//! Git repositories: whatever a plan does, not a byte and not a time of the user's `.git` changes.

use std::fs;
use std::path::Path;

use crate::support::{Case, Ran, assert_same, edit, plan, shell, stamps, tree};

/// Runs git in a directory, to make what a test needs.
#[track_caller]
pub(crate) fn git(case: &Case, directory: &Path, arguments: &[&str]) -> String {
    let mut command = case.program("git");
    command.args([
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@localhost",
        "-c",
        "init.defaultBranch=main",
    ]);
    command.args(arguments).current_dir(directory);
    Ran::of(command).exits(0).out
}

/// A project that is a repository with one commit, something staged, and something not.
pub(crate) fn repository() -> Case {
    let case = Case::new();
    case.file("a.txt", "old\n");
    case.file("sub/b.txt", "b\n");
    case.file(".gitignore", "*.log\n");
    git(&case, &case.project, &["init", "--quiet"]);
    git(&case, &case.project, &["add", "-A"]);
    git(&case, &case.project, &["commit", "--quiet", "-m", "first"]);
    case.file("staged.txt", "staged\n");
    git(&case, &case.project, &["add", "staged.txt"]);
    case.file("unstaged.txt", "unstaged\n");
    case
}

/// Commits, moves a branch, packs: everything that writes to a repository.
pub(crate) const COMMITS: &str = "git add -A && git commit --quiet -m x && git rev-list --count HEAD > count.txt && \
     git checkout --quiet -b other && git gc --quiet && git config user.name Somebody && git status --short > status.txt";

#[test]
fn a_plan_commits_in_its_copy_and_the_repository_stays_as_it_is() {
    let case = repository();
    let dot_git = case.project.join(".git");
    let (bytes, times) = (tree(&dot_git), stamps(&dot_git));
    let status = git(&case, &case.project, &["--no-optional-locks", "status", "--porcelain"]);
    assert_eq!(stamps(&dot_git), times, "looking does not write");
    let calls = [edit("a.txt", "old", "new"), shell(COMMITS)];
    let data = case.run(0, &plan(&calls), &["--allow", "unsafe"]);
    let id = data["plan_id"].as_str().unwrap();
    let paths: Vec<&str> =
        data["changes"].as_array().unwrap().iter().map(|c| c["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["a.txt", "count.txt", "status.txt"], "nothing of .git is a change");
    assert_eq!((tree(&dot_git) == bytes, stamps(&dot_git) == times), (true, true), "after the run");

    case.json(0, &["plan", "apply", id]);
    assert_eq!(fs::read_to_string(case.project.join("count.txt")).unwrap(), "2\n", "it committed, there");
    assert_eq!((tree(&dot_git) == bytes, stamps(&dot_git) == times), (true, true), "after the apply");
    case.json(0, &["plan", "rollback", id]);
    assert_eq!((tree(&dot_git) == bytes, stamps(&dot_git) == times), (true, true), "after the rollback");
    assert_eq!(git(&case, &case.project, &["status", "--porcelain"]), status);
}

#[test]
fn the_tools_do_not_write_into_dot_git() {
    let case = repository();
    let dot_git = case.project.join(".git");
    let (bytes, times) = (tree(&dot_git), stamps(&dot_git));
    // This one is no path of a project at all, and found before anything is created.
    case.run(2, &plan(&[crate::support::write("sub/../.git/config", "x")]), &[]);
    for path in [".git/hooks/pre-commit", ".GIT/config", "sub/.git/config"] {
        let data = case.run(1, &plan(&[crate::support::write(path, "#!/bin/sh\n")]), &[]);
        assert_eq!(data["state"], "execute/errored", "{path}");
    }
    // A command can write there, in its copy; it is no change of the project.
    let command = "mkdir -p .git/hooks && echo 'exit 1' > .git/hooks/pre-commit && echo x > .git/x";
    let data = case.run(0, &plan(&[shell(command)]), &["--allow", "unsafe", "--apply"]);
    assert_eq!(data["changes"], serde_json::json!([]));
    assert_eq!((tree(&dot_git) == bytes, stamps(&dot_git) == times), (true, true));
}

#[test]
fn a_folder_without_git_is_a_project_too() {
    let case = Case::new();
    case.file("a.txt", "old\n");
    let before = tree(&case.project);
    let inside = "test -z \"$(git rev-parse --git-dir 2>/dev/null)\" && git init --quiet nested && echo n > nested/n.txt";
    let data =
        case.run(0, &plan(&[edit("a.txt", "old", "new"), shell(inside)]), &["--allow", "unsafe", "--apply"]);
    let after = tree(&case.project);
    assert!(after.contains_key(&b"nested/n.txt"[..]), "the files of a nested repository are captured");
    assert!(!after.contains_key(&b".git"[..]) && !after.contains_key(&b"nested/.git"[..]));
    case.json(0, &["plan", "rollback", data["plan_id"].as_str().unwrap()]);
    assert_same(&tree(&case.project), &before, "after the rollback");
}

#[test]
fn a_worktree_keeps_its_dot_git_file_and_its_repository() {
    let mut case = repository();
    let main = case.project.join(".git");
    git(&case, &case.project, &["worktree", "add", "--quiet", "-b", "side", "nested/tree"]);
    case.project = case.project.join("nested/tree");
    let (link, bytes, times) = (stamps(&case.project.join(".git")), tree(&main), stamps(&main));
    let before = tree(&case.project);
    // The copy has no repository: neither this one's nor the one that it lies in may be found.
    let alone = "if git rev-parse --git-dir; then exit 1; fi; git init --quiet . && \
         git add -A && git -c user.name=T -c user.email=t@localhost commit -qm x";
    let calls = [edit("a.txt", "old", "new"), shell(alone)];
    let data = case.run(0, &plan(&calls), &["--allow", "unsafe", "--apply"]);
    assert_eq!(data["changes"].as_array().unwrap().len(), 1, "{}", data["changes"]);
    assert_eq!(fs::read_to_string(case.project.join("a.txt")).unwrap(), "new\n");
    let same = || (stamps(&case.project.join(".git")) == link, tree(&main) == bytes, stamps(&main) == times);
    assert_eq!(same(), (true, true, true));
    case.json(0, &["plan", "rollback", data["plan_id"].as_str().unwrap()]);
    assert_eq!(same(), (true, true, true));
    assert_same(&tree(&case.project), &before, "after the rollback");
}
