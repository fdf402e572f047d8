//! Twice the input takes about twice the time, also where line diffs are known to be quadratic.

use std::time::{Duration, Instant};

use cleveragents_diff::line_counts;

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

/// Quadratic growth would be a factor of sixteen from one size to four times that size.
fn stays_linear(name: &str, pair: impl Fn(u64) -> (Vec<u8>, Vec<u8>)) {
    let best = |count| {
        let (before, after) = pair(count);
        (0..2).map(|_| time(&before, &after)).min().unwrap()
    };
    let (small, large) = (best(16_384), best(65_536));
    assert!(
        large < small * 9 + Duration::from_millis(50),
        "{name}: {small:?}, then {large:?} for four times as much"
    );
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
