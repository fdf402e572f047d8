//! Twice the input takes about twice the time, also where line diffs are known to be quadratic.

use std::time::{Duration, Instant};

use cleveragents_diff::{FileChange, Patch, Side, UnifiedDiff, apply_file, line_counts, merge};

/// A small generator of numbers that look random and are the same every time.
fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}

fn text(lines: impl Iterator<Item = u64>) -> Vec<u8> {
    lines.flat_map(|line| format!("line {line}\n").into_bytes()).collect()
}

fn time(before: &[u8], after: &[u8]) -> Duration {
    let start = Instant::now();
    let counts = line_counts(before, after);
    assert!(counts.added > 0 && counts.removed > 0);
    start.elapsed()
}

/// Quadratic growth would be a factor of sixteen from one size to four times that size. Whatever else the machine has to
/// do may spoil a measurement, so there are a few.
fn grows_linearly(name: &str, sizes: (u64, u64), measure: impl Fn(u64) -> Duration) {
    let mut seen = Vec::new();
    for _ in 0..4 {
        let best = |count| (0..2).map(|_| measure(count)).min().unwrap();
        let (small, large) = (best(sizes.0), best(sizes.1));
        if large < small * 9 + Duration::from_millis(50) {
            return;
        }
        seen.push((small, large));
    }
    panic!("{name}, for one size and for four times as much: {seen:?}");
}

fn stays_linear(name: &str, pair: impl Fn(u64) -> (Vec<u8>, Vec<u8>)) {
    grows_linearly(name, (16_384, 65_536), |count| {
        let (before, after) = pair(count);
        time(&before, &after)
    });
}

fn patch(before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut patch = Vec::new();
    let change = FileChange {
        path: b"x",
        before: Some(Side::file(0o644, before)),
        after: Some(Side::file(0o644, after)),
    };
    UnifiedDiff::new().append(&change, &mut patch);
    patch
}

/// A text and the same text with every eighth line changed.
fn dotted(count: u64) -> (Vec<u8>, Vec<u8>) {
    (text(0..count), text((0..count).map(|line| if line % 8 == 0 { line + count } else { line })))
}

#[test]
fn reading_a_patch() {
    grows_linearly("parse", (65_536, 262_144), |count| {
        let (before, after) = dotted(count);
        let patch = patch(&before, &after);
        let start = Instant::now();
        assert!(!Patch::parse(&patch).unwrap().files[0].hunks.is_empty());
        start.elapsed()
    });
}

#[test]
fn applying_a_patch() {
    for moved in ["", "a line in front\n"] {
        grows_linearly("apply", (32_768, 131_072), |count| {
            let (before, after) = dotted(count);
            let patch = patch(&before, &after);
            let patch = Patch::parse(&patch).unwrap();
            let (before, after) = ([moved.as_bytes(), &before].concat(), [moved.as_bytes(), &after].concat());
            let start = Instant::now();
            let result = apply_file(&before, &patch.files[0]).unwrap();
            let taken = start.elapsed();
            assert!(result == after);
            taken
        });
    }
}

/// A changed text of so many lines, from a seed.
type Changed<'a> = &'a dyn Fn(u64, u64) -> Vec<u8>;

#[test]
fn merging() {
    let shuffled = |count: u64, seed| {
        let mut next = numbers(seed);
        let mut lines: Vec<u64> = (0..count).collect();
        for last in (1..lines.len()).rev() {
            lines.swap(last, usize::try_from(next(last as u64 + 1)).unwrap());
        }
        text(lines.into_iter())
    };
    let few = |count: u64, seed| {
        let mut next = numbers(seed);
        text((0..count).map(|_| next(50)).collect::<Vec<_>>().into_iter())
    };
    let sides: [(&str, Changed<'_>); 3] =
        [("dotted", &|count, _| dotted(count).1), ("shuffled", &shuffled), ("few distinct", &few)];
    for (name, side) in sides {
        grows_linearly(name, (8_192, 32_768), |count| {
            let (base, ours, theirs) = (text(0..count), side(count, 3), side(count, 4));
            let start = Instant::now();
            assert!(!merge(&base, &ours, &theirs).regions.is_empty());
            start.elapsed()
        });
    }
}

#[test]
fn shuffled_lines() {
    stays_linear("shuffled", |count| {
        let mut next = numbers(1);
        let mut lines: Vec<u64> = (0..count).collect();
        for last in (1..lines.len()).rev() {
            lines.swap(last, usize::try_from(next(last as u64 + 1)).unwrap());
        }
        (text(0..count), text(lines.into_iter()))
    });
}

#[test]
fn every_second_line_changed() {
    stays_linear("every second", |count| {
        (text(0..count), text((0..count).map(|line| if line % 2 == 0 { line } else { line + count })))
    });
}

#[test]
fn few_distinct_lines() {
    stays_linear("few distinct", |count| {
        let mut next = numbers(2);
        let mut side = || text((0..count).map(|_| next(50)).collect::<Vec<_>>().into_iter());
        (side(), side())
    });
}
