//! Comment lines for what git's format cannot say.

use super::name;
use super::{Content, FileChange, Side, SideKind};

/// Appends the comment lines of `change`, each of which ends in the path or in brackets behind it.
pub(super) fn append(change: &FileChange<'_>, out: &mut Vec<u8>) {
    let FileChange { path, before, after } = *change;
    let same_kind = before.map(|side| side.kind) == after.map(|side| side.kind);
    if !same_kind {
        for (side, happened) in [(before, "removed"), (after, "created")] {
            let Some(side) = side else { continue };
            let Some(noun) = noun(side.kind) else { continue };
            append_line(&format!("{noun} {happened}: "), path, "", out);
        }
    }
    append_modes(path, before, after, out);
    if before.is_some_and(Side::is_unseen) || after.is_some_and(Side::is_unseen) {
        let sizes = format!(" (before {}, after {})", size(before), size(after));
        append_line("content not shown: ", path, &sizes, out);
    }
}

fn append_modes(path: &[u8], before: Option<Side<'_>>, after: Option<Side<'_>>, out: &mut Vec<u8>) {
    match (before, after) {
        (Some(before), Some(after)) if before.kind == after.kind => {
            let told = before.is_in_git() && before.is_git_mode() && after.is_git_mode();
            if !told && before.permissions() != after.permissions() {
                let modes = format!("mode {:04o} -> {:04o} ", before.permissions(), after.permissions());
                append_line(&modes, path, "", out);
            }
        }
        _ => {
            for side in [before, after].into_iter().flatten() {
                let told = if side.kind == SideKind::Directory {
                    side.permissions() == 0o755
                } else {
                    side.is_git_mode()
                };
                if !told {
                    append_line(&format!("mode {:04o} ", side.permissions()), path, "", out);
                }
            }
        }
    }
}

fn append_line(start: &str, path: &[u8], end: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"# ");
    out.extend_from_slice(start.as_bytes());
    name::append("", path, out);
    out.extend_from_slice(end.as_bytes());
    out.push(b'\n');
}

/// What git has no mode for.
fn noun(kind: SideKind) -> Option<&'static str> {
    match kind {
        SideKind::Directory => Some("directory"),
        SideKind::Special => Some("special file"),
        SideKind::File | SideKind::Symlink => None,
    }
}

fn size(side: Option<Side<'_>>) -> String {
    match side.map(|side| side.content) {
        None => "absent".to_owned(),
        Some(Content::Bytes(bytes)) => format!("{} bytes", bytes.len()),
        Some(Content::Summary { size }) => format!("{size} bytes"),
        Some(Content::None) => "unknown".to_owned(),
    }
}
