//! Time grows no worse than n·log n with the number of time-stamps, each of which covers all before it.

use lacre::facts::{
    Covered, CoveredKind, Digest, DigestMatcher, Facts, Id, MatcherType, Signature, Timestamp, TimestampType,
};
use lacre::policy::Policy;
use lacre::time::Time;
use lacre::validation::validate;
use std::time::{Duration, Instant};

fn facts(count: usize) -> Facts {
    let id = |n: usize| Id::new(format!("T-{n:064}"));
    let imprint = DigestMatcher {
        kind: MatcherType::MessageImprint,
        digest: Digest::default(),
        data_found: true,
        data_intact: true,
        id: None,
        uri: None,
        document_name: None,
        object_references: vec![],
        duplicated: false,
    };
    let signature = Covered { kind: CoveredKind::Signature, id: Id::new("S") };
    let timestamps: Vec<Timestamp> = (0..count)
        .map(|n| Timestamp {
            covered: std::iter::once(signature.clone())
                .chain((0..n).map(|before| Covered { kind: CoveredKind::Timestamp, id: id(before) }))
                .collect(),
            digest_matchers: vec![imprint.clone()],
            ..Timestamp::new(id(n), TimestampType::Archive, Time::from_seconds(n as i64))
        })
        .collect();
    Facts {
        signatures: vec![Signature {
            id: Id::new("S"),
            found_timestamps: timestamps.iter().map(|timestamp| timestamp.id.clone()).collect(),
            ..Signature::default()
        }],
        timestamps,
        ..Facts::default()
    }
}

fn judged(count: usize) -> Duration {
    let facts = facts(count);
    let start = Instant::now();
    let verdicts = validate(&facts, &Policy::eidas(), Time::from_seconds(10_000));
    assert_eq!(verdicts.timestamps.len(), count);
    start.elapsed()
}

/// The objects covered grow with the square of the count; 2,000 time-stamps cover two million. Nothing may be looked
/// at more than a few times: the limit is for an unoptimised build on a busy machine, and a cubic step would take hours.
#[test]
fn two_thousand_time_stamps() {
    let took = judged(2_000);
    eprintln!("2,000 time-stamps: {took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}
