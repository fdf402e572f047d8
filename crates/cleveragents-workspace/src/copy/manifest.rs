//! The base as it was copied, in one file that shows when it is torn.

use std::io::{self, Read};

use cleveragents_runtime::domain::{Digest, NodeKind, NodeState};

use super::pack::Slot;
use crate::beneath::{Root, Stamp, io_error, open_plain};

const HEAD: &[u8] = b"cleveragents base manifest 0\n";
const TRAILER: usize = 32;
const NAME: &str = "manifest";

/// One node of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseNode {
    pub(crate) path: Vec<u8>,
    pub(crate) state: NodeState,
    /// The copy's metadata when the copy was complete.
    pub(crate) stamp: Stamp,
    /// The copy may have changed since without a trace in its metadata.
    pub(crate) racy: bool,
    /// Where its content is; special nodes and directories have none.
    pub(crate) slot: Option<Slot>,
}

/// The whole base.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Manifest {
    /// Bytes in each pack.
    pub(crate) packs: Vec<u64>,
    /// Every node, in no particular order.
    pub(crate) nodes: Vec<BaseNode>,
}

impl Manifest {
    /// Writes it into the directory of the base, its hash last.
    pub(crate) fn save(&self, base: &Root) -> io::Result<()> {
        let mut bytes = HEAD.to_vec();
        put(&mut bytes, self.packs.len() as u64);
        for len in &self.packs {
            put(&mut bytes, *len);
        }
        put(&mut bytes, self.nodes.len() as u64);
        for node in &self.nodes {
            encode(&mut bytes, node);
        }
        let digest = Digest::of(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        let mut file = super::pack::create(base, NAME)?;
        io::Write::write_all(&mut file, &bytes)
    }

    /// Reads it; a torn or changed file is an error in words.
    pub(crate) fn load(base: &Root) -> io::Result<Self> {
        let torn = || io_error(io::ErrorKind::InvalidData, "the base manifest is torn or was changed");
        let mut bytes = Vec::new();
        open_plain(base, NAME.as_bytes())?.read_to_end(&mut bytes)?;
        let (body, digest) = bytes.split_at_checked(bytes.len().saturating_sub(TRAILER)).ok_or_else(torn)?;
        if Digest::of(body).as_bytes() != digest {
            return Err(torn());
        }
        let mut rest = body.strip_prefix(HEAD).ok_or_else(torn)?;
        decode(&mut rest).ok_or_else(torn)
    }
}

fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn encode(bytes: &mut Vec<u8>, node: &BaseNode) {
    put(bytes, node.path.len() as u64);
    bytes.extend_from_slice(&node.path);
    let kind = match node.state.kind {
        NodeKind::File => 0,
        NodeKind::Symlink => 1,
        NodeKind::Directory => 2,
        NodeKind::Special => 3,
    };
    bytes.extend_from_slice(&[kind, u8::from(node.racy), u8::from(node.slot.is_some())]);
    put(bytes, u64::from(node.state.mode));
    put(bytes, node.state.size);
    for number in
        [node.stamp.ino, node.stamp.size, node.stamp.mtime.cast_unsigned(), node.stamp.ctime.cast_unsigned()]
    {
        put(bytes, number);
    }
    if let (Some(slot), Some(content)) = (node.slot, node.state.content) {
        bytes.extend_from_slice(content.as_bytes());
        put(bytes, u64::from(slot.pack));
        put(bytes, slot.offset);
        put(bytes, slot.len);
    }
}

fn decode(rest: &mut &[u8]) -> Option<Manifest> {
    let mut manifest = Manifest::default();
    for _ in 0..number(rest)? {
        manifest.packs.push(number(rest)?);
    }
    for _ in 0..number(rest)? {
        let len = usize::try_from(number(rest)?).ok()?;
        let path = take(rest, len)?.to_vec();
        let &[kind, racy, content] = take(rest, 3)? else { return None };
        let kind = *[NodeKind::File, NodeKind::Symlink, NodeKind::Directory, NodeKind::Special]
            .get(usize::from(kind))?;
        let mode = u32::try_from(number(rest)?).ok()?;
        let size = number(rest)?;
        let stamp = Stamp {
            ino: number(rest)?,
            size: number(rest)?,
            mtime: number(rest)?.cast_signed(),
            ctime: number(rest)?.cast_signed(),
        };
        let mut node = BaseNode {
            path,
            state: NodeState { kind, mode, size, content: None },
            stamp,
            racy: racy != 0,
            slot: None,
        };
        if content != 0 {
            node.state.content = Some(Digest::from_bytes(take(rest, 32)?.try_into().ok()?));
            let pack = u32::try_from(number(rest)?).ok()?;
            node.slot = Some(Slot { pack, offset: number(rest)?, len: number(rest)? });
        }
        manifest.nodes.push(node);
    }
    rest.is_empty().then_some(manifest)
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(len)?;
    *rest = tail;
    Some(head)
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?))
}
