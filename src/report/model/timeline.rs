//! The dates of a signature on one line: how long its certificates hold, what was issued when, and what is proven.

use super::Saying;
use super::known::{Known, name};
use crate::facts::{CertificateStatus, EvidenceRecord, Id, RevocationType, Signature, Timestamp};
use crate::report::messages::Phrase;
use crate::time::Time;
use crate::validation::SignatureVerdict;

/// How many certificates of a chain, and how many pieces of revocation data on each, have a line.
const CERTIFICATES: usize = 2;
const REVOCATIONS: usize = 2;

/// How many time-stamps have a line: the first ones.
const TIMESTAMPS: usize = 6;

/// Dates in the order in which they are drawn and told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeLine {
    /// From a date to a date.
    pub spans: Vec<Span>,
    /// At a date.
    pub events: Vec<Event>,
}

/// Something that lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// What.
    pub what: Saying,
    /// Its first moment.
    pub from: Time,
    /// Its last moment; `None` for a moment that is not stated.
    pub until: Option<Time>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub what: Saying,
    /// When.
    pub time: Time,
    /// Whether it is only claimed.
    pub claimed: bool,
}

impl Event {
    fn new(what: impl Into<Saying>, time: Time) -> Self {
        Self { what: what.into(), time, claimed: false }
    }
}

impl TimeLine {
    /// The first and the last date of the first span and of every event: later spans may reach beyond.
    pub fn range(&self) -> Option<(Time, Time)> {
        let own = self.spans.first();
        let own = own.into_iter().flat_map(|span| [Some(span.from), span.until]).flatten();
        let times: Vec<Time> = own.chain(self.events.iter().map(|event| event.time)).collect();
        Some((*times.iter().min()?, *times.iter().max()?))
    }
}

/// The dates of a signature.
pub(super) fn of_signature(known: &Known<'_>, facts: &Signature, verdict: &SignatureVerdict) -> TimeLine {
    let mut events = vec![];
    if let Some(time) = facts.claimed_signing_time {
        events.push(Event { claimed: true, ..Event::new(Phrase::EventClaimed, time) });
    }
    let best = verdict.best_signature_time();
    let timestamps = facts.found_timestamps.iter().filter_map(|id| known.timestamp(id));
    events.extend(timestamps.take(TIMESTAMPS).map(stamped));
    events.extend(facts.signing_certificate.as_ref().and_then(|id| revoked(known, id)));
    if best.provider.is_some() {
        events.push(Event::new(Phrase::EventProven, best.time));
    }
    finished(known, &facts.chain, events)
}

/// The dates of a time-stamp.
pub(super) fn of_timestamp(known: &Known<'_>, facts: &Timestamp) -> TimeLine {
    finished(known, &facts.chain, vec![stamped(facts)])
}

/// The dates of an evidence record: those of its time-stamps.
pub(super) fn of_record(known: &Known<'_>, facts: &EvidenceRecord) -> TimeLine {
    let timestamps: Vec<&Timestamp> = facts.timestamps.iter().filter_map(|id| known.timestamp(id)).collect();
    let chain = timestamps.first().map_or(&[][..], |timestamp| &timestamp.chain);
    finished(known, chain, timestamps.iter().take(TIMESTAMPS).map(|t| stamped(t)).collect())
}

/// With the time of the judgement, in the order of time, beside the certificates and their revocation data.
fn finished(known: &Known<'_>, chain: &[Id], mut events: Vec<Event>) -> TimeLine {
    events.push(Event::new(Phrase::EventJudged, known.report.verdicts.time));
    events.sort_by_key(|event| event.time);
    let mut spans = vec![];
    for certificate in chain.iter().filter_map(|id| known.certificate(id)).take(CERTIFICATES) {
        let what = |phrase| Saying::text(phrase).with("name", name(certificate));
        spans.push(Span {
            what: what(Phrase::SpanCertificate),
            from: certificate.not_before,
            until: Some(certificate.not_after),
        });
        let data = certificate.revocations.iter().filter_map(|r| known.revocation(&r.revocation)).take(REVOCATIONS);
        spans.extend(data.filter_map(|data| {
            let phrase = match data.kind {
                RevocationType::Crl => Phrase::SpanCrl,
                RevocationType::Ocsp => Phrase::SpanOcsp,
            };
            Some(Span { what: what(phrase), from: data.this_update?, until: data.next_update })
        }));
    }
    TimeLine { spans, events }
}

fn stamped(timestamp: &Timestamp) -> Event {
    Event::new(Saying::text(timestamp.kind), timestamp.production_time)
}

/// When the certificate was revoked, where its revocation data says so.
fn revoked(known: &Known<'_>, id: &Id) -> Option<Event> {
    let revocations = &known.certificate(id)?.revocations;
    let revoked = revocations.iter().filter(|r| r.status == CertificateStatus::Revoked);
    let time = revoked.filter_map(|r| r.revocation_date).min()?;
    Some(Event::new(Phrase::EventRevoked, time))
}
