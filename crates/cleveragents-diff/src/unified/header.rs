//! git's extended header of one change.

use super::name;

pub(super) struct Header<'a> {
    pub(super) path: &'a [u8],
    /// git's mode of the earlier side, if there is one.
    pub(super) before: Option<u32>,
    /// git's mode of the later side, if there is one.
    pub(super) after: Option<u32>,
}

impl Header<'_> {
    pub(super) fn append(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"diff --git ");
        name::append("a/", self.path, out);
        out.push(b' ');
        name::append("b/", self.path, out);
        out.push(b'\n');
        let modes = match (self.before, self.after) {
            (None, Some(mode)) => format!("new file mode {mode:06o}\n"),
            (Some(mode), None) => format!("deleted file mode {mode:06o}\n"),
            (Some(old), Some(new)) if old != new => format!("old mode {old:06o}\nnew mode {new:06o}\n"),
            _ => String::new(),
        };
        out.extend_from_slice(modes.as_bytes());
    }

    pub(super) fn append_names(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"--- ");
        self.append_side("a/", self.before, out);
        self.end_name(self.before, out);
        out.extend_from_slice(b"+++ ");
        self.append_side("b/", self.after, out);
        self.end_name(self.after, out);
    }

    pub(super) fn append_binary(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"Binary files ");
        self.append_side("a/", self.before, out);
        out.extend_from_slice(b" and ");
        self.append_side("b/", self.after, out);
        out.extend_from_slice(b" differ\n");
    }

    fn append_side(&self, prefix: &str, mode: Option<u32>, out: &mut Vec<u8>) {
        match mode {
            Some(_) => name::append(prefix, self.path, out),
            None => out.extend_from_slice(b"/dev/null"),
        }
    }

    /// git ends a name with blanks by a tab, so that no reader takes the rest of the name for a date.
    fn end_name(&self, mode: Option<u32>, out: &mut Vec<u8>) {
        if mode.is_some() && self.path.contains(&b' ') {
            out.push(b'\t');
        }
        out.push(b'\n');
    }
}
