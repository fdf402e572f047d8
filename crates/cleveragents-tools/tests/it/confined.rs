//! What only a confined command promises.

use std::net::TcpListener;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::support::confined;

#[tokio::test]
async fn a_child_in_a_session_of_its_own_dies_too() {
    let Some(scene) = confined() else { return };
    for command in [
        "setsid sh -c 'sleep 1; echo late > f' &",
        "setsid setsid nohup sh -c 'trap \"\" TERM HUP; sleep 1; echo late > f' >/dev/null 2>&1 </dev/null & sleep 0.1",
    ] {
        scene.output("shell", json!({ "command": command })).await;
        let timed = json!({ "command": format!("{command} sleep 20"), "timeout": 0.3 });
        scene.error("shell", timed).await;
        sleep(Duration::from_millis(1500)).await;
        assert_eq!(scene.workspace().get("f"), None);
    }
}

/// How many processes have these words in their command line.
fn processes_with(words: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(words)).count()
}

#[tokio::test]
async fn when_the_call_has_ended_everything_is_gone() {
    let Some(scene) = confined() else { return };
    // Many busy processes take a while to die: whoever does not wait for them leaves them behind.
    for (round, rest) in ["sleep 9", "sleep 0.2", "sleep 9", "exit 3"].into_iter().enumerate() {
        let mark = format!("mark-{}-{round}", std::process::id());
        let busy = format!("setsid sh -c 'while :; do :; done # {mark}' >/dev/null 2>&1 &");
        let command = format!("for n in $(seq 60); do {busy} done; {rest}");
        scene.call("shell", json!({ "command": command, "timeout": 0.5 })).await;
        assert_eq!(processes_with(&mark), 0, "after {rest}");
    }
}

/// A file that must not come to be; when it does, the test cleans up after itself.
struct Outside(std::path::PathBuf);

impl Outside {
    fn in_dir(dir: &str) -> Self {
        Self(std::path::Path::new(dir).join(format!("cleveragents-test-{}", std::process::id())))
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn only_the_sandbox_can_be_written() {
    let Some(scene) = confined() else { return };
    std::fs::write(scene.workspace().project().join("mine"), "mine").unwrap();
    for dir in ["/etc", "/var/tmp", "/usr", "/"] {
        let file = Outside::in_dir(dir);
        let error = scene.error("shell", json!({ "argv": ["touch", file.0] })).await;
        assert!(error.contains("Read-only file system") || error.contains("ermission denied"), "{error}");
        assert!(!file.0.exists());
    }
    // The sandbox's own place is not there, or read-only: only the project's path leads to it.
    let state = scene.workspace().sandbox().join("x");
    scene.error("shell", json!({ "argv": ["touch", state] })).await;
    // /tmp is empty and private, and so is /run.
    let name = format!("/tmp/cleveragents-test-{}", std::process::id());
    scene
        .output(
            "shell",
            json!({ "command": format!("echo x > {name} && test -s {name} && test -z \"$(ls -A /run)\"") }),
        )
        .await;
    assert!(!std::path::Path::new(&name).exists());
}

#[tokio::test]
async fn the_project_is_seen_at_its_usual_path_and_is_the_copy() {
    let Some(scene) = confined() else { return };
    let project = scene.workspace().project();
    std::fs::write(project.join("real"), "real").unwrap();
    scene.workspace().put("copy", "copy");
    let command = format!("pwd && ls && rm copy && echo new > {}/made", project.display());
    let output = scene.output("shell", json!({ "command": command })).await;
    assert_eq!(output["stdout"], format!("{}\ncopy\n", project.display()));
    assert_eq!(scene.workspace().get("made").unwrap(), b"new\n");
    let real: Vec<_> = std::fs::read_dir(&project).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(real, ["real"], "the real project is as it was");
}

#[tokio::test]
async fn the_network_is_off_unless_asked_and_granted() {
    let Some(scene) = confined() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let command = format!("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'");
    let report = scene.call("shell", json!({ "command": command })).await;
    assert!(!report.succeeded(), "the host's loopback was reached");
    assert_eq!(report.invocation.output["network"], "off");
    let output = scene.output("shell", json!({ "command": command, "network": true })).await;
    assert_eq!(output["network"], "on");
    let interfaces =
        scene.output("shell", json!({ "command": "tail -n +3 /proc/net/dev | cut -d: -f1" })).await;
    assert_eq!(interfaces["stdout"].as_str().unwrap().trim(), "lo");
}

#[tokio::test]
async fn root_gets_no_power() {
    let Some(scene) = confined() else { return };
    let file = Outside::in_dir("/etc");
    let path = file.0.display();
    let command = format!(
        "grep CapEff /proc/self/status; mount -o remount,bind,rw / 2>&1; echo x > {path}; \
         unshare -Urm sh -c 'mount -o remount,bind,rw / && echo x > {path}' 2>&1; true"
    );
    let output = scene.output("shell", json!({ "command": command })).await;
    let text = output["stdout"].as_str().unwrap();
    assert!(text.starts_with("CapEff:\t0000000000000000\n"), "{text}");
    assert!(!file.0.exists(), "{text}");
}

#[tokio::test]
async fn other_processes_are_neither_seen_nor_reached() {
    let Some(scene) = confined() else { return };
    let me = std::process::id();
    let command =
        format!("ls -d /proc/[0-9]* | wc -l; kill -0 {me} 2>/dev/null && echo reached; kill -9 -1; true");
    let report = scene.call("shell", json!({ "command": command })).await;
    let text = report.invocation.output["stdout"].as_str().unwrap().to_owned();
    assert!(text.lines().next().unwrap().trim().parse::<u32>().unwrap() < 8, "{text}");
    assert!(!text.contains("reached"));
}

#[tokio::test]
async fn what_a_call_sets_does_not_reach_the_keeper() {
    let Some(scene) = confined() else { return };
    // Were the keeper to load it, it would run outside.
    let report = scene
        .call("shell", json!({ "command": "echo ran", "env": { "LD_PRELOAD": "/nowhere/evil.so" } }))
        .await;
    let output = report.invocation.output;
    assert_eq!(output["stdout"], "ran\n");
    // The loader of each program complains once: of process 1's and of the command's.
    assert_eq!(output["stderr"].as_str().unwrap().matches("evil.so").count(), 2, "{output}");
}

#[tokio::test]
async fn a_signal_ends_the_command_as_usual() {
    let Some(scene) = confined() else { return };
    // Process 1 of a namespace would not notice it.
    let error = scene.error("shell", json!({ "command": "kill -TERM $$; echo went on" })).await;
    assert!(error.starts_with("exit status 143"), "{error}");
}
