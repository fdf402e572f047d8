//! The sandbox's private `.git`: enough for git to work there, nothing that leads back to the user's.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Whether a path inside `.git` is left out of the copy: what runs, what locks, and what other worktrees own.
pub(super) fn is_left_out(path: &[u8]) -> bool {
    let top = path.split(|b| *b == b'/').next().unwrap_or_default();
    matches!(top, b"hooks" | b"worktrees" | b"modules" | b"config.worktree" | b"commondir" | b"gitdir")
        || path.ends_with(b".lock")
        || top.starts_with(b"fsmonitor--daemon")
}

/// Whether a link inside `.git` stays inside, as far as its text tells.
pub(super) fn is_inner_link(target: &[u8]) -> bool {
    target.first() != Some(&b'/') && !target.split(|b| *b == b'/').any(|c| c == b"..")
}

/// The copy's configuration: the repository's format and the file system's abilities from the original, and nothing
/// that starts a program, signs, or names another place.
pub(super) fn sanitised_config(original: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(original);
    let (mut core, mut extensions, mut init) = (String::new(), String::new(), String::new());
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix('[') {
            section = rest.split(']').next().unwrap_or_default().trim().to_ascii_lowercase();
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().trim_matches('"'));
        if value.is_empty() || !value.bytes().all(|b| b.is_ascii_alphanumeric() || b"_./-".contains(&b)) {
            continue;
        }
        let kept = format!("\t{key} = {value}\n");
        match (section.as_str(), key.as_str()) {
            ("core", "repositoryformatversion" | "filemode" | "ignorecase" | "symlinks") => {
                core.push_str(&kept);
            }
            ("extensions", "worktreeconfig" | "relativeworktrees") => {}
            ("extensions", key) if key.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                extensions.push_str(&kept);
            }
            ("init", "defaultbranch") => init.push_str(&kept),
            _ => {}
        }
    }
    let mut config = format!("[core]\n{core}\tbare = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n");
    for (name, keys) in [("extensions", extensions), ("init", init)] {
        if !keys.is_empty() {
            config.extend(["[", name, "]\n", &keys]);
        }
    }
    config.push_str("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[commit]\n\tgpgSign = false\n[tag]\n\tgpgSign = false\n");
    config.push_str("[user]\n\tname = agents\n\temail = agents@localhost\n");
    config.into_bytes()
}

/// The list of borrowed object stores with relative places made absolute, so that they are found from the copy too.
pub(super) fn absolute_alternates(original: &[u8], objects: &Path) -> Vec<u8> {
    let mut list = Vec::new();
    for line in original.split(|b| *b == b'\n').filter(|l| !l.is_empty() && l[0] != b'#') {
        if line[0] != b'/' {
            list.extend_from_slice(objects.as_os_str().as_bytes());
            list.push(b'/');
        }
        list.extend_from_slice(line);
        list.push(b'\n');
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_runs_survives_in_the_configuration() {
        let original = b"[core]\n\trepositoryformatversion = 1\n\tfilemode = true\n\thooksPath = evil\n\tpager = sh\n\
            [extensions]\n\tobjectFormat = sha256\n[remote \"origin\"]\n\turl = ext::sh -c evil\n[filter \"x\"]\n\tclean = evil\n\
            [user]\n\tname = Somebody\n[include]\n\tpath = /evil\n";
        let config = String::from_utf8(sanitised_config(original)).unwrap();
        assert!(
            config.contains("repositoryformatversion = 1") && config.contains("objectformat = sha256"),
            "{config}"
        );
        assert!(
            !config.contains("evil") && !config.contains("Somebody") && !config.contains("pager"),
            "{config}"
        );
        assert!(config.contains("hooksPath = /dev/null"));
    }

    #[test]
    fn relative_alternates_become_absolute() {
        let list = absolute_alternates(b"../../other/objects\n/abs/objects\n", Path::new("/p/.git/objects"));
        assert_eq!(list, b"/p/.git/objects/../../other/objects\n/abs/objects\n");
    }
}
