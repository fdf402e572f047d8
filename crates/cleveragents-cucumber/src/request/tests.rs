use super::*;

fn parse(line: &str) -> Request {
    Request::parse(line.split_whitespace().map(str::to_owned))
}

fn runs(line: &str, options: &str) {
    runs_from(line, None, options);
}

fn runs_from(line: &str, input: Option<&str>, options: &str) {
    let options = options.split_whitespace().map(str::to_owned).collect();
    assert_eq!(parse(line), Request::Run { input: input.map(str::to_owned), options }, "{line}");
}

fn runs_nothing(line: &str) {
    assert!(matches!(parse(line), Request::Nothing { .. }), "{line}");
}

#[test]
fn cucumbers_options_go_through() {
    runs("", "");
    runs_from("--input /x/*.feature --tags @gate -vv", Some("/x/*.feature"), "--tags @gate -vv");
    runs_from("--fail-fast --input=/x/a.feature", Some("/x/a.feature"), "--fail-fast");
    runs_from("-i a.feature --nocapture", Some("a.feature"), "");
    runs("--color never -n name", "--color never -n name");
}

#[test]
fn the_harness_options_are_taken_off() {
    runs("--nocapture --show-output -q --format terse --format=json -Z unstable-options", "");
    runs("--test-threads=3", "--concurrency 3");
    runs("--test-threads 1 --nocapture", "--concurrency 1");
}

#[test]
fn a_test_runner_sees_one_test() {
    assert_eq!(parse("--list --format terse"), Request::List(vec!["features: test".to_owned()]));
    assert_eq!(parse("--list --format terse --ignored"), Request::List(Vec::new()));
    runs("--exact features --nocapture", "");
    runs_nothing("--ignored");
}

#[test]
fn a_filter_for_others_runs_nothing() {
    runs("feat", "");
    runs("other features", "");
    runs("--skip other", "");
    runs_nothing("some_unit_test");
    runs_nothing("--exact feat");
    runs_nothing("--skip feat");
    runs_nothing("--skip=features --exact");
}
