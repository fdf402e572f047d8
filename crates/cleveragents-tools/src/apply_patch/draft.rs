//! What the files will be after the patch, worked out without touching one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use cleveragents_runtime::diff::{EDIT_RESULT_LIMIT, FilePatch, Operation, PatchForm, apply_file};
use cleveragents_runtime::domain::{NodeKind, RelPath};
use cleveragents_runtime::{FileError, Files, ToolError};

/// What stands at a path, as far as a patch can say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    File {
        content: Vec<u8>,
        mode: u32,
    },
    Symlink {
        target: Vec<u8>,
    },
    /// The file at the end of a link: it is what changes, and the link stays one.
    Linked {
        content: Vec<u8>,
    },
}

/// One path before and after the patch; `None` is absent.
pub(super) struct Outcome {
    pub(super) path: RelPath,
    pub(super) before: Option<Node>,
    pub(super) after: Option<Node>,
}

/// The files that the patch names, as they are after its parts so far.
pub(super) struct Draft<'a> {
    files: &'a dyn Files,
    /// The patch has one part only, so that no other part can name the file that a link leads to.
    alone: bool,
    nodes: BTreeMap<RelPath, (Option<Node>, Option<Node>)>,
}

/// git's modes: an executable, and a link.
const EXECUTABLE: u32 = 0o100_755;
const SYMLINK: u32 = 0o120_000;

impl<'a> Draft<'a> {
    pub(super) fn new(files: &'a dyn Files, parts: usize) -> Self {
        Self { files, alone: parts == 1, nodes: BTreeMap::new() }
    }

    /// Takes in one file's part of the patch.
    pub(super) fn take(&mut self, file: &FilePatch<'_>) -> Result<(), ToolError> {
        let old = file.old_path.as_deref().map(path).transpose()?;
        let new = file.new_path.as_deref().map(path).transpose()?;
        for path in old.iter().chain(&new) {
            self.refuse_links_above(file, path)?;
        }
        // A file that is moved to where it is, is changed in place.
        let stays = old == new;
        let target = new.as_ref().or(old.as_ref()).cloned();
        let Some(target) = target else { return Err(ToolError::failed("the patch names no file")) };
        let follow =
            file.operation == Operation::Modify && ![file.old_mode, file.new_mode].contains(&Some(SYMLINK));
        // git tells of every copy and rename as seen from the files before the patch.
        let from_before =
            file.form == PatchForm::Git && matches!(file.operation, Operation::Copy | Operation::Rename);
        let base = match (&old, file.operation) {
            (Some(old), operation) if operation != Operation::Create => {
                match self.base(old, follow, from_before)? {
                    Some(node) => Some(node),
                    None => return Err(refuse(file, old, "no such file")),
                }
            }
            _ => None,
        };
        if matches!(base, Some(Node::Linked { .. })) && !self.alone {
            return Err(refuse(file, &target, "is a symbolic link: name the file that it leads to"));
        }
        let must_be_free = match file.operation {
            Operation::Create => true,
            Operation::Rename | Operation::Copy => !stays,
            Operation::Delete | Operation::Modify => false,
        };
        if must_be_free && self.stands(&target)? {
            return Err(refuse(file, &target, "already exists, and a patch replaces nothing unasked"));
        }
        let (bytes, mode) = match &base {
            None => (&[][..], 0o644),
            Some(Node::File { content, mode }) => (content.as_slice(), *mode),
            Some(Node::Symlink { target }) => (target.as_slice(), SYMLINK),
            Some(Node::Linked { content }) => (content.as_slice(), 0),
        };
        let content = apply_file(bytes, file)
            .map_err(|e| ToolError::failed(format!("{}: {e}; nothing was changed", target.to_text())))?;
        let after = match base {
            Some(Node::Linked { .. }) => Some(Node::Linked { content }),
            _ => (file.operation != Operation::Delete).then(|| node(content, mode, file)),
        };
        if matches!(file.operation, Operation::Rename)
            && !stays
            && let Some(old) = old
        {
            self.set(old, None, false)?;
        }
        self.set(target, after, follow)
    }

    /// Every path that the patch names, in order, with what stood there and what shall.
    pub(super) fn finish(self) -> Vec<Outcome> {
        let all = self.nodes.into_iter();
        all.map(|(path, (before, after))| Outcome { path, before, after })
            .filter(|o| o.before != o.after)
            .collect()
    }

    fn set(&mut self, path: RelPath, node: Option<Node>, follow: bool) -> Result<(), ToolError> {
        let before = match self.nodes.remove(&path) {
            Some((before, _)) => before,
            None => self.load(&path, follow)?,
        };
        self.nodes.insert(path, (before, node));
        Ok(())
    }

    /// What a part of the patch is about: the file as it is after the parts so far, or as it was before them all.
    fn base(&self, path: &RelPath, follow: bool, from_before: bool) -> Result<Option<Node>, ToolError> {
        match self.nodes.get(path) {
            Some((before, _)) if from_before => Ok(before.clone()),
            Some((_, now)) => Ok(now.clone()),
            None => self.load(path, follow),
        }
    }

    /// Two spellings of one place would hide from each other what they do there: a path must be the real one.
    fn refuse_links_above(&self, file: &FilePatch<'_>, path: &RelPath) -> Result<(), ToolError> {
        let mut above = path.parent();
        while let Some(dir) = above {
            let link = match self.nodes.get(&dir) {
                Some((_, now)) => matches!(now, Some(Node::Symlink { .. } | Node::Linked { .. })),
                None if self.below_what_goes(&dir) => false,
                None => self.files.info(&dir)?.is_some_and(|info| info.kind == NodeKind::Symlink),
            };
            if link {
                let why = format!("{dir} is a symbolic link: name the path that it leads to");
                return Err(refuse(file, path, &why));
            }
            above = dir.parent();
        }
        Ok(())
    }

    /// Whether anything at all stands there, a directory included.
    fn stands(&self, path: &RelPath) -> Result<bool, ToolError> {
        match self.nodes.get(path) {
            Some((_, now)) => Ok(now.is_some()),
            None => Ok(!self.below_what_goes(path) && self.files.info(path)?.is_some()),
        }
    }

    fn load(&self, path: &RelPath, follow: bool) -> Result<Option<Node>, ToolError> {
        if self.below_what_goes(path) { Ok(None) } else { load(self.files, path, follow) }
    }

    /// Whether something above the path is a file that the patch removes: then nothing can stand below it yet.
    fn below_what_goes(&self, path: &RelPath) -> bool {
        let mut above = path.parent();
        while let Some(dir) = above {
            if matches!(self.nodes.get(&dir), Some((Some(_), None))) {
                return true;
            }
            above = dir.parent();
        }
        false
    }
}

fn node(content: Vec<u8>, mode: u32, file: &FilePatch<'_>) -> Node {
    match file.new_mode {
        Some(SYMLINK) => Node::Symlink { target: content },
        None if mode == SYMLINK => Node::Symlink { target: content },
        Some(EXECUTABLE) if mode & 0o111 == 0 => Node::File { content, mode: 0o755 },
        Some(EXECUTABLE) | None => Node::File { content, mode },
        // git's plain file: an executable that is to be one no more loses that, and keeps the rest of its mode.
        Some(_) if mode == SYMLINK => Node::File { content, mode: 0o644 },
        Some(_) => Node::File { content, mode: mode & !0o111 },
    }
}

fn load(files: &dyn Files, path: &RelPath, follow: bool) -> Result<Option<Node>, ToolError> {
    let limit = EDIT_RESULT_LIMIT as u64;
    let Some(info) = files.info(path)? else { return Ok(None) };
    let whole = |size: u64| {
        let content = files.read(path, 0, limit + 1)?;
        if size > limit || content.len() as u64 > limit {
            return Err(ToolError::failed(format!("{path}: has more than {limit} bytes: use shell")));
        }
        Ok(content)
    };
    match info.kind {
        NodeKind::Symlink if follow => Ok(Some(Node::Linked { content: whole(0)? })),
        NodeKind::Symlink => Ok(Some(Node::Symlink { target: files.read_link(path)? })),
        NodeKind::File => Ok(Some(Node::File { content: whole(info.size)?, mode: info.mode })),
        NodeKind::Directory => wrong(path, "directory"),
        NodeKind::Special => wrong(path, "special node"),
    }
}

fn wrong(path: &RelPath, found: &'static str) -> Result<Option<Node>, ToolError> {
    Err(FileError::WrongKind { path: path.clone(), found, needed: "file" }.into())
}

/// A name of the patch as a path of the project; `./` in front is forgiven, what leads out is not.
fn path(name: &[u8]) -> Result<RelPath, ToolError> {
    let kept: Vec<&[u8]> = name.split(|b| *b == b'/').filter(|c| *c != b".").collect();
    let bytes = if name.starts_with(b"./") { Cow::Owned(kept.join(&b'/')) } else { Cow::Borrowed(name) };
    RelPath::from_bytes(bytes.into_owned())
        .map_err(|e| ToolError::failed(format!("{}: {e}", String::from_utf8_lossy(name))))
}

fn refuse(file: &FilePatch<'_>, path: &RelPath, why: &str) -> ToolError {
    ToolError::failed(format!("{path} (line {} of the patch): {why}; nothing was changed", file.line))
}
