//! What `Cargo.lock` says, as far as the checks need it.

use std::collections::{BTreeMap, BTreeSet};

/// Every crate and its versions. Reads the form that cargo writes, one key a line, `name` before `version`.
pub(crate) fn versions(lockfile: &str) -> Result<BTreeMap<&str, BTreeSet<&str>>, String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in lockfile.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
            line.and_then(|rest| rest.strip_suffix('"'))
        };
        let (Some(name), Some(version)) = (value("name"), value("version")) else {
            return Err("Cargo.lock has a package without a name and a version".to_owned());
        };
        versions.entry(name).or_default().insert(version);
    }
    if versions.is_empty() { Err("Cargo.lock names no package".to_owned()) } else { Ok(versions) }
}

#[cfg(test)]
mod tests {
    use super::versions;

    #[test]
    fn reads_names_and_versions() {
        let lockfile = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\n \"b\",\n]\n\n\
                        [[package]]\nname = \"a\"\nversion = \"2.0.0\"\n";
        let versions = versions(lockfile).unwrap();
        assert_eq!(versions["a"].iter().copied().collect::<Vec<_>>(), ["1.0.0", "2.0.0"]);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(versions("").is_err());
        assert!(versions("[[package]]\nname = \"a\"\n").is_err());
    }
}
