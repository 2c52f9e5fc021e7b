//! The dates of a signature on one line: how long its certificates hold, what was issued when, and what is proven.

use super::LocalizedText;
use crate::facts::{CertificateStatus, RevocationType};
use crate::report::Report;
use crate::report::messages::MessageId;
use crate::report::view::{CertificateView, EvidenceRecordView, SignatureView, TimestampView};
use crate::time::Time;

/// The number of certificates of a chain, and of pieces of revocation data on each, that have a line.
const CERTIFICATES: usize = 2;
const REVOCATIONS: usize = 2;

/// The number of time-stamps that have a line: the first ones.
const TIMESTAMPS: usize = 6;

/// Dates in the order in which they are drawn and listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeLine {
    /// What lasts from a date to a date.
    pub spans: Vec<Span>,
    /// What happened at a date.
    pub events: Vec<Event>,
}

/// Something that lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its name.
    pub what: LocalizedText,
    /// Its first moment.
    pub from: Time,
    /// Its last moment; `None` for a moment that is not stated.
    pub until: Option<Time>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub what: LocalizedText,
    /// Its date.
    pub time: Time,
    /// Whether it is only claimed.
    pub claimed: bool,
}

impl Event {
    fn new(what: impl Into<LocalizedText>, time: Time) -> Self {
        Self { what: what.into(), time, claimed: false }
    }
}

impl TimeLine {
    /// Returns the first and the last date of the first span and of every event; later spans may reach beyond.
    pub fn range(&self) -> Option<(Time, Time)> {
        let own = self.spans.first();
        let own = own.into_iter().flat_map(|span| [Some(span.from), span.until]).flatten();
        let times: Vec<Time> = own.chain(self.events.iter().map(|event| event.time)).collect();
        Some((*times.iter().min()?, *times.iter().max()?))
    }
}

/// Returns the dates of a signature.
pub(super) fn of_signature(report: &Report, signature: SignatureView<'_>) -> TimeLine {
    let mut events = vec![];
    if let Some(time) = signature.claimed_signing_time() {
        events.push(Event { claimed: true, ..Event::new(MessageId::EventClaimed, time) });
    }
    let best = signature.best_signature_time();
    events.extend(signature.timestamps().take(TIMESTAMPS).map(stamped));
    events.extend(signature.signer().and_then(revoked));
    if best.provider.is_some() {
        events.push(Event::new(MessageId::EventProven, best.time));
    }
    finished(report, signature.chain(), events)
}

/// Returns the dates of a time-stamp.
pub(super) fn of_timestamp(report: &Report, timestamp: TimestampView<'_>) -> TimeLine {
    finished(report, timestamp.chain(), vec![stamped(timestamp)])
}

/// Returns the dates of an evidence record: those of its time-stamps.
pub(super) fn of_record(report: &Report, record: EvidenceRecordView<'_>) -> TimeLine {
    let chain = record.timestamps().next().into_iter().flat_map(|first| first.chain());
    finished(report, chain, record.timestamps().take(TIMESTAMPS).map(stamped).collect())
}

/// Adds the validation time, the certificates and their revocation data to events, which are put in order of time.
fn finished<'a>(report: &Report, chain: impl Iterator<Item = CertificateView<'a>>, mut events: Vec<Event>) -> TimeLine {
    events.push(Event::new(MessageId::EventJudged, report.verdicts.time));
    crate::order::sort_by_key(&mut events, |event| event.time);
    let mut spans = vec![];
    for certificate in chain.take(CERTIFICATES) {
        let what = |id| LocalizedText::new(id).with("name", certificate.name());
        spans.push(Span {
            what: what(MessageId::SpanCertificate),
            from: certificate.not_before(),
            until: Some(certificate.not_after()),
        });
        let data = certificate.revocations().map(|(data, _)| data).take(REVOCATIONS);
        spans.extend(data.filter_map(|data| {
            let id = match data.kind() {
                RevocationType::Crl => MessageId::SpanCrl,
                RevocationType::Ocsp => MessageId::SpanOcsp,
            };
            Some(Span { what: what(id), from: data.this_update()?, until: data.next_update() })
        }));
    }
    TimeLine { spans, events }
}

fn stamped(timestamp: TimestampView<'_>) -> Event {
    Event::new(LocalizedText::new(timestamp.kind()), timestamp.time())
}

/// Returns the revocation of a certificate, where its revocation data says so.
fn revoked(certificate: CertificateView<'_>) -> Option<Event> {
    let said = certificate.facts().revocations.iter().filter(|said| said.status == CertificateStatus::Revoked);
    let time = said.filter_map(|said| said.revocation_date).min()?;
    Some(Event::new(MessageId::EventRevoked, time))
}
