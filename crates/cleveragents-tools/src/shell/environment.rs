//! What a command finds in its environment: little, and nothing of this process's secrets.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// What is taken over from this process.
const INHERITED: [&str; 5] = ["PATH", "LANG", "LANGUAGE", "TERM", "TZ"];

/// Where programs are when this process does not say.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The variables of git that a call may set: who the author is. The others say which repository git writes to.
const GIT_ALLOWED: [&str; 2] = ["GIT_AUTHOR_", "GIT_COMMITTER_"];

/// Refuses what would not work, or would take git to another repository.
pub(crate) fn check(call: &BTreeMap<String, String>) -> Result<(), String> {
    for (name, value) in call {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(format!("env: {name:?} cannot be set: names hold no = and nothing holds a NUL"));
        }
        if name.starts_with("GIT_") && !GIT_ALLOWED.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(format!("env: {name} cannot be set: git must work in the project's own repository"));
        }
    }
    Ok(())
}

/// The whole environment of a command that runs in `root`.
pub(crate) fn environment(root: &Path, call: BTreeMap<String, String>) -> BTreeMap<OsString, OsString> {
    let mut all = BTreeMap::new();
    all.insert("PATH".into(), USUAL_PATH.into());
    for (name, value) in std::env::vars_os() {
        let known = name.to_str().is_some_and(|name| INHERITED.contains(&name) || name.starts_with("LC_"));
        if known {
            all.insert(name, value);
        }
    }
    let ceiling = root.parent().unwrap_or(root);
    let ours: [(&str, OsString); 8] = [
        ("HOME", "/tmp".into()),
        ("GIT_CEILING_DIRECTORIES", ceiling.into()),
        ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
        ("GIT_TERMINAL_PROMPT", "0".into()),
        // The copy may belong to another user than the one who runs the command.
        ("GIT_CONFIG_COUNT", "1".into()),
        ("GIT_CONFIG_KEY_0", "safe.directory".into()),
        ("GIT_CONFIG_VALUE_0", "*".into()),
    ];
    all.extend(ours.into_iter().map(|(name, value)| (name.into(), value)));
    all.extend(call.into_iter().map(|(name, value)| (name.into(), value.into())));
    all
}
