//! The plan file: every mistake is one clear error that names its place.

use std::fmt::Write as _;

use cleveragents_application::domain::{CountingClock, Gate, PlanId};
use cleveragents_application::{PlanFile, PlanFileError, Strategist};

fn error(text: &str) -> String {
    PlanFile::parse(text).unwrap_err().to_string()
}

const HEAD: &str = "name: x\ndefinition_of_done: done\n";

#[test]
fn mistakes_name_their_place() {
    let cases: &[(&str, &[&str])] = &[
        ("name: x\ndefinition_of_done: y\ncolour: red\n", &["colour", "3"]),
        ("name: x\n", &["definition_of_done"]),
        ("name: ''\ndefinition_of_done: y\n", &["name", "between 1 and 200"]),
        ("name: x\ndefinition_of_done: '  '\n", &["definition_of_done"]),
        ("name: [1]\ndefinition_of_done: y\n", &["1:7"]),
        (
            "name: x\ndefinition_of_done: y\nautomation_profile: turbo\n",
            &["automation_profile", "supervised", "ci"],
        ),
        ("name: x\ndefinition_of_done: y\ndecisions: [{title: ''}]\n", &["decisions[0].title"]),
        (
            "name: x\ndefinition_of_done: y\ndecisions: [{title: a, depends_on: [b]}]\n",
            &["decisions[0].depends_on[0]", "b"],
        ),
        (
            "name: x\ndefinition_of_done: y\ndecisions: [{title: a, id: k}, {title: b, id: k}]\n",
            &["decisions[1].id"],
        ),
        (
            "name: x\ndefinition_of_done: y\ndecisions: [{title: a, id: k, depends_on: [k]}]\n",
            &["back to itself"],
        ),
        (
            "name: x\ndefinition_of_done: y\ndecisions: [{title: a, calls: [{tool: ''}]}]\n",
            &["decisions[0].calls[0].tool"],
        ),
        ("name: x\ndefinition_of_done: y\nlimits: {tool_calls: 0}\n", &["limits.tool_calls", "at least 1"]),
        ("name: x\ndefinition_of_done: y\nlimits: {tool_calls: -3}\n", &["limits.tool_calls"]),
        ("name: x\ndefinition_of_done: y\nlimits: {wall_time: soon}\n", &["limits.wall_time", "20m"]),
        ("name: x\ndefinition_of_done: y\nlimits: {speed: 3}\n", &["speed"]),
    ];
    for (text, words) in cases {
        let found = error(text);
        for word in *words {
            assert!(found.contains(word), "{text:?}: {found:?} lacks {word:?}");
        }
    }
}

#[test]
fn what_is_not_built_yet_is_refused_in_words() {
    for part in
        ["validations: []", "mcp_servers: {}", "model: x", "limits: {tokens: 1}", "limits: {cost_usd: 1.0}"]
    {
        let found = PlanFile::parse(&format!("{HEAD}{part}\n")).unwrap_err();
        assert!(matches!(found, PlanFileError::NotSupported(_)), "{part}");
        assert!(found.to_string().contains("not supported yet"));
    }
}

#[test]
fn an_alias_bomb_is_refused_and_costs_little() {
    let mut text =
        String::from("name: x\ndefinition_of_done: y\ninvariants:\n  - &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let refs = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(text, "  - &a{level} [{refs}]").unwrap();
    }
    let begun = std::time::Instant::now();
    assert!(PlanFile::parse(&text).is_err());
    assert!(begun.elapsed().as_secs() < 5);
}

#[test]
fn json_is_read_too_and_the_source_gives_the_file_back() {
    let text = r#"{"name":"x","definition_of_done":"a\nb\n","decisions":[{"title":"t","calls":[{"tool":"shell","with":{"command":"true"}}]}]}"#;
    let file = PlanFile::parse(text).unwrap();
    let spec = file.spec().unwrap();
    assert_eq!(spec.definition_of_done, ["a", "b"]);
    let again = PlanFile::from_source(&spec.source).unwrap();
    assert_eq!(again.spec().unwrap(), spec);
    assert_eq!(again.calls().count(), 1);
}

#[test]
fn only_three_gates_can_be_opened() {
    let file = PlanFile::parse(HEAD).unwrap();
    assert!(file.clone().allow([Gate::Shell, Gate::Network, Gate::Unsafe]).is_ok());
    for gate in [Gate::Apply, Gate::Write, Gate::Execute, Gate::Strategize] {
        assert_eq!(file.clone().allow([gate]).unwrap_err().field(), "allow");
    }
}

#[tokio::test]
async fn decisions_come_in_file_order_within_what_they_depend_on() {
    let text = "name: x\ndefinition_of_done: y\ndecisions:\n\
        - {id: c, title: c, depends_on: [b]}\n\
        - {id: a, title: a}\n\
        - {id: child, title: child, parent: c}\n\
        - {id: b, title: b, depends_on: [a]}\n\
        - {title: last}\n";
    let file = PlanFile::parse(text).unwrap();
    let plan = PlanId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap();
    let spec = file.clone().as_stub().spec().unwrap();
    let made = file.strategist().strategize(&plan, &spec, &CountingClock::default()).await.unwrap();
    let titles: Vec<&str> = made.decisions.iter().skip(1).map(|d| d.chosen.as_str()).collect();
    assert_eq!(titles, ["a", "b", "c", "child", "last"]);
    assert_eq!(made.decisions[4].parent, Some(made.decisions[3].id));
}
