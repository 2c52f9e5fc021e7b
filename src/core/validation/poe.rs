//! Proofs of existence: EN 319 102-1 §5.6.2.3.
//!
//! Answers since when a token is known to have existed. Every token exists at the validation time; a time-stamp
//! or evidence record that passed its validation proves the existence of all that it covers at its own time.
//! Whether it passed is settled before.

use super::verdict::ProofOfExistence;
use crate::facts::{CoveredKind, EvidenceRecord, Id, MatcherType, Timestamp, TimestampType};
use crate::time::Time;
use std::cmp::Ordering;
use std::collections::HashMap;

/// One proof of existence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Poe<'a> {
    /// The token existed then.
    pub time: Time,
    provider: Option<Provider<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Provider<'a> {
    Timestamp(&'a Timestamp),
    EvidenceRecord(&'a EvidenceRecord),
}

impl<'a> Poe<'a> {
    /// Proves existence at the validation time, which nobody need prove.
    pub fn now(time: Time) -> Self {
        Self { time, provider: None }
    }

    /// Proves existence at the time of a time-stamp.
    pub fn of_timestamp(timestamp: &'a Timestamp) -> Self {
        Self { time: timestamp.production_time, provider: Some(Provider::Timestamp(timestamp)) }
    }

    /// Proves existence at the time of an evidence record: that of its first time-stamp.
    fn of_evidence_record(record: &'a EvidenceRecord, first: &Timestamp) -> Self {
        Self { time: first.production_time, provider: Some(Provider::EvidenceRecord(record)) }
    }

    /// Returns whether that time-stamp proves it.
    fn is_of(&self, timestamp: &Timestamp) -> bool {
        matches!(self.provider, Some(Provider::Timestamp(provider)) if std::ptr::eq(provider, timestamp))
    }

    /// Returns the proof as reports state it.
    pub fn proof(&self) -> ProofOfExistence {
        let provider = self.provider.map(|provider| match provider {
            Provider::Timestamp(timestamp) => timestamp.id.clone(),
            Provider::EvidenceRecord(record) => record.id.clone(),
        });
        ProofOfExistence { time: self.time, provider }
    }

    /// Orders two proofs, the lower first: the earlier one; at the same time one that is proven before one that is not,
    /// then the one that stands first in the life of a signature, then the one that covers less.
    pub fn order(&self, other: &Self) -> Ordering {
        self.time.cmp(&other.time).then_with(|| self.rank().cmp(&other.rank()))
    }

    fn rank(&self) -> (bool, u8, usize) {
        match self.provider {
            None => (true, 0, 0),
            Some(Provider::Timestamp(timestamp)) => (false, order_class(timestamp.kind), timestamp.covered.len()),
            Some(Provider::EvidenceRecord(record)) => {
                (false, order_class(TimestampType::EvidenceRecord), record.covered.len())
            }
        }
    }
}

/// Returns where a kind of time-stamp stands in the life of a signature: content before the signature, then the
/// signature's own, then those of validation data, then those of archives.
pub(super) fn order_class(kind: TimestampType) -> u8 {
    match kind {
        TimestampType::Content | TimestampType::AllDataObjects | TimestampType::IndividualDataObjects => 0,
        TimestampType::Signature | TimestampType::Vri => 1,
        TimestampType::ValidationDataRefsOnly | TimestampType::ValidationData => 2,
        TimestampType::Archive | TimestampType::Container | TimestampType::Document | TimestampType::EvidenceRecord => {
            3
        }
    }
}

/// Returns whether a time-stamp was made before the signature, over what is signed.
pub(super) fn is_content(kind: TimestampType) -> bool {
    order_class(kind) == 0
}

/// Returns whether a time-stamp covers that object.
pub(super) fn covers(timestamp: &Timestamp, kind: CoveredKind, id: &Id) -> bool {
    timestamp.covered.iter().any(|object| object.kind == kind && object.id == *id)
}

/// All proofs of existence known so far.
#[derive(Debug)]
pub(super) struct PoeStore<'a> {
    now: Time,
    /// By token, latest first: time-stamps are judged newest first, so that a new proof goes to the end.
    proofs: HashMap<&'a Id, Vec<Poe<'a>>>,
}

impl<'a> PoeStore<'a> {
    /// Returns the store in which every token exists at the validation time, and nothing more is known.
    pub fn new(now: Time) -> Self {
        Self { now, proofs: HashMap::new() }
    }

    /// Adds a proof of the token's existence.
    pub fn add(&mut self, token: &'a Id, poe: Poe<'a>) {
        let proofs = self.proofs.entry(token).or_default();
        let place = proofs.partition_point(|known| known.order(&poe).is_gt());
        proofs.insert(place, poe);
    }

    /// Extracts proofs from a time-stamp that passed: all that it covers existed at its time, if its imprint is that of
    /// data that is there.
    pub fn extract_timestamp(&mut self, timestamp: &'a Timestamp) {
        if imprint_is_intact(timestamp) {
            let poe = Poe::of_timestamp(timestamp);
            for object in &timestamp.covered {
                self.add(&object.id, poe);
            }
        }
    }

    /// Extracts proofs from an evidence record that passed: all that it covers existed at the time of its first
    /// time-stamp.
    pub fn extract_evidence_record(&mut self, record: &'a EvidenceRecord, first: &'a Timestamp) {
        let poe = Poe::of_evidence_record(record, first);
        for object in &record.covered {
            self.add(&object.id, poe);
        }
    }

    /// Takes back what was extracted from a time-stamp.
    pub fn retract_timestamp(&mut self, timestamp: &'a Timestamp) {
        let poe = Poe::of_timestamp(timestamp);
        for object in &timestamp.covered {
            let Some(proofs) = self.proofs.get_mut(&object.id) else { continue };
            let first = proofs.partition_point(|known| known.order(&poe).is_gt());
            let place = proofs[first..].iter().position(|known| known.is_of(timestamp));
            if let Some(place) = place {
                proofs.remove(first + place);
            }
        }
    }

    /// Returns the lowest proof of existence of a token.
    pub fn lowest(&self, token: &Id) -> Poe<'a> {
        let now = Poe::now(self.now);
        match self.proofs.get(token).and_then(|proofs| proofs.last()) {
            Some(proven) if proven.order(&now).is_le() => *proven,
            _ => now,
        }
    }

    /// Returns the tokens whose existence something proves, each with its lowest proof.
    pub fn proven(&self) -> impl Iterator<Item = (&'a Id, Poe<'a>)> {
        let lowest = self.proofs.keys().map(|token| (*token, self.lowest(token)));
        lowest.filter(|(_, poe)| poe.provider.is_some())
    }

    /// Returns whether the token is known to exist at `time` or before.
    pub fn exists(&self, token: &Id, time: Time) -> bool {
        self.lowest(token).time <= time
    }

    /// Returns whether some proof of the token's existence lies within `from` and `to`.
    pub fn exists_within(&self, token: &Id, from: Time, to: Time) -> bool {
        (from <= self.now && self.now <= to)
            || self.proofs.get(token).is_some_and(|proofs| {
                let latest = proofs.partition_point(|known| known.time > to);
                proofs.get(latest).is_some_and(|known| known.time >= from)
            })
    }
}

/// Returns whether the data of a time-stamp's imprint was found, and has the digest that the imprint states.
pub(super) fn imprint_is_intact(timestamp: &Timestamp) -> bool {
    timestamp
        .digest_matchers
        .iter()
        .find(|matcher| matcher.kind == MatcherType::MessageImprint)
        .is_some_and(|imprint| imprint.data_found && imprint.data_intact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Covered, CoveredKind, DigestMatcher};

    fn at(seconds: i64) -> Time {
        Time::from_seconds(seconds)
    }

    fn timestamp(id: &str, kind: TimestampType, seconds: i64, intact: bool) -> Timestamp {
        let imprint = DigestMatcher {
            data_found: true,
            data_intact: intact,
            ..DigestMatcher::missing(MatcherType::MessageImprint)
        };
        Timestamp {
            covered: vec![Covered { kind: CoveredKind::Signature, id: Id::new("S") }],
            digest_matchers: vec![imprint.into()],
            ..Timestamp::new(Id::new(id), kind, at(seconds))
        }
    }

    #[test]
    fn extraction() {
        let signature = Id::new("S");
        let rows: &[(&str, &str, &[(i64, bool)], i64)] = &[
            ("5.6.2.3", "nothing proves anything: it exists now", &[], 100),
            ("5.6.2.3", "a time-stamp proves existence at its time", &[(50, true)], 50),
            (
                "5.6.2.3",
                "the earliest counts, whatever the order",
                &[(50, true), (70, true), (20, true), (30, true)],
                20,
            ),
            ("5.6.2.3", "one whose imprint is not that of the data proves nothing", &[(50, true), (20, false)], 50),
            ("5.6.2.3", "one after the validation time does not make it later", &[(200, true)], 100),
        ];
        for (clause, situation, timestamps, lowest) in rows {
            let all: Vec<_> = timestamps
                .iter()
                .map(|(time, intact)| timestamp("T", TimestampType::Archive, *time, *intact))
                .collect();
            let mut store = PoeStore::new(at(100));
            all.iter().for_each(|timestamp| store.extract_timestamp(timestamp));
            assert_eq!(store.lowest(&signature).time, at(*lowest), "{clause} {situation}");
            assert!(store.exists(&signature, at(*lowest)), "{clause} {situation}");
            assert!(!store.exists(&signature, at(lowest - 1)), "{clause} {situation}");
        }
    }

    #[test]
    fn existence_within_a_period() {
        let (a, b) =
            (timestamp("A", TimestampType::Archive, 20, true), timestamp("B", TimestampType::Archive, 50, true));
        let mut store = PoeStore::new(at(100));
        store.extract_timestamp(&b);
        store.extract_timestamp(&a);
        for (from, to, within) in [
            (0, 19, false),
            (0, 20, true),
            (20, 20, true),
            (21, 49, false),
            (30, 60, true),
            (51, 99, false),
            (51, 100, true),
        ] {
            assert_eq!(store.exists_within(&Id::new("S"), at(from), at(to)), within, "{from} to {to}");
        }
    }

    #[test]
    fn order_at_the_same_time() {
        let signature = timestamp("S", TimestampType::Signature, 100, true);
        let archive = timestamp("A", TimestampType::Archive, 100, true);
        let (now, own, later) = (Poe::now(at(100)), Poe::of_timestamp(&signature), Poe::of_timestamp(&archive));
        assert!(own.order(&now).is_lt(), "proven before not proven");
        assert!(own.order(&later).is_lt(), "the signature's own before the archive's");
    }
}
