//! What the command line asks of the test target: cucumber's own options, and those that every test target is given.

#[cfg(test)]
mod tests;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Run features.
    Run {
        /// What `--input` says: a file, a folder or a glob.
        input: Option<String>,
        /// The other options, for cucumber.
        options: Vec<String>,
    },
    /// Name the tests of this target, one a line.
    List(Vec<String>),
    /// Run nothing: the filter means other targets.
    Nothing {
        /// Why, in words.
        reason: String,
    },
}

/// The one test that this target is to a test runner.
const NAME: &str = "features";

/// Cucumber's options that take a value, `--input` apart.
const CUCUMBER_VALUES: [&str; 11] = [
    "--name",
    "--scenario-name",
    "-n",
    "--tags",
    "-t",
    "--concurrency",
    "-c",
    "--retry",
    "--retry-after",
    "--retry-tag-filter",
    "--color",
];

/// Options of the usual test harness that take a value and mean nothing here.
const HARNESS_VALUES: [&str; 5] = ["--format", "--logfile", "--shuffle-seed", "--report-time", "-Z"];

/// Options of the usual test harness without a value that mean nothing here.
const HARNESS_FLAGS: [&str; 14] = [
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--quiet",
    "-q",
    "--exact",
    "--include-ignored",
    "--test",
    "--bench",
    "--shuffle",
    "--force-run-in-process",
    "--ensure-time",
    "--exclude-should-panic",
    "--list",
];

impl Request {
    /// Reads the arguments, the program's name left out.
    ///
    /// `cargo test --workspace -- ARGS` and nextest give every target the options of the usual harness. Here the whole
    /// run is one test called `features`: a filter that does not mean it selects nothing.
    pub fn parse(args: impl IntoIterator<Item = String>) -> Self {
        let args: Vec<String> = args.into_iter().collect();
        let given = |flag: &str| args.iter().any(|arg| arg == flag);
        let (exact, ignored) = (given("--exact"), given("--ignored"));
        if given("--list") {
            return Self::List(if ignored { Vec::new() } else { vec![format!("{NAME}: test")] });
        }
        if ignored {
            return Self::Nothing { reason: "no feature is ignored".to_owned() };
        }
        let (mut input, mut kept, mut filters, mut skips) = (None, Vec::new(), Vec::new(), Vec::new());
        let mut rest = args.into_iter();
        while let Some(arg) = rest.next() {
            let (name, value) = match arg.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (arg.as_str(), None),
            };
            if HARNESS_FLAGS.contains(&name) {
                // Nothing to do differently.
            } else if HARNESS_VALUES.contains(&name) {
                // A value that is given apart goes with it.
                let _ = value.or_else(|| rest.next());
            } else if matches!(name, "--input" | "-i") {
                input = value.or_else(|| rest.next());
            } else if name == "--test-threads" {
                kept.push("--concurrency".to_owned());
                kept.extend(value.or_else(|| rest.next()));
            } else if name == "--skip" {
                skips.extend(value.or_else(|| rest.next()));
            } else if CUCUMBER_VALUES.contains(&name) {
                let apart = value.is_none();
                kept.push(arg);
                kept.extend(apart.then(|| rest.next()).flatten());
            } else if arg.starts_with('-') {
                kept.push(arg);
            } else {
                filters.push(arg);
            }
        }
        let means = |filter: &String| if exact { filter == NAME } else { NAME.contains(filter.as_str()) };
        if !filters.is_empty() && !filters.iter().any(means) {
            return Self::Nothing { reason: format!("{filters:?} is not this target") };
        }
        if skips.iter().any(means) {
            return Self::Nothing { reason: format!("{skips:?} is to be skipped") };
        }
        Self::Run { input, options: kept }
    }
}
