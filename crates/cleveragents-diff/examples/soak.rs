//! The laws of the tests on as many random cases as you like.
//!
//! `cargo run --release -p cleveragents-diff --example soak -- COUNT SEED`
//!
//! Half of the cases are pairs of contents: our diff, parsed and applied, must give the same bytes. The other half are
//! patches that were damaged: they must be refused or applied, and never panic. Each line of the output is one thread.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a check that cannot go on fails")]

#[path = "../tests/it/damage.rs"]
mod damage;
#[path = "../tests/it/random.rs"]
mod random;

use std::time::Instant;

use cleveragents_diff::{FileChange, Patch, Side, UnifiedDiff, apply_file};

use damage::{damage, valid};
use random::{Random, edited, joined, lines, pair};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap());
    let count = arguments.next().unwrap_or(1_000_000);
    let seed = arguments.next().unwrap_or(1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let begun = Instant::now();
    let workers: Vec<_> = (0..threads)
        .map(|thread| {
            std::thread::spawn(move || {
                let mut random = Random::new(seed * 1000 + thread);
                let (mut pairs, mut damaged, mut read, mut applied) = (0u64, 0u64, 0u64, 0u64);
                for case in 0..count.div_ceil(threads) {
                    if case % 2 == 0 {
                        pairs += 1;
                        reproduce(&mut random);
                    } else {
                        damaged += 1;
                        let found = survive(&mut random);
                        read += u64::from(found.0);
                        applied += u64::from(found.1);
                    }
                }
                println!("{pairs} pairs the same, {damaged} damaged patches: {read} read, {applied} applied");
                pairs + damaged
            })
        })
        .collect();
    let all: u64 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    let seconds = begun.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate to look at")]
    let rate = all as f64 / seconds;
    println!("{all} cases in {seconds:.1} s, {rate:.0} a second on {threads} threads");
}

fn reproduce(random: &mut Random) {
    let (before, after) = if random.one_in(50) {
        let before = lines(random, 400);
        let after = edited(random, &before, 20);
        (joined(random, &before), joined(random, &after))
    } else {
        pair(random, 24)
    };
    let mut patch = Vec::new();
    let change = FileChange {
        path: b"x",
        before: Some(Side::file(0o644, &before)),
        after: Some(Side::file(0o644, &after)),
    };
    UnifiedDiff::new().append(&change, &mut patch);
    if before == after {
        assert!(patch.is_empty());
        return;
    }
    let result = Patch::parse(&patch).map(|parsed| apply_file(&before, &parsed.files[0]));
    assert!(result == Ok(Ok(after)), "{}", patch.escape_ascii());
}

/// Whether the damaged patch could be read, and applied.
fn survive(random: &mut Random) -> (bool, bool) {
    let (before, after) = pair(random, 12);
    let mut patch = valid(random, &before, &after);
    for _ in 0..=random.below(4) {
        damage(random, &mut patch);
    }
    let Ok(read) = Patch::parse(&patch) else { return (false, false) };
    let applied = read.files.iter().filter(|file| apply_file(&before, file).is_ok()).count();
    (true, applied > 0)
}
