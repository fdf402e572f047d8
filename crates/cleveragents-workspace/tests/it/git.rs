//! Git inside a sandbox works and leads nowhere else.

use cleveragents_runtime::Workspace;
use cleveragents_testkit::workspace::walk;

use crate::fixture::{Desk, sh, wait};

const GIT: &str =
    "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; unset GIT_DIR GIT_WORK_TREE; ";

fn repository(desk: &Desk) {
    let make = "git init -q . && printf 1 > f && git add -A && git -c user.name=U -c user.email=u@u commit -qm one && \
        printf '#!/bin/sh\\ntouch ../hooked\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && \
        git config commit.gpgSign true && git config user.signingKey none && git config core.fsmonitor 'touch ../hooked'";
    sh(&desk.project(), &format!("{GIT}{make}"));
}

#[test]
fn a_commit_in_the_sandbox_stays_there() {
    let desk = Desk::new();
    repository(&desk);
    sh(&desk.project(), "find .git -type f -exec sha256sum {} + | sort > ../before");
    let workspace = desk.open();
    wait(async {
        let attempt = workspace.begin().await.unwrap();
        let root = attempt.command_root().unwrap().sandbox;
        sh(
            &root,
            &format!(
                "{GIT}git status --porcelain && printf 2 > g && git add -A && git commit -qm two && git fsck --strict"
            ),
        );
        let capture = attempt.capture().await.unwrap();
        let paths: Vec<String> = capture.effects.iter().map(|e| e.path.to_text()).collect();
        assert_eq!(paths, ["g"]);
        attempt.keep().await.unwrap();
    });
    sh(
        &desk.project(),
        "find .git -type f -exec sha256sum {} + | sort | cmp - ../before && test ! -e ../hooked",
    );
    sh(&desk.project(), "test ! -e ../sandbox/hooked");
}

#[test]
fn borrowed_objects_are_found_and_a_git_file_is_left_out() {
    let desk = Desk::new();
    repository(&desk);
    let make = "rm .git/hooks/pre-commit; git clone -q -s . ../clone && cd ../clone && \
        printf '../../../project/.git/objects\\n' > .git/objects/info/alternates && git fsck && \
        mkdir sub && printf 'gitdir: /elsewhere\\n' > sub/.git && printf s > sub/s";
    sh(&desk.project(), &format!("{GIT}git config --unset core.fsmonitor; {make}"));
    let clone = desk.project().parent().unwrap().join("clone");
    let workspace = cleveragents_workspace::CopyWorkspace::open(&clone, &desk.sandbox()).unwrap();
    let place = workspace.info().location;
    assert_eq!(walk(&place), walk(&clone));
    assert!(!place.join("sub/.git").exists(), "a .git file is left out");
    assert!(clone.join("sub/.git").exists(), "and nothing of the user's is moved");
    sh(&place, &format!("{GIT}git log --oneline && git fsck"));
}
