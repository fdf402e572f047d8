//! `cargo xtask deps`: no crate is built in two versions, but for those listed here.

use super::Verdict;
use crate::lockfile;
use crate::workspace::Workspace;

/// A crate that may stand in `Cargo.lock` more than once.
struct Exception {
    name: &'static str,
    /// At most so many versions.
    versions: usize,
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception { name: "foldhash", versions: 2, reason: "follows hashbrown" },
    Exception { name: "getrandom", versions: 2, reason: "jsonschema wants 0.3; rand and tempfile want 0.4" },
    Exception { name: "hashbrown", versions: 2, reason: "imara-diff wants 0.15; the others are ahead of it" },
    Exception { name: "itertools", versions: 2, reason: "tests only: criterion wants 0.13, cucumber 0.14" },
    Exception { name: "r-efi", versions: 2, reason: "follows getrandom; built on no platform of ours" },
    Exception {
        name: "syn",
        versions: 2,
        reason: "macros: validator and cucumber want 2, serde and tokio want 3",
    },
];

pub(crate) fn run(workspace: &Workspace) -> Verdict {
    check(&workspace.read("Cargo.lock")?, EXCEPTIONS)
}

fn check(lockfile: &str, exceptions: &[Exception]) -> Verdict {
    let versions = lockfile::versions(lockfile)?;
    let mut wrong = Vec::new();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let exception = exceptions.iter().find(|exception| exception.name == *name);
        if exception.is_none_or(|exception| versions.len() > exception.versions) {
            let versions = versions.iter().copied().collect::<Vec<_>>().join(", ");
            let reason =
                exception.map_or_else(String::new, |exception| format!(" (so far: {})", exception.reason));
            wrong.push(format!(
                "{name} is there in more than one version: {versions}{reason}; bring them together, or list it \
                 with a reason in xtask/src/command/deps.rs"
            ));
        }
    }
    for exception in exceptions {
        if versions.get(exception.name).is_none_or(|versions| versions.len() < exception.versions) {
            let Exception { name, versions, .. } = exception;
            wrong.push(format!(
                "{name} no longer needs {versions} versions: correct xtask/src/command/deps.rs"
            ));
        }
    }
    if wrong.is_empty() {
        let listed = exceptions.len();
        Ok(format!("deps: {} crates, each in one version but for {listed} listed", versions.len()))
    } else {
        Err(wrong.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Exception, check};

    fn lockfile(packages: &[(&str, &str)]) -> String {
        let entry = |(name, version): &(&str, &str)| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\n")
        };
        packages.iter().map(entry).collect::<Vec<_>>().concat()
    }

    const LISTED: &[Exception] = &[Exception { name: "a", versions: 2, reason: "b is behind" }];

    #[test]
    fn one_version_each_is_green() {
        assert!(check(&lockfile(&[("a", "1.0.0"), ("b", "1.0.0")]), &[]).is_ok());
    }

    #[test]
    fn two_versions_are_red_unless_listed() {
        let twice = lockfile(&[("a", "1.0.0"), ("a", "2.0.0")]);
        let why = check(&twice, &[]).expect_err("must be red");
        assert!(why.contains("1.0.0, 2.0.0"), "{why}");
        assert!(check(&twice, LISTED).is_ok());
        let thrice = lockfile(&[("a", "1.0.0"), ("a", "2.0.0"), ("a", "3.0.0")]);
        let why = check(&thrice, LISTED).expect_err("must be red");
        assert!(why.contains("b is behind"), "{why}");
    }

    #[test]
    fn an_exception_that_is_not_needed_is_red() {
        assert!(check(&lockfile(&[("a", "1.0.0")]), LISTED).is_err());
        assert!(check(&lockfile(&[("b", "1.0.0")]), LISTED).is_err());
    }
}
