//! The time that judging takes grows with the number of tokens, not with its square.

#[path = "common/many.rs"]
mod many;

use lacre::facts::Facts;
use lacre::policy::Policy;
use lacre::validation::validate;
use std::time::{Duration, Instant};

/// The quickest of three runs.
fn judged(facts: &Facts, policy: &Policy) -> Duration {
    let run = |_| {
        let start = Instant::now();
        std::hint::black_box(validate(facts, policy, many::now()));
        start.elapsed()
    };
    (0..3).map(run).min().unwrap_or_default()
}

#[test]
fn four_times_the_tokens_take_no_sixteen_times_the_time() {
    let policy = Policy::eidas();
    for (what, make) in [
        ("time-stamps", many::timestamps as fn(usize) -> Facts),
        ("certificates", many::certificates as fn(usize) -> Facts),
    ] {
        let (few, many) = (judged(&make(500), &policy), judged(&make(2_000), &policy));
        eprintln!("500 {what}: {few:?}, 2,000: {many:?}");
        // Quadratic growth would be 16 times; other work on the machine blurs the smallest.
        assert!(many < few * 10 + Duration::from_millis(50), "500 {what}: {few:?}, 2,000: {many:?}");
    }
}
