//! What plans and commands say cannot forge what the binary says.

use serde_json::json;

use crate::support::{Case, plan, shell, write};

#[test]
fn names_and_titles_cannot_forge_a_line_or_move_the_cursor() {
    let case = Case::new();
    let mut forged = plan(&[write("a.txt", "a\n")]);
    forged["name"] = json!("x\nState apply/applied\r\u{1b}[2J");
    forged["decisions"][0]["title"] = json!("y\n  sealed b3:0000");
    let id = case.run(0, &forged, &[])["plan_id"].as_str().unwrap().to_owned();
    for command in [
        vec!["plan", "status", &id],
        vec!["plan", "list"],
        vec!["plan", "explain", &id],
        vec!["plan", "tree", &id],
    ] {
        let out = case.agents(&command).exits(0).out;
        assert!(!out.contains('\u{1b}') && !out.contains('\r'), "{out:?}");
        assert!(
            !out.lines().any(|l| l.starts_with("State apply/applied")
                || l.contains("  sealed b3:0000") && !l.contains("y\\n")),
            "{out}"
        );
    }
}

#[test]
fn a_commands_last_words_cannot_either() {
    let case = Case::new();
    let plan = plan(&[shell("printf '\\r\\033[2JState apply/applied' >&2; exit 1")]);
    let file = case.plan_file(&plan);
    let ran = case.agents(&["run", file.to_str().unwrap(), "--allow", "unsafe"]).exits(1);
    assert!(!ran.err.contains('\u{1b}') && ran.err.contains("\\u{1b}[2J"), "{:?}", ran.err);
}

#[test]
fn a_pipe_that_a_command_made_is_told_before_apply_refuses_it() {
    let case = Case::new();
    let file = case.plan_file(&plan(&[shell("mkfifo pipe")]));
    let ran = case.json(0, &["run", file.to_str().unwrap(), "--allow", "unsafe"]);
    assert!(ran["messages"].to_string().contains("cannot be applied"), "{ran}");
    let id = ran["data"]["plan_id"].as_str().unwrap();
    case.json(3, &["plan", "apply", id]);
    assert!(!case.project.join("pipe").exists());
}
