use std::time::{Duration, Instant};

use cleveragents_runtime::OnFailure;
use cleveragents_runtime::domain::CallOutcome;
use serde_json::json;
use tokio::time::sleep;

use crate::support::{shells, unconfined};

/// Longer than any straggler of these tests waits before it writes.
const LATER: Duration = Duration::from_millis(1300);

#[tokio::test]
async fn a_command_changes_files_and_is_captured() {
    for scene in shells() {
        scene.workspace().put("f", "a\n");
        scene.workspace().put("gone", "x");
        let command = "sed -i s/a/b/ f && rm gone && printf 'n\\377' > new && pwd && echo err >&2";
        let report = scene.call("shell", json!({ "command": command })).await;
        assert!(report.succeeded(), "{:?}", report.invocation);
        let changed: Vec<_> =
            report.entries.iter().map(|e| (e.path.to_text(), e.operation().unwrap().as_str())).collect();
        let expected = [("f", "modify"), ("gone", "delete"), ("new", "create")];
        assert_eq!(changed, expected.map(|(path, operation)| (path.to_owned(), operation)));
        let output = &report.invocation.output;
        assert_eq!((&output["exit_code"], &output["stderr"]), (&json!(0), &json!("err\n")));
        assert_eq!(
            report.invocation.confinement.as_deref().unwrap() == "unconfined",
            scene.workspace().was_distrusted()
        );
    }
}

#[tokio::test]
async fn a_failure_says_what_and_why() {
    for mut scene in shells() {
        let input =
            json!({ "command": "echo out; echo made > f; echo one >&2; echo 'no such thing' >&2; exit 7" });
        let report = scene.call("shell", input.clone()).await;
        assert_eq!(report.invocation.outcome, CallOutcome::Failed);
        assert_eq!(report.invocation.error.as_deref(), Some("exit status 7: one / no such thing"));
        assert_eq!(
            (&report.invocation.output["exit_code"], &report.invocation.output["stdout"]),
            (&json!(7), &json!("out\n"))
        );
        assert_eq!((report.entries.len(), report.discarded.len()), (0, 1));
        assert_eq!(scene.workspace().get("f"), None, "taken back");
        scene.on_failure = OnFailure::Keep;
        let report = scene.call("shell", input).await;
        assert_eq!((report.entries.len(), report.discarded.len()), (1, 0));

        let report = scene.call("shell", json!({ "argv": ["no-such-program"] })).await;
        assert_eq!(report.invocation.outcome, CallOutcome::Failed);
        let report = scene.call("shell", json!({ "command": "kill -9 $$" })).await;
        assert!(report.invocation.error.is_some_and(|e| e == "killed by signal 9" || e == "exit status 137"));
    }
}

#[tokio::test]
async fn arguments_are_taken_as_they_are() {
    for scene in shells() {
        let argv = json!(["printf", "%s|", "a b", "$HOME", "*", "'", "", "-n", "A=1"]);
        let output = scene.output("shell", json!({ "argv": argv })).await;
        assert_eq!(output["stdout"], "a b|$HOME|*|'||-n|A=1|");
        let error = scene.error("shell", json!({ "command": "ls", "argv": ["ls"] })).await;
        assert!(error.ends_with("give exactly one of command and argv"), "{error}");
        scene.error("shell", json!({})).await;
    }
}

#[tokio::test]
async fn there_is_no_input_and_no_terminal() {
    for scene in shells() {
        let output = scene.output("shell", json!({ "command": "cat; test -t 1 || echo none" })).await;
        assert_eq!(output["stdout"], "none\n");
    }
}

#[tokio::test]
async fn ten_megabytes_are_drained_and_bounded() {
    for scene in shells() {
        let command = "echo BEGIN; head -c 10000000 /dev/zero | tr '\\0' '\"'; echo END; \
                       head -c 10000000 /dev/zero | tr '\\0' y >&2";
        let output = scene.output("shell", json!({ "command": command })).await;
        assert_eq!(
            (&output["stdout_bytes"], &output["stderr_bytes"]),
            (&json!(10_000_010), &json!(10_000_000))
        );
        assert_eq!(output["truncated"], true);
        let text = output["stdout"].as_str().unwrap();
        assert!(text.starts_with("BEGIN\n") && text.ends_with("END\n"));
        let left_out: u64 = text.split("\n[... ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let note = format!("\n[... {left_out} bytes left out ...]\n").len() as u64;
        assert_eq!(text.len() as u64 - note + left_out, 10_000_010, "the count is exact");
        assert!(
            output.to_string().len() as u64 <= scene.policy.limits.output_bytes,
            "the runner would cut it"
        );
        assert!(output.to_string().len() as u64 > scene.policy.limits.output_bytes / 2, "the room is used");
    }
}

#[tokio::test]
async fn output_is_lossless() {
    for mut scene in shells() {
        let output = scene.output("shell", json!({ "command": "printf 'caf\\303\\251 \\\\ \\r\\n'" })).await;
        assert_eq!((&output["stdout"], &output["truncated"]), (&json!("café \\ \r\n"), &json!(false)));
        assert_eq!(output["stdout_encoding"], json!(null));
        let output = scene.output("shell", json!({ "command": "printf 'caf\\351 \\\\'" })).await;
        assert_eq!(output["stdout"], r"caf\xe9 \\");
        assert!(output["stdout_encoding"].as_str().unwrap().contains("not UTF-8"));
        let random = json!({ "command": "head -c 3000000 /dev/urandom" });
        let output = scene.output("shell", random).await;
        assert_eq!((&output["stdout_bytes"], &output["truncated"]), (&json!(3_000_000), &json!(true)));
        assert!(
            output.to_string().len() as u64 <= scene.policy.limits.output_bytes,
            "the runner would cut it"
        );
        // Characters at the cuts are not torn.
        scene.policy.limits.output_bytes = 4001;
        let output = scene.output("shell", json!({ "command": "yes äöü€ | head -n 5000" })).await;
        assert_eq!((&output["truncated"], &output["stdout_encoding"]), (&json!(true), &json!(null)));
    }
}

#[tokio::test]
async fn time_is_up_for_the_whole_tree() {
    for scene in shells() {
        let command =
            "sh -c '(sleep 1; echo late > f) & wait' & sh -c 'trap \"\" TERM; sleep 30'; echo not reached";
        let start = Instant::now();
        let report = scene.call("shell", json!({ "command": command, "timeout": "300ms" })).await;
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        let error = report.invocation.error.unwrap();
        assert_eq!(error, "the command took longer than 300ms and was killed");
        sleep(LATER).await;
        assert_eq!(scene.workspace().get("f"), None);
    }
}

#[tokio::test]
async fn the_plans_limit_counts_too() {
    for mut scene in shells() {
        scene.policy.limits.call_time_ms = 300;
        let command = "(sleep 1; echo late > f) & echo begun; sleep 30";
        let report = scene.call("shell", json!({ "command": command, "timeout": 20 })).await;
        assert_eq!(report.invocation.outcome, CallOutcome::TimedOut);
        assert_eq!(report.invocation.output["stdout"], "begun\n");
        sleep(LATER).await;
        assert_eq!(scene.workspace().get("f"), None);
    }
}

#[tokio::test]
async fn cancelling_and_dropping_kill_the_tree() {
    let command = json!({ "command": "(sleep 1; echo late > f) & sleep 30" });
    for scene in shells() {
        let cancel = scene.cancel.clone();
        let stop = async {
            sleep(Duration::from_millis(300)).await;
            cancel.cancel();
        };
        let start = Instant::now();
        let (report, ()) = tokio::join!(scene.call("shell", command.clone()), stop);
        assert_eq!(report.invocation.outcome, CallOutcome::Cancelled);
        assert!(start.elapsed() < Duration::from_secs(3));
        sleep(LATER).await;
        assert_eq!(scene.workspace().get("f"), None);
    }
    for scene in shells() {
        let dropped =
            tokio::time::timeout(Duration::from_millis(300), scene.call("shell", command.clone())).await;
        assert!(dropped.is_err());
        sleep(LATER).await;
        assert_eq!(scene.workspace().get("f"), None);
    }
}

#[tokio::test]
async fn background_children_do_not_outlive_the_call() {
    for scene in shells() {
        for command in [
            "(sleep 1; echo late > f) &",
            "(sleep 1; echo late > f) > /dev/null 2>&1 < /dev/null &",
            "nohup sh -c 'sleep 1; echo late > f' &",
        ] {
            let start = Instant::now();
            let report = scene.call("shell", json!({ "command": command })).await;
            assert!(report.succeeded(), "{:?}", report.invocation);
            assert!(start.elapsed() < Duration::from_millis(900), "it was waited for: {:?}", start.elapsed());
            sleep(LATER).await;
            assert_eq!(scene.workspace().get("f"), None, "{command}");
        }
    }
}

#[tokio::test]
async fn a_held_pipe_does_not_hold_the_call() {
    let scene = unconfined();
    let start = Instant::now();
    let report = scene.call("shell", json!({ "command": "echo out; setsid sleep 3 & sleep 0.2" })).await;
    assert!(start.elapsed() < Duration::from_millis(2500));
    assert_eq!(report.invocation.output["stdout"], "out\n");
    assert!(report.invocation.output["note"].as_str().unwrap().contains("still held its output open"));
}

#[tokio::test]
async fn the_directory_is_inside() {
    for scene in shells() {
        scene.workspace().put("a b/f", "");
        std::os::unix::fs::symlink("../project", scene.workspace().sandbox().join("out")).unwrap();
        let output = scene.output("shell", json!({ "command": "ls", "cwd": "./a b/" })).await;
        assert_eq!((&output["stdout"], &output["cwd"]), (&json!("f\n"), &json!("a b")));
        let output = scene.output("shell", json!({ "command": "test -e 'a b/f'", "cwd": "." })).await;
        assert_eq!(output["cwd"], ".");
        for cwd in ["..", "a b/../..", "/tmp", "none", "a b/f", "out"] {
            let error = scene.error("shell", json!({ "command": "true", "cwd": cwd })).await;
            assert!(error.contains("cwd"), "{cwd}: {error}");
        }
    }
}

#[tokio::test]
async fn a_timeout_must_make_sense() {
    for scene in shells() {
        for timeout in [json!(0), json!("soon"), json!(-3)] {
            let error = scene.error("shell", json!({ "command": "true", "timeout": timeout })).await;
            assert!(error.contains("timeout must be more than 0"), "{error}");
        }
    }
}

#[tokio::test]
async fn without_bubblewrap_it_says_so() {
    let scene = unconfined();
    let report = scene.call("shell", json!({ "command": "pwd" })).await;
    assert_eq!(report.invocation.confinement.as_deref(), Some("unconfined"));
    let output = report.invocation.output;
    assert_eq!(output["network"], "not cut off: the command ran unconfined");
    assert_eq!(output["unconfined_because"], "bubblewrap (bwrap) is not installed");
    assert_eq!(
        output["stdout"].as_str().unwrap().trim(),
        scene.workspace().sandbox().canonicalize().unwrap().to_str().unwrap()
    );
}

#[test]
fn a_bubblewrap_that_does_not_work_is_none() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bwrap");
    std::fs::write(&file, "#!/bin/sh\necho 'bwrap: no permission' >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let found = cleveragents_tools::Confinement::probe_in(Some(dir.path().as_os_str()));
    let reason = "bubblewrap does not work here: bwrap: no permission".to_owned();
    assert_eq!(found, cleveragents_tools::Confinement::Unconfined { reason });
}
