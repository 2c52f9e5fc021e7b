//! Generated facts: one signature with very many time-stamps, or in a very large set of certificates.
//!
//! Whoever makes a document can make it so; judging it must not take quadratic time.

use lacre::Time;
use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm},
    facts::*,
};

/// When the generated facts are judged.
pub fn now() -> Time {
    Time::from_civil(2026, 6, 1, 0, 0, 0).unwrap_or_default()
}

fn basic() -> BasicSignature {
    BasicSignature {
        key_algorithm: Some(KeyAlgorithm::Rsa),
        key_length: Some(3072),
        digest_algorithm: Some(DigestAlgorithm::Sha256),
        intact: true,
        valid: true,
    }
}

fn certificate(id: &str, chain: &[&str], trusted: bool) -> Certificate {
    Certificate {
        id: Id::new(id),
        serial: "1".into(),
        not_before: Time::from_civil(2020, 1, 1, 0, 0, 0).unwrap_or_default(),
        not_after: Time::from_civil(2040, 1, 1, 0, 0, 0).unwrap_or_default(),
        public_key_length: Some(3072),
        public_key_algorithm: Some(KeyAlgorithm::Rsa),
        entity_key: format!("PK-{id}"),
        basic: basic(),
        signing_certificate: chain.first().map(|id| Id::new(*id)),
        chain: chain.iter().map(|id| Id::new(*id)).collect(),
        trust: Trust { trusted, ..Trust::default() },
        self_signed: trusted,
        extensions: Extensions {
            key_usage: Some(vec![if trusted { KeyUsage::KeyCertSign } else { KeyUsage::NonRepudiation }]),
            extended_key_usage: Some(vec!["1.3.6.1.5.5.7.3.8".into()]),
            basic_constraints: trusted.then_some(BasicConstraints { ca: true, path_length: None }),
            ..Extensions::default()
        }
        .into(),
        ..Certificate::default()
    }
}

fn matcher(kind: MatcherType) -> DigestMatcher {
    DigestMatcher {
        digest: Digest { algorithm: Some(DigestAlgorithm::Sha256), value: Bytes(vec![1; 32]) },
        data_found: true,
        data_intact: true,
        ..DigestMatcher::missing(kind)
    }
}

fn signature(certificate: &str, chain: &[&str]) -> Signature {
    Signature {
        id: Id::new("S"),
        file: "document".into(),
        claimed_signing_time: Time::from_civil(2024, 1, 1, 0, 0, 0),
        level: Some(SignatureLevel::CadesBaselineLta),
        digest_matchers: vec![matcher(MatcherType::MessageDigest).into()],
        basic: basic(),
        signing_certificate: Some(Id::new(certificate)),
        chain: chain.iter().map(|id| Id::new(*id)).collect(),
        ..Signature::default()
    }
}

fn timestamp(n: usize, count: usize) -> Timestamp {
    let covered = |kind, id: String| Covered { kind, id: Id::new(id) };
    let mut all = vec![covered(CoveredKind::Signature, "S".into()), covered(CoveredKind::Certificate, "C-tsa".into())];
    // Each archive time-stamp covers the one before it, and through it all the others.
    all.extend((n > 0).then(|| covered(CoveredKind::Timestamp, format!("T-{}", n - 1))));
    let kind = if n == 0 { TimestampType::Signature } else { TimestampType::Archive };
    Timestamp {
        archive_type: (n > 0).then_some(ArchiveTimestampType::CadesV3),
        digest_matchers: vec![matcher(MatcherType::MessageImprint).into()],
        basic: basic(),
        signing_certificate: Some(Id::new("C-tsa")),
        chain: vec![Id::new("C-tsa"), Id::new("C-root")],
        covered: all,
        ..Timestamp::new(Id::new(format!("T-{n}")), kind, now().plus_millis(-1000 * (count - n) as i64))
    }
}

/// One signature with `count` archive time-stamps, one over the other.
pub fn timestamps(count: usize) -> Facts {
    let chain = ["C-signer", "C-root"];
    let mut signature = signature("C-signer", &chain);
    signature.found_timestamps = (0..count).map(|n| Id::new(format!("T-{n}"))).collect();
    Facts {
        validation_time: Some(now()),
        signatures: vec![signature],
        timestamps: (0..count).map(|n| timestamp(n, count)).collect(),
        certificates: vec![
            certificate("C-signer", &["C-root"], false),
            certificate("C-tsa", &["C-root"], false),
            certificate("C-root", &[], true),
        ],
        ..Facts::default()
    }
}

/// One signature with a time-stamp over `count` certificates.
pub fn certificates(count: usize) -> Facts {
    let mut facts = timestamps(1);
    for n in 0..count {
        let id = format!("C-{n}");
        facts.certificates.push(certificate(&id, &["C-root"], false));
        facts.timestamps[0].covered.push(Covered { kind: CoveredKind::Certificate, id: Id::new(id.clone()) });
        facts.signatures[0]
            .found_certificates
            .push(FoundCertificate { certificate: Id::new(id), ..FoundCertificate::default() }.into());
    }
    facts
}
