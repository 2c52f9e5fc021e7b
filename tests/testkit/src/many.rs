//! Generated facts: one signature with very many time-stamps, or in a very large set of certificates.
//!
//! Whoever makes a document can make it so; judging it must not take quadratic time.

use lacre::algorithm::{DigestAlgorithm, KeyAlgorithm};
use lacre::facts::*;
use lacre::time::Time;

/// When the generated facts are judged.
pub fn now() -> Time {
    Time::from_civil(2026, 6, 1, 0, 0, 0).unwrap_or_default()
}

fn basic() -> BasicSignature {
    let mut basic = BasicSignature::default();
    basic.key_algorithm = Some(KeyAlgorithm::Rsa);
    basic.key_length = Some(3072);
    basic.digest_algorithm = Some(DigestAlgorithm::Sha256);
    (basic.intact, basic.valid) = (true, true);
    basic
}

fn ids(names: &[&str]) -> Vec<Id> {
    names.iter().map(|name| Id::new(*name)).collect()
}

fn certificate(id: &str, chain: &[&str], trusted: bool) -> Certificate {
    let mut certificate = Certificate::default();
    certificate.id = Id::new(id);
    certificate.serial = "1".into();
    certificate.not_before = Time::from_civil(2020, 1, 1, 0, 0, 0).unwrap_or_default();
    certificate.not_after = Time::from_civil(2040, 1, 1, 0, 0, 0).unwrap_or_default();
    certificate.public_key_length = Some(3072);
    certificate.public_key_algorithm = Some(KeyAlgorithm::Rsa);
    certificate.entity_key = format!("PK-{id}");
    certificate.basic = basic();
    certificate.chain = ids(chain);
    certificate.signing_certificate = certificate.chain.first().cloned();
    certificate.trust.trusted = trusted;
    certificate.self_signed = trusted;
    let extensions = &mut certificate.extensions;
    extensions.key_usage = Some(vec![if trusted { KeyUsage::KeyCertSign } else { KeyUsage::NonRepudiation }]);
    extensions.extended_key_usage = Some(vec!["1.3.6.1.5.5.7.3.8".into()]);
    if trusted {
        let mut constraints = BasicConstraints::default();
        constraints.ca = true;
        extensions.basic_constraints = Some(constraints);
    }
    certificate
}

fn matcher(kind: MatcherType) -> DigestMatcher {
    let mut matcher = DigestMatcher::missing(kind);
    matcher.digest.algorithm = Some(DigestAlgorithm::Sha256);
    matcher.digest.value = Octets(vec![1; 32]);
    (matcher.data_found, matcher.data_intact) = (true, true);
    matcher
}

fn signature(certificate: &str, chain: &[&str]) -> Signature {
    let mut signature = Signature::default();
    signature.id = Id::new("S");
    signature.file = "document".into();
    signature.claimed_signing_time = Time::from_civil(2024, 1, 1, 0, 0, 0);
    signature.level = Some(SignatureLevel::CadesBaselineLta);
    signature.digest_matchers = vec![matcher(MatcherType::MessageDigest).into()];
    signature.basic = basic();
    signature.signing_certificate = Some(Id::new(certificate));
    signature.chain = ids(chain);
    signature
}

fn timestamp(n: usize, count: usize) -> Timestamp {
    let covered = |kind, id: String| Covered { kind, id: Id::new(id) };
    let mut all = vec![covered(CoveredKind::Signature, "S".into()), covered(CoveredKind::Certificate, "C-tsa".into())];
    // Each archive time-stamp covers the one before it, and through it all the others.
    all.extend((n > 0).then(|| covered(CoveredKind::Timestamp, format!("T-{}", n - 1))));
    let kind = if n == 0 { TimestampType::Signature } else { TimestampType::Archive };
    let time = now().plus_millis(-1000 * (count - n) as i64);
    let mut timestamp = Timestamp::new(Id::new(format!("T-{n}")), kind, time);
    timestamp.archive_type = (n > 0).then_some(ArchiveTimestampType::CadesV3);
    timestamp.digest_matchers = vec![matcher(MatcherType::MessageImprint).into()];
    timestamp.basic = basic();
    timestamp.signing_certificate = Some(Id::new("C-tsa"));
    timestamp.chain = ids(&["C-tsa", "C-root"]);
    timestamp.covered = all;
    timestamp
}

/// One signature with `count` archive time-stamps, one over the other.
pub fn timestamps(count: usize) -> Facts {
    let chain = ["C-signer", "C-root"];
    let mut signature = signature("C-signer", &chain);
    signature.found_timestamps = (0..count).map(|n| Id::new(format!("T-{n}"))).collect();
    let mut facts = Facts::default();
    facts.validation_time = Some(now());
    facts.signatures = vec![signature];
    facts.timestamps = (0..count).map(|n| timestamp(n, count)).collect();
    facts.certificates = vec![
        certificate("C-signer", &["C-root"], false),
        certificate("C-tsa", &["C-root"], false),
        certificate("C-root", &[], true),
    ];
    facts
}

/// One signature with a time-stamp over `count` certificates.
pub fn certificates(count: usize) -> Facts {
    let mut facts = timestamps(1);
    for n in 0..count {
        let id = format!("C-{n}");
        facts.certificates.push(certificate(&id, &["C-root"], false));
        facts.timestamps[0].covered.push(Covered { kind: CoveredKind::Certificate, id: Id::new(id.clone()) });
        let mut found = FoundCertificate::default();
        found.certificate = Id::new(id);
        facts.signatures[0].found_certificates.push(found);
    }
    facts
}
