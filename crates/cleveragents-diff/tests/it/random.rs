//! Random contents that are the same every time.

/// A small generator of numbers that look random.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Near seeds would begin with near numbers.
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from((self.next() >> 11) % limit as u64).unwrap()
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

const ODD: [&[u8]; 22] = [
    b"-- old",
    b"++ new",
    b"-- a/x",
    b"++ b/x",
    b"@@ -1 +1 @@",
    b"diff --git a/x b/x",
    b"\\ No newline at end of file",
    b"*** End Patch",
    b"*** Update File: x",
    b"\xef\xbb\xbfx = 1",
    b"lone\rreturn",
    b"\r",
    b"caf\xe9",
    b"\xff\xfe\x80",
    b" ",
    b"\t",
    b"# mode 0644 x",
    b"}",
    b"    {",
    b"-- ",
    b"1.2.3",
    b"Index: x",
];

/// A line without its end.
fn text(random: &mut Random, alphabet: usize) -> Vec<u8> {
    match random.below(10) {
        0 => Vec::new(),
        1 => ODD[random.below(ODD.len())].to_vec(),
        2 => (0..random.below(9))
            .map(|_| u8::try_from(random.below(255) + 1).unwrap())
            .filter(|&byte| byte != b'\n')
            .collect(),
        _ => format!("{}", random.below(alphabet)).into_bytes(),
    }
}

fn line(random: &mut Random, alphabet: usize, returns: usize) -> Vec<u8> {
    let mut line = text(random, alphabet);
    line.extend_from_slice(if random.below(8) < returns { b"\r\n" } else { b"\n" });
    line
}

/// The lines of a content: `most` at the most, of a larger or smaller stock, with line ends of one sort or mixed.
pub(crate) fn lines(random: &mut Random, most: usize) -> Vec<Vec<u8>> {
    let count = random.below(most + 1);
    let alphabet = [3, 12, 200][random.below(3)];
    let returns = [0, 0, 0, 8, 4][random.below(5)];
    let mut lines: Vec<Vec<u8>> = (0..count).map(|_| line(random, alphabet, returns)).collect();
    if let Some(first) = lines.first_mut().filter(|_| random.one_in(10)) {
        first.splice(0..0, *b"\xef\xbb\xbf");
    }
    lines
}

/// Changes lines here and there.
pub(crate) fn edited(random: &mut Random, lines: &[Vec<u8>], most: usize) -> Vec<Vec<u8>> {
    let mut lines = lines.to_vec();
    let returns = if lines.iter().any(|line| line.ends_with(b"\r\n")) { 7 } else { 0 };
    for _ in 0..=random.below(most) {
        let start = random.below(lines.len() + 1);
        let stop = (start + random.below(4)).min(lines.len());
        let alphabet = [3, 12, 200][random.below(3)];
        let added: Vec<Vec<u8>> = (0..random.below(4)).map(|_| line(random, alphabet, returns)).collect();
        lines.splice(start..stop, added);
    }
    lines
}

/// The lines as one content; now and then the last one is cut short.
pub(crate) fn joined(random: &mut Random, lines: &[Vec<u8>]) -> Vec<u8> {
    let mut content = lines.concat();
    if random.one_in(4) && content.ends_with(b"\n") {
        content.pop();
    }
    content
}

/// Two contents, of which the second mostly came from the first.
pub(crate) fn pair(random: &mut Random, most: usize) -> (Vec<u8>, Vec<u8>) {
    let before = lines(random, most);
    let after = if random.one_in(8) { lines(random, most) } else { edited(random, &before, 4) };
    (joined(random, &before), joined(random, &after))
}
