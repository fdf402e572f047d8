//! The profile table, cell by cell, and what a person can open.

use cleveragents_domain::{Answer, Gate, PROFILE_NAMES, Policy, Profile};

/// The contract's table: strategize, execute, write, shell, network, unsafe, apply.
const CONTRACT: &str = "
manual     ask  ask  ask  ask  deny deny ask
review     auto auto ask  ask  deny deny ask
supervised auto ask  auto auto deny deny ask
cautious   auto auto auto ask  deny deny ask
trusted    auto auto auto auto ask  deny ask
auto       auto auto auto auto auto deny ask
ci         auto auto auto auto deny deny auto
full-auto  auto auto auto auto auto auto auto
";

#[test]
fn every_cell_is_the_contracts() {
    let gates =
        [Gate::Strategize, Gate::Execute, Gate::Write, Gate::Shell, Gate::Network, Gate::Unsafe, Gate::Apply];
    let rows: Vec<Vec<&str>> =
        CONTRACT.lines().filter(|l| !l.is_empty()).map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rows.iter().map(|r| r[0]).collect::<Vec<_>>(), PROFILE_NAMES);
    for row in rows {
        let profile = Profile::named(row[0]).unwrap();
        for (gate, word) in gates.iter().zip(&row[1..]) {
            let answer = match *word {
                "auto" => Answer::Auto,
                "ask" => Answer::Ask,
                _ => Answer::Deny,
            };
            assert_eq!(profile.answer(*gate), answer, "{} {gate}", row[0]);
        }
    }
}

#[test]
fn an_unknown_name_lists_the_choices_and_is_never_another_profile() {
    let error = Profile::named("turbo").unwrap_err();
    assert_eq!(error.field(), "automation_profile");
    for name in PROFILE_NAMES {
        assert!(error.to_string().contains(name), "{error}");
    }
    assert!(Profile::named("Trusted").is_err());
}

#[test]
fn an_opened_gate_is_open_and_no_other() {
    let mut policy = Policy::new(Profile::named("supervised").unwrap());
    policy.opened.insert(Gate::Unsafe);
    assert_eq!(policy.answer(Gate::Unsafe), Answer::Auto);
    assert_eq!(policy.answer(Gate::Network), Answer::Deny);
}

#[test]
fn the_deny_list_wins_over_the_allow_list() {
    let mut policy = Policy::new(Profile::named("auto").unwrap());
    assert!(policy.lists_allow("shell"));
    policy.allow_tools = Some(["shell".to_owned()].into());
    assert!(policy.lists_allow("shell") && !policy.lists_allow("write_file"));
    policy.deny_tools.insert("shell".to_owned());
    assert!(!policy.lists_allow("shell"));
}

#[test]
fn a_stored_profile_that_lacks_a_gate_denies_it() {
    let stored = r#"{"name":"old","answers":{"execute":"auto"}}"#;
    let profile: Profile = serde_json::from_str(stored).unwrap();
    assert_eq!(profile.answer(Gate::Execute), Answer::Auto);
    assert_eq!(profile.answer(Gate::Apply), Answer::Deny);
}
