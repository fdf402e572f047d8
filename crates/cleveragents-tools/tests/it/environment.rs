use std::process::Command;

use serde_json::json;

use crate::support::shells;

/// Runs in a process whose environment holds secrets and git's variables.
#[tokio::test]
#[ignore = "is run by `the_parents_environment_stays_outside` as a process of its own"]
async fn looks_around() {
    assert_eq!(std::env::var("SECRET_TOKEN").unwrap(), "hunter2");
    for scene in shells() {
        let output = scene
            .output("shell", json!({ "command": "env", "env": { "MINE": "a=b c", "LC_ALL": "C" } }))
            .await;
        let text = output["stdout"].as_str().unwrap();
        assert!(!text.contains("hunter2") && !text.contains("elsewhere"), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.contains(&"MINE=a=b c") && lines.contains(&"HOME=/tmp") && lines.contains(&"LC_ALL=C"),
            "{text}"
        );
        assert!(lines.iter().any(|line| line.starts_with("PATH=/")));
        // Also not through the process that started it.
        let command = "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c hunter2; true";
        if scene.runner.registry().spec("shell").is_some_and(|spec| !spec.capabilities.unsafe_) {
            let output = scene.output("shell", json!({ "command": command })).await;
            assert_eq!(output["stdout"], "0\n");
        }
        // git works, and in the sandbox's own repository.
        let command = "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x \
                       && git rev-parse --show-toplevel && git log --oneline | wc -l";
        let output = scene.output("shell", json!({ "command": command })).await;
        assert!(output["stdout"].as_str().unwrap().ends_with("\n1\n"), "{output}");
        assert!(scene.workspace().sandbox().join(".git/HEAD").exists());
    }
}

#[test]
fn the_parents_environment_stays_outside() {
    let elsewhere = tempfile::tempdir().unwrap();
    let git = elsewhere.path().join("elsewhere.git");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "environment::looks_around", "--ignored", "--nocapture"])
        .envs([("SECRET_TOKEN", "hunter2"), ("GIT_AUTHOR_NAME", "elsewhere"), ("LC_ALL", "C.UTF-8")])
        .env("GIT_DIR", &git)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!git.exists());
}

#[tokio::test]
async fn a_repository_above_is_not_found() {
    for scene in shells() {
        let above = scene.workspace().sandbox().parent().unwrap().to_owned();
        assert!(Command::new("git").args(["init", "-q"]).current_dir(&above).status().unwrap().success());
        let report = scene.call("shell", json!({ "command": "git rev-parse --show-toplevel" })).await;
        assert!(!report.succeeded());
        for name in ["GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CEILING_DIRECTORIES", "A=B", ""] {
            let error = scene.error("shell", json!({ "command": "true", "env": { name: "x" } })).await;
            assert!(error.contains("env: "), "{error}");
        }
        scene
            .output(
                "shell",
                json!({ "command": "test $GIT_AUTHOR_NAME = x", "env": { "GIT_AUTHOR_NAME": "x" } }),
            )
            .await;
    }
}
