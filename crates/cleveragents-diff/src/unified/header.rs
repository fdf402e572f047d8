//! git's extended header of one change.

use super::{Rename, name};

/// git's mode of a symbolic link.
const SYMLINK: u32 = 0o120_000;

pub(super) struct Header<'a> {
    pub(super) path: &'a [u8],
    /// Where the file was before, if elsewhere.
    pub(super) rename: Option<Rename<'a>>,
    /// git's mode of the earlier side, if there is one.
    pub(super) before: Option<u32>,
    /// git's mode of the later side, if there is one.
    pub(super) after: Option<u32>,
}

impl<'a> Header<'a> {
    pub(super) fn append(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"diff --git ");
        name::append("a/", self.old_path(), out);
        out.push(b' ');
        name::append("b/", self.path, out);
        out.push(b'\n');
        let modes = match (self.before, self.after) {
            (None, Some(mode)) => format!("new file mode {mode:06o}\n"),
            (Some(mode), None) => format!("deleted file mode {mode:06o}\n"),
            // A link is said to be one: nothing else in the patch tells its target from a file's text.
            (Some(old), Some(new)) if old != new || new == SYMLINK => {
                format!("old mode {old:06o}\nnew mode {new:06o}\n")
            }
            _ => String::new(),
        };
        out.extend_from_slice(modes.as_bytes());
        if let Some(rename) = self.rename {
            out.extend_from_slice(format!("similarity index {}%\n", rename.similarity.min(100)).as_bytes());
            for (start, path) in [("rename from ", rename.from), ("rename to ", self.path)] {
                out.extend_from_slice(start.as_bytes());
                name::append("", path, out);
                out.push(b'\n');
            }
        }
    }

    pub(super) fn append_names(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"--- ");
        append_side("a/", self.old_path(), self.before, out);
        end_name(self.old_path(), self.before, out);
        out.extend_from_slice(b"+++ ");
        append_side("b/", self.path, self.after, out);
        end_name(self.path, self.after, out);
    }

    pub(super) fn append_binary(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"Binary files ");
        append_side("a/", self.old_path(), self.before, out);
        out.extend_from_slice(b" and ");
        append_side("b/", self.path, self.after, out);
        out.extend_from_slice(b" differ\n");
    }

    fn old_path(&self) -> &'a [u8] {
        self.rename.map_or(self.path, |rename| rename.from)
    }
}

fn append_side(prefix: &str, path: &[u8], mode: Option<u32>, out: &mut Vec<u8>) {
    match mode {
        Some(_) => name::append(prefix, path, out),
        None => out.extend_from_slice(b"/dev/null"),
    }
}

/// git ends a name with blanks by a tab, so that no reader takes the rest of the name for a date.
fn end_name(path: &[u8], mode: Option<u32>, out: &mut Vec<u8>) {
    if mode.is_some() && path.contains(&b' ') {
        out.push(b'\t');
    }
    out.push(b'\n');
}
