//! Patches, damaged.

use cleveragents_diff::{FileChange, Side, UnifiedDiff};

use crate::random::Random;

const PIECES: [&[u8]; 24] = [
    b"\n",
    b"@@ -1,3 +1,3 @@\n",
    b"@@ -0,0 +1 @@\n",
    b"@@ -4294967295,4294967295 +4294967295,4294967295 @@\n",
    b"@@\n",
    b"@@ x\n",
    b"--- a/x\n",
    b"+++ b/x\n",
    b"--- /dev/null\n",
    b"diff --git a/x b/x\n",
    b"diff --git \"a/\\303\n",
    b"rename from x\n",
    b"rename to y\n",
    b"new file mode 100644\n",
    b"deleted file mode 100644\n",
    b"GIT binary patch\nliteral 9\n",
    b"Binary files a/x and b/x differ\n",
    b"\\ No newline at end of file\n",
    b"*** Begin Patch\n",
    b"*** Update File: x\n",
    b"*** Add File: x\n",
    b"*** End of File\n",
    b"*** End Patch\n",
    b"-- \n2.47\n",
];

/// A valid patch in one of the three forms.
pub(crate) fn valid(random: &mut Random, before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut patch = Vec::new();
    let change = FileChange {
        path: b"x",
        before: (!random.one_in(8)).then(|| Side::file(0o644, before)),
        after: (!random.one_in(8)).then(|| Side::file(0o755, after)),
    };
    UnifiedDiff::new().append(&change, &mut patch);
    let at = |start: &[u8]| patch.windows(start.len()).position(|window| window == start);
    match (random.below(3), at(b"\n--- "), at(b"\n@@ ")) {
        (0, Some(names), _) => patch[names + 1..].to_vec(),
        (1, _, Some(hunk)) => {
            [&b"*** Begin Patch\n*** Update File: x\n@@\n"[..], &patch[hunk + 1..], b"*** End Patch\n"]
                .concat()
        }
        _ => patch,
    }
}

/// Cuts, repeats, inserts or changes something.
pub(crate) fn damage(random: &mut Random, patch: &mut Vec<u8>) {
    let at = random.below(patch.len() + 1);
    let end = (at + random.below(40)).min(patch.len());
    match random.below(7) {
        0 => patch.truncate(at),
        1 => drop(patch.drain(at..end)),
        2 => patch.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied()).for_each(drop),
        3 => {
            let again = patch[at..end].to_vec();
            patch.splice(at..at, again).for_each(drop);
        }
        4 => {
            let start = patch[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            patch.splice(start..start, PIECES[random.below(PIECES.len())].iter().copied()).for_each(drop);
        }
        5 => patch
            .iter_mut()
            .skip(at)
            .filter(|byte| byte.is_ascii_digit())
            .take(1)
            .for_each(|byte| *byte = b'9'),
        _ => patch
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|byte| *byte = u8::try_from(random.below(256)).unwrap()),
    }
}
