//! A small set of facts that is valid in every respect, for rows that spoil one of them.
//!
//! An anchor, a signer and a time-stamping authority below it, with CRLs of the anchor; one signature of May 2021.

use super::context::ValidationContext;
use super::{Verdicts, validate};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::facts::*;
use crate::policy::Policy;
use crate::time::Time;

/// Returns the moment that reads as `text`.
pub(super) fn at(text: &str) -> Time {
    text.parse().unwrap()
}

fn id(text: &str) -> Id {
    Id::new(text)
}

fn rsa(bits: u32) -> BasicSignature {
    BasicSignature {
        key_algorithm: Some(KeyAlgorithm::Rsa),
        key_length: Some(bits),
        digest_algorithm: Some(DigestAlgorithm::Sha256),
        intact: true,
        valid: true,
    }
}

fn certificate(name: &str, issuer: &str) -> Certificate {
    let form = |name: &str| NameForms { canonical: name.to_lowercase(), rfc2253: format!("CN={name}") };
    Certificate {
        id: id(name),
        subject: form(name).into(),
        issuer: form(issuer).into(),
        serial: "1".into(),
        not_before: at("2020-01-01"),
        not_after: at("2023-01-01"),
        public_key_length: Some(3072),
        public_key_algorithm: Some(KeyAlgorithm::Rsa),
        entity_key: format!("key of {name}"),
        issuer_entity_key: Some(IssuerEntityKey {
            entity_key: format!("key of {issuer}"),
            key: true,
            subject_name: true,
        }),
        basic: rsa(3072),
        signing_certificate: Some(id(issuer)),
        sources: vec![CertificateSource::Signature],
        extensions: Extensions {
            key_usage: Some(vec![KeyUsage::NonRepudiation]),
            authority_key_identifier: Some(AuthorityKeyIdentifier::default()),
            ..Extensions::default()
        }
        .into(),
        ..Certificate::default()
    }
}

fn crl(name: &str, issued: Time) -> Revocation {
    Revocation {
        id: id(name),
        sha256: None,
        duplicated: false,
        origin: None,
        kind: RevocationType::Crl,
        source_address: None,
        production_date: Some(issued),
        this_update: Some(issued),
        next_update: Some(issued.plus_millis(7 * 86_400_000)),
        expired_certs_on_crl: None,
        archive_cutoff: None,
        cert_hash_present: false,
        cert_hash_match: false,
        basic: rsa(4096),
        signing_certificate: Some(id("ROOT")),
        signing_public_key: None,
        chain: vec![id("ROOT")],
        found_certificates: vec![],
        bytes: None,
        digest: None,
    }
}

fn good(revocation: &str) -> CertificateRevocation {
    CertificateRevocation {
        revocation: id(revocation),
        status: CertificateStatus::Good,
        reason: None,
        revocation_date: None,
        invalidity_date: None,
    }
}

fn reference(certificate: &str) -> FoundCertificate {
    FoundCertificate {
        certificate: id(certificate),
        orphan: false,
        origins: vec![],
        references: vec![CertificateRef {
            digest: Some(Digest { algorithm: Some(DigestAlgorithm::Sha256), value: Bytes::default() }),
            digest_match: Some(true),
            ..CertificateRef::new(CertificateRefOrigin::SigningCertificate)
        }],
    }
}

fn matcher(kind: MatcherType) -> DigestMatcher {
    DigestMatcher {
        digest: Digest { algorithm: Some(DigestAlgorithm::Sha256), value: Bytes::default() },
        data_found: true,
        data_intact: true,
        ..DigestMatcher::missing(kind)
    }
}

/// Returns the valid set.
pub(super) fn valid() -> Facts {
    let root = Certificate {
        basic: rsa(4096),
        not_before: at("2010-01-01"),
        not_after: at("2040-01-01"),
        self_signed: true,
        trust: Trust { trusted: true, start: None, sunset: None },
        sources: vec![CertificateSource::TrustedStore],
        ..certificate("ROOT", "ROOT")
    };
    let signer =
        Certificate { chain: vec![id("ROOT")], revocations: vec![good("R-SIGNER")], ..certificate("SIGNER", "ROOT") };
    let mut tsa = Certificate {
        not_after: at("2035-01-01"),
        chain: vec![id("ROOT")],
        revocations: vec![good("R-TSA")],
        ..certificate("TSA", "ROOT")
    };
    tsa.extensions.extended_key_usage = Some(vec!["1.3.6.1.5.5.7.3.8".into()]);
    Facts {
        signatures: vec![Signature {
            id: id("S"),
            level: Some(SignatureLevel::CadesBaselineB),
            claimed_signing_time: Some(at("2021-05-01")),
            digest_matchers: vec![matcher(MatcherType::MessageDigest).into()],
            basic: rsa(3072),
            signing_certificate: Some(id("SIGNER")),
            chain: vec![id("SIGNER"), id("ROOT")],
            found_certificates: vec![reference("SIGNER").into()],
            ..Signature::default()
        }],
        certificates: vec![root, signer, tsa],
        revocations: vec![crl("R-SIGNER", at("2021-06-01")), crl("R-TSA", at("2021-06-01"))],
        ..Facts::default()
    }
}

/// Adds a valid time-stamp that belongs to the signature and covers `covered` (the first letter gives the kind).
pub(super) fn with_timestamp(mut facts: Facts, name: &str, kind: TimestampType, time: &str, covered: &[&str]) -> Facts {
    let kind_of = |token: &str| match token.as_bytes().first() {
        Some(b'S') if token == "SIGNER" => CoveredKind::Certificate,
        Some(b'S') => CoveredKind::Signature,
        Some(b'T') if token == "TSA" => CoveredKind::Certificate,
        Some(b'T') => CoveredKind::Timestamp,
        Some(b'R') if token == "ROOT" => CoveredKind::Certificate,
        Some(b'R') => CoveredKind::Revocation,
        _ => CoveredKind::SignedData,
    };
    facts.timestamps.push(Timestamp {
        digest_matchers: vec![matcher(MatcherType::MessageImprint).into()],
        basic: rsa(3072),
        signing_certificate: Some(id("TSA")),
        chain: vec![id("TSA"), id("ROOT")],
        found_certificates: vec![reference("TSA").into()],
        covered: covered.iter().map(|token| Covered { kind: kind_of(token), id: id(token) }).collect(),
        ..Timestamp::new(id(name), kind, at(time))
    });
    facts.signatures[0].found_timestamps.push(id(name));
    facts
}

/// Puts an authority between the signer and the anchor, with a CRL of the anchor's.
pub(super) fn with_authority(mut facts: Facts) -> Facts {
    let signer = certificate_mut(&mut facts, "SIGNER");
    let mut ca = Certificate { id: id("CA"), not_after: at("2035-01-01"), ..signer.clone() };
    (signer.chain, signer.signing_certificate) = (vec![id("CA"), id("ROOT")], Some(id("CA")));
    ca.revocations = vec![good("R-CA")];
    ca.extensions.basic_constraints = Some(BasicConstraints { ca: true, path_length: None });
    ca.extensions.key_usage = Some(vec![KeyUsage::KeyCertSign]);
    ca.extensions.subject_key_identifier = Some(Bytes(vec![1]));
    facts.certificates.push(ca);
    facts.revocations.push(crl("R-CA", at("2021-06-01")));
    facts.signatures[0].chain.insert(1, id("CA"));
    facts
}

/// Returns the certificate of that name.
pub(super) fn certificate_mut<'f>(facts: &'f mut Facts, name: &str) -> &'f mut Certificate {
    facts.certificates.iter_mut().find(|c| c.id.as_str() == name).unwrap()
}

/// Revokes that certificate.
pub(super) fn revoke(facts: &mut Facts, name: &str, date: &str) {
    let said = &mut certificate_mut(facts, name).revocations[0];
    said.status = CertificateStatus::Revoked;
    said.revocation_date = Some(at(date));
}

/// Judges by the default policy.
pub(super) fn judged(facts: &Facts, time: &str) -> Verdicts {
    validate(facts, &Policy::dss(), at(time))
}

/// Writes `INDICATION` or `INDICATION/SUB_INDICATION`.
pub(super) fn word(conclusion: &super::engine::Conclusion) -> String {
    match conclusion.sub_indication {
        Some(sub) => format!("{}/{sub}", conclusion.indication),
        None => conclusion.indication.to_string(),
    }
}

/// A row of a table of situations: clause, situation, what is changed in the facts, the time, and what follows.
pub(super) type Row = (&'static str, &'static str, fn(Facts) -> Facts, &'static str, &'static str);

/// Checks rows against what `of` reads from the verdicts.
pub(super) fn check(rows: &[Row], of: fn(&Verdicts) -> String) {
    for (clause, situation, change, time, expected) in rows {
        let verdicts = judged(&change(valid()), time);
        assert_eq!(of(&verdicts), *expected, "{clause}: {situation}\n{:#?}", verdicts.signatures[0].findings);
    }
}

impl<'a> ValidationContext<'a> {
    /// Makes the context of `facts` under `policy` at `time`, within the default budget.
    pub fn new(facts: &'a Facts, policy: &'a Policy, time: Time) -> Self {
        Self::within(facts, policy, time, &crate::budget::Budget::default())
    }
}
