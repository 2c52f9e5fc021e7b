//! What the verdicts rest on: certificates, revocation data, time-stamps, trusted lists.

use super::known::{Known, name};
use super::{Saying, State};
use crate::algorithm::DigestAlgorithm;
use crate::facts::{Certificate, CertificateRevocation, CertificateStatus, Digest, Id, Revocation};
use crate::hex;
use crate::report::messages::Phrase;
use crate::time::Time;
use std::collections::HashMap;

/// The tokens used.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// In the order of the record.
    pub certificates: Vec<CertificateRow>,
    /// In the order of the record.
    pub revocations: Vec<RevocationRow>,
    /// In the order of the record.
    pub timestamps: Vec<TimestampRow>,
    /// In the order of the record.
    pub lists: Vec<ListRow>,
}

/// A certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct CertificateRow {
    /// Whose.
    pub holder: Saying,
    /// By whom.
    pub issuer: Saying,
    /// Its serial number, decimal.
    pub serial: String,
    /// From when.
    pub not_before: Time,
    /// Until when.
    pub not_after: Time,
    /// Its SHA-256, lower-case hexadecimal; for a record of others its id.
    pub sha256: String,
    /// Whether it is a trust anchor.
    pub trusted: bool,
}

/// A CRL or OCSP response.
#[derive(Debug, Clone, PartialEq)]
pub struct RevocationRow {
    /// `CRL` or `OCSP`.
    pub kind: &'static str,
    /// Whose certificates it is about, and what it says of them.
    pub about: Vec<(Saying, Saying)>,
    /// Since when it holds.
    pub this_update: Option<Time>,
    /// When the next was to come.
    pub next_update: Option<Time>,
    /// Its SHA-256, lower-case hexadecimal; for a record of others its id.
    pub sha256: String,
}

/// A time-stamp.
#[derive(Debug, Clone, PartialEq)]
pub struct TimestampRow {
    /// Over what.
    pub kind: Saying,
    /// Of when.
    pub time: Time,
    /// By whom.
    pub maker: Saying,
    /// Whether it is valid.
    pub state: State,
    /// Its SHA-256, lower-case hexadecimal; for a record of others its id.
    pub sha256: String,
}

/// A trusted list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListRow {
    /// Of which country.
    pub country: Option<String>,
    /// Its sequence number.
    pub number: Option<i64>,
    /// When it was issued.
    pub issued: Option<Time>,
    /// When the next was to come.
    pub next_update: Option<Time>,
    /// Where it is from.
    pub url: String,
}

/// How many certificates a CRL names before they are only counted.
const ABOUT: usize = 4;

pub(super) fn evidence(known: &Known<'_>) -> Evidence {
    let facts = &known.report.facts;
    let about = said_of(known);
    Evidence {
        certificates: facts.certificates.iter().map(|c| certificate(known, c)).collect(),
        revocations: facts.revocations.iter().map(|data| revocation(data, &about)).collect(),
        timestamps: facts
            .timestamps
            .iter()
            .map(|t| TimestampRow {
                kind: Saying::text(t.kind),
                time: t.production_time,
                maker: t
                    .signing_certificate
                    .as_ref()
                    .map_or(Phrase::NotStated.into(), |id| known.name_or_id(id).into()),
                state: known
                    .report
                    .verdicts
                    .timestamp(&t.id)
                    .map_or(State::Undecided, |v| State::of(v.conclusion().indication)),
                sha256: digest_of(&t.id, t.digest.as_ref()),
            })
            .collect(),
        lists: facts
            .trusted_lists
            .iter()
            .map(|l| ListRow {
                country: l.country.clone(),
                number: l.sequence_number,
                issued: l.issue_date,
                next_update: l.next_update,
                url: l.url.clone(),
            })
            .collect(),
    }
}

fn certificate(known: &Known<'_>, certificate: &Certificate) -> CertificateRow {
    let issuer = certificate.signing_certificate.as_ref().and_then(|id| known.certificate(id));
    CertificateRow {
        holder: name(certificate).into(),
        issuer: issuer
            .or(certificate.self_signed.then_some(certificate))
            .map_or(&*certificate.issuer.rfc2253, name)
            .into(),
        serial: certificate.serial.clone(),
        not_before: certificate.not_before,
        not_after: certificate.not_after,
        sha256: digest_of(&certificate.id, certificate.digest.as_ref()),
        trusted: certificate.trust.trusted,
    }
}

/// By revocation data: the certificates it speaks of, and what it says.
type SaidOf<'a> = HashMap<&'a Id, Vec<(Saying, Saying)>>;

fn said_of<'a>(known: &Known<'a>) -> SaidOf<'a> {
    let mut said: SaidOf<'a> = HashMap::new();
    for certificate in &known.report.facts.certificates {
        for revocation in &certificate.revocations {
            said.entry(&revocation.revocation).or_default().push((name(certificate).into(), status(revocation)));
        }
    }
    said
}

/// What revocation data says of a certificate.
pub(in crate::report) fn status(said: &CertificateRevocation) -> Saying {
    match (said.status, said.revocation_date) {
        (CertificateStatus::Good, _) => Phrase::StatusGood.into(),
        (CertificateStatus::Revoked, Some(time)) => Saying::text(Phrase::StatusRevokedAt).with("time", time),
        (CertificateStatus::Revoked, None) => Phrase::StatusRevoked.into(),
        (CertificateStatus::Unknown, _) => Phrase::StatusUnknown.into(),
    }
}

fn revocation(data: &Revocation, about: &SaidOf<'_>) -> RevocationRow {
    let about = about.get(&data.id).map_or(&[][..], Vec::as_slice);
    let mut shown = about.get(..ABOUT.min(about.len())).unwrap_or_default().to_vec();
    if about.len() > ABOUT {
        shown.push((Saying::text(Phrase::More).with("n", about.len() - ABOUT), Saying::code("")));
    }
    RevocationRow {
        kind: data.kind.as_str(),
        about: shown,
        this_update: data.this_update,
        next_update: data.next_update,
        sha256: digest_of(&data.id, data.digest.as_ref()),
    }
}

/// The SHA-256 that is stated of a token; else the one in which its id ends, as those of our own do without a salt.
fn digest_of(id: &Id, stated: Option<&Digest>) -> String {
    match stated {
        Some(Digest { algorithm: Some(DigestAlgorithm::Sha256), value }) => hex::lower(&value.0),
        _ => id.as_str().rsplit('-').next().unwrap_or_default().to_ascii_lowercase(),
    }
}
