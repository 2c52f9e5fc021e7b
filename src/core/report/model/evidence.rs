//! The validation data that the verdicts rest on: certificates, revocation data, time-stamps, trusted lists.

use super::revocation::status;
use super::{LocalizedText, State};
use crate::facts::Id;
use crate::report::Report;
use crate::report::messages::{CommonId, MessageId};
use crate::report::view::{CertificateView, RevocationView, TimestampView};
use crate::time::Time;

/// The tokens used. Each list is in the order of the record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// The certificates.
    pub certificates: Vec<CertificateRow>,
    /// The CRLs and OCSP responses.
    pub revocations: Vec<RevocationRow>,
    /// The time-stamps.
    pub timestamps: Vec<TimestampRow>,
    /// The trusted lists.
    pub lists: Vec<ListRow>,
}

/// A certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct CertificateRow {
    /// The name of its subject.
    pub holder: LocalizedText,
    /// The name of its issuer.
    pub issuer: LocalizedText,
    /// Its serial number, hexadecimal. The attached JSON has it in decimal digits.
    pub serial: String,
    /// The first moment of its validity.
    pub not_before: Time,
    /// The last moment of its validity.
    pub not_after: Time,
    /// Its SHA-256, lower-case hexadecimal; where imported facts state none, the end of its id.
    pub sha256: String,
    /// Whether it is a trust anchor.
    pub trusted: bool,
}

/// A CRL or OCSP response.
#[derive(Debug, Clone, PartialEq)]
pub struct RevocationRow {
    /// `CRL` or `OCSP`.
    pub kind: &'static str,
    /// The certificates that it is about, and what it says of them.
    pub about: Vec<(LocalizedText, LocalizedText)>,
    /// Its `thisUpdate`.
    pub this_update: Option<Time>,
    /// Its `nextUpdate`.
    pub next_update: Option<Time>,
    /// Its SHA-256, lower-case hexadecimal; where imported facts state none, the end of its id.
    pub sha256: String,
}

/// A time-stamp.
#[derive(Debug, Clone, PartialEq)]
pub struct TimestampRow {
    /// Its kind.
    pub kind: LocalizedText,
    /// The time that it states.
    pub time: Time,
    /// The name of the authority that made it.
    pub maker: LocalizedText,
    /// Its verdict.
    pub state: State,
    /// Its SHA-256, lower-case hexadecimal; where imported facts state none, the end of its id.
    pub sha256: String,
}

/// A trusted list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListRow {
    /// The country whose list it is.
    pub country: Option<String>,
    /// Its sequence number.
    pub number: Option<i64>,
    /// The time of its issue.
    pub issued: Option<Time>,
    /// The time by which the next issue is due.
    pub next_update: Option<Time>,
    /// The address at which it is published.
    pub url: String,
}

/// The number of certificates that a CRL names before they are only counted.
const ABOUT: usize = 4;

pub(super) fn evidence(report: &Report) -> Evidence {
    Evidence {
        certificates: report.certificates().map(certificate).collect(),
        revocations: report.revocations().map(revocation).collect(),
        timestamps: report.timestamps().map(timestamp).collect(),
        lists: report
            .facts
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

fn certificate(certificate: CertificateView<'_>) -> CertificateRow {
    let issuer = certificate.issuer().or(certificate.facts().self_signed.then_some(certificate));
    CertificateRow {
        holder: certificate.name().into(),
        issuer: issuer.map_or(certificate.issuer_name(), |issuer| issuer.name()).into(),
        serial: hexadecimal(certificate.serial()),
        not_before: certificate.not_before(),
        not_after: certificate.not_after(),
        sha256: certificate.sha256().map_or_else(|| end_of(certificate.id()), str::to_owned),
        trusted: certificate.is_trusted(),
    }
}

fn timestamp(timestamp: TimestampView<'_>) -> TimestampRow {
    TimestampRow {
        kind: LocalizedText::new(timestamp.kind()),
        time: timestamp.time(),
        maker: timestamp.signer().map_or(CommonId::NotStated.into(), |signer| signer.name().into()),
        state: State::of(timestamp.indication()),
        sha256: timestamp.sha256().unwrap_or_else(|| end_of(timestamp.id())),
    }
}

fn revocation(data: RevocationView<'_>) -> RevocationRow {
    let mut statements = data.statements();
    let speaks = |(certificate, said): (CertificateView<'_>, _)| (certificate.name().into(), status(said));
    let mut about: Vec<_> = statements.by_ref().take(ABOUT).map(speaks).collect();
    match statements.count() {
        0 => {}
        more => about.push((LocalizedText::new(MessageId::More).with("n", more), LocalizedText::code(""))),
    }
    RevocationRow {
        kind: data.kind().as_str(),
        about,
        this_update: data.this_update(),
        next_update: data.next_update(),
        sha256: data.sha256().map_or_else(|| end_of(data.id()), str::to_owned),
    }
}

/// Writes a decimal number in hexadecimal digits, in pairs. What is no number of at most 32 bytes
/// stays as it is.
fn hexadecimal(decimal: &str) -> String {
    const DIGITS: usize = 77;
    if decimal.is_empty() || decimal.len() > DIGITS || !decimal.bytes().all(|digit| digit.is_ascii_digit()) {
        return decimal.to_owned();
    }
    let mut bytes: Vec<u8> = vec![];
    for digit in decimal.bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in bytes.iter_mut().rev() {
            carry += u32::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            bytes.insert(0, carry as u8);
        }
    }
    if bytes.is_empty() {
        bytes.push(0);
    }
    format!("0x{}", crate::hex::lower(&bytes))
}

/// Returns the id without its prefix, by which people find a token of imported facts that state no digest.
fn end_of(id: &Id) -> String {
    id.as_str().rsplit('-').next().unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    #[test]
    fn serial_numbers_in_hexadecimal() {
        for (decimal, expected) in [
            ("0", "0x00"),
            ("1", "0x01"),
            ("255", "0xff"),
            ("256", "0x0100"),
            ("123456789012345678901234567890", "0x018ee90ff6c373e0ee4e3f0ad2"),
            ("-1", "-1"),
            ("", ""),
        ] {
            assert_eq!(super::hexadecimal(decimal), expected, "{decimal}");
        }
        assert_eq!(super::hexadecimal(&"9".repeat(78)), "9".repeat(78));
    }
}
