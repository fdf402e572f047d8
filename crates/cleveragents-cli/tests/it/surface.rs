//! What the binary says of itself: only what works.

use crate::support::{Case, Ran, plan, write};

fn help(case: &Case, path: &[String]) -> Ran {
    let all: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    case.agents(&all).exits(0)
}

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let section = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
    let names = section.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_listed_command_has_a_help_of_its_own() {
    let case = Case::new();
    let mut found = Vec::new();
    let mut todo = vec![Vec::new()];
    while let Some(path) = todo.pop() {
        let text = help(&case, &path).says(&["Usage: agents"]).out;
        let below = listed(&text);
        if below.is_empty() {
            found.push(path.join(" "));
        }
        todo.extend(below.into_iter().map(|name| [path.clone(), vec![name]].concat()));
    }
    found.sort();
    let wanted = [
        "check",
        "completions",
        "plan apply",
        "plan cancel",
        "plan diff",
        "plan execute",
        "plan explain",
        "plan list",
        "plan log",
        "plan new",
        "plan rollback",
        "plan status",
        "plan strategize",
        "plan tree",
        "profile list",
        "profile show",
        "run",
        "tool call",
        "tool list",
        "tool show",
    ];
    assert_eq!(found, wanted, "what is listed works, and what works is tested here");
    assert!(!case.state.exists());
}

#[test]
fn versions() {
    let case = Case::new();
    let words = format!("agents {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(case.agents(&["--version"]).exits(0).out, words);
    let json = case.json(0, &["--version"]);
    assert_eq!((&json["command"], &json["data"]["text"]), (&"agents".into(), &words.into()));
    assert!(case.json(0, &["--help"])["data"]["text"].as_str().unwrap().contains("Usage: agents"));
}

#[test]
fn the_tools_are_listed_and_a_check_creates_nothing() {
    let case = Case::new();
    let tools = case.json(0, &["tool", "list"]);
    let names: Vec<&str> =
        tools["data"]["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted() && names.contains(&"edit_file") && names.contains(&"shell"), "{names:?}");
    let plain = case.agents(&["tool", "list"]).exits(0);
    assert_eq!(plain.out.lines().count(), names.len());
    let file = case.plan_file(&plan(&[write("a.txt", "a\n")]));
    let checked = case.json(0, &["check", file.to_str().unwrap()]);
    assert_eq!(checked["data"]["calls"][0]["place"], "decisions[0].calls[0]");
    case.agents(&["check", file.to_str().unwrap()])
        .exits(0)
        .says(&["1 call(s), profile supervised", "write yes"]);
    assert!(!case.state.exists());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let case = Case::new();
    let data = case.run(0, &plan(&[write("a.txt", &"line\n".repeat(100_000))]), &[]);
    let id = data["plan_id"].as_str().unwrap();
    let binary = assert_cmd::cargo::cargo_bin!("agents").to_str().unwrap();
    let mut command = case.program("sh");
    let script = "{ \"$1\" plan diff \"$2\"; echo $? > ../exit; } | head -n 1";
    command.args(["-c", script, "sh", binary, id]);
    let ran = Ran::of(command).exits(0);
    assert_eq!((ran.out.lines().count(), ran.err.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(case.beside("exit")).unwrap(), "0\n");
}
