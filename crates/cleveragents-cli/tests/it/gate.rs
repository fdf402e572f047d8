//! The profile alone decides, on every path; what it asks and nobody answers is refused, at once.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Case, Ran, plan, shell, stamps, write};

fn under(profile: &str, calls: &[Value]) -> Value {
    let mut plan = plan(calls);
    plan["automation_profile"] = profile.into();
    plan
}

/// Runs a plan, and expects its last call to be refused with these words, after `done` calls that succeeded.
#[track_caller]
fn refused(plan: &Value, flags: &[&str], done: u64, words: &[&str]) {
    let case = Case::new();
    case.file("a.txt", "a\n");
    let untouched = stamps(&case.project);
    let file = case.plan_file(plan);
    let all: Vec<&str> =
        ["run", file.to_str().unwrap(), "--apply"].into_iter().chain(flags.iter().copied()).collect();
    let plain = case.agents(&all).exits(3);
    assert!(plain.out.is_empty(), "{}", plain.out);
    plain.complains(words);
    let document = case.json(3, &all);
    let data = &document["data"];
    assert_eq!((&document["error"]["code"], &data["state"]), (&"refused".into(), &"execute/errored".into()));
    assert_eq!(data["failure"]["kind"], "refused");
    let calls = data["decisions"][1]["calls"].as_array().unwrap();
    let outcomes: Vec<&str> = calls.iter().map(|call| call["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes.len() as u64, done + 1);
    assert!(
        outcomes.iter().rev().skip(1).all(|o| *o == "succeeded") && outcomes.last() == Some(&"refused"),
        "{outcomes:?}"
    );
    assert_eq!(
        data["changes"].as_array().unwrap().len() as u64,
        done,
        "nothing was written by the refused call"
    );
    assert_eq!(stamps(&case.project), untouched);
    // Asking again is no answer.
    let again = case.json(3, &["plan", "execute", data["plan_id"].as_str().unwrap()]);
    assert_eq!(again["error"]["code"], "refused");
}

#[test]
fn writing_asks_under_manual_and_review() {
    // The typed command is the answer for strategize and execute; it is none for the write.
    refused(
        &under("manual", &[write("b.txt", "b")]),
        &[],
        0,
        &["profile manual asks before write", "nobody is there"],
    );
    refused(
        &under("review", &[write("b.txt", "b")]),
        &[],
        0,
        &["profile review asks before write", "nobody is there"],
    );
}

#[test]
fn commands_ask_under_the_careful_profiles() {
    for profile in ["manual", "review", "cautious"] {
        let words = format!(
            "profile {profile} asks before shell, and nobody is there to answer (open it for this plan with --allow shell)"
        );
        refused(&under(profile, &[shell("echo b > b.txt")]), &["--allow", "unsafe"], 0, &[&words]);
    }
    refused(
        &under("cautious", &[write("b.txt", "b"), shell("echo c > c.txt")]),
        &["--allow", "unsafe"],
        1,
        &["asks before shell"],
    );
}

#[test]
fn the_network_is_denied_asked_or_open() {
    let network = json!({ "tool": "shell", "with": { "command": "echo n > n.txt", "network": true } });
    let shells = ["--allow", "unsafe", "--allow", "shell"];
    for profile in ["manual", "review", "supervised", "cautious", "ci"] {
        let words = format!("profile {profile} denies network (open it for this plan with --allow network)");
        refused(&under(profile, std::slice::from_ref(&network)), &shells, 0, &[&words]);
    }
    refused(
        &under("trusted", std::slice::from_ref(&network)),
        &shells,
        0,
        &["profile trusted asks before network"],
    );
    for (profile, flags) in
        [("auto", &shells[..2]), ("supervised", &["--allow", "unsafe", "--allow", "network"])]
    {
        let case = Case::new();
        let data = case.run(0, &under(profile, std::slice::from_ref(&network)), flags);
        assert_eq!(data["state"], "apply/queued", "{profile}");
    }
    // full-auto needs no word, also where commands are not confined, and it applies.
    let case = Case::new().without_bubblewrap();
    assert_eq!(case.run(0, &under("full-auto", &[network]), &[])["state"], "apply/applied");
    assert!(case.project.join("n.txt").exists());
}

#[test]
fn a_confined_command_has_no_network_unless_it_asked() {
    let case = Case::new();
    let devices = "tail -n +3 /proc/net/dev | grep -cv ' *lo:' > devices.txt; true";
    let asks = json!({ "tool": "shell", "with": { "command": "readlink /proc/self/ns/net > with.txt", "network": true } });
    let calls = [shell(devices), shell("readlink /proc/self/ns/net > without.txt"), asks];
    case.run(0, &under("auto", &calls), &["--allow", "unsafe", "--apply"]);
    let read = |name: &str| std::fs::read_to_string(case.project.join(name)).unwrap();
    let ours = std::fs::read_link("/proc/self/ns/net").unwrap();
    assert_eq!(read("with.txt").trim(), ours.to_str().unwrap());
    assert_eq!(read("without.txt") != read("with.txt"), case.confined());
    assert!(!case.confined() || read("devices.txt") == "0\n", "{}", read("devices.txt"));
}

#[test]
fn an_opened_gate_is_open_for_this_plan_and_recorded() {
    let case = Case::new();
    let plan = under("cautious", &[shell("echo b > b.txt")]);
    let data = case.run(0, &plan, &["--allow", "shell", "--allow", "unsafe"]);
    assert_eq!((&data["state"], &data["allowed"]), (&"apply/queued".into(), &json!(["shell", "unsafe"])));
    case.run(3, &plan, &[]);
    // What may be read may be read under every profile.
    case.file("a.txt", "a\n");
    let read = json!({ "tool": "read_file", "with": { "path": "a.txt" } });
    let data = case.run(0, &under("manual", &[read]), &[]);
    assert_eq!((&data["state"], &data["changes"]), (&"apply/queued".into(), &json!([])));
}

#[test]
fn nothing_waits_for_an_answer_that_cannot_come() {
    let case = Case::new();
    let file = case.plan_file(&under("manual", &[write("b.txt", "b")]));
    let run = ["run", file.to_str().unwrap()];
    // Closed, and open with nothing to read: the pipe's other end is held until the process is over.
    assert_eq!(Ran::within(case.binary(&run), Duration::from_secs(20)).code, Some(3));
    let mut command = case.binary(&run);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let held = child.stdin.take();
    crate::support::wait_until("the run ends", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    drop(held);
    // A command of a plan has no input either.
    let data = case.run(0, &plan(&[shell("cat > read.txt")]), &["--allow", "unsafe"]);
    assert_eq!(data["changes"][0]["after"]["size"], 0);
}
