//! Certificates, chains and revocation data as EU DSS states them (diagnostic data), certificate by certificate.
//!
//! The tokens are taken out of the documents by digest, so that this suite asks the certificate, CRL and OCSP
//! readers and the collector only, not the formats.

mod support {
    pub mod scan;
}

use lacre::{Budget, Facts, Time};
use lacre_core::{
    collect::{Collector, TrustAnchor},
    facts::{Certificate, CertificateSource, Extensions, RevocationOrigin},
    x509,
};
use lacre_testkit::files::{corpus, files};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What is compared, field by field; the first value is DSS's.
type Differences = BTreeMap<&'static str, Vec<String>>;

macro_rules! compare {
    ($differences:expr, $id:expr, $($name:literal: $theirs:expr, $ours:expr;)*) => {
        $( if $theirs != $ours {
            $differences.entry($name).or_default().push(format!("{}\n    {:?}\n    {:?}", $id, $theirs, $ours));
        } )*
    };
}

fn normal(extensions: &Extensions) -> Extensions {
    let mut extensions = extensions.clone();
    extensions.present.sort_by(|a, b| a.oid.cmp(&b.oid));
    extensions.present.iter_mut().for_each(|header| header.bytes = None);
    // DSS writes Java's greatest `int` for a CA without a path length.
    if let Some(constraints) = &mut extensions.basic_constraints
        && constraints.path_length == Some(i64::from(i32::MAX))
    {
        constraints.path_length = None;
    }
    for policy in extensions.certificate_policies.iter_mut().flatten() {
        // XML cannot hold a NUL, and DSS escapes what begins or ends a text.
        let plain = |url: &mut String| *url = url.trim_matches(['\0', ' ', '\\']).replace('\\', "");
        policy.cps_url.iter_mut().for_each(plain);
    }
    extensions
}

fn compare_certificate(theirs: &Certificate, ours: &Certificate, differences: &mut Differences) {
    let id = &theirs.id;
    let (a, b) = (normal(&theirs.extensions), normal(&ours.extensions));
    let revocations =
        |certificate: &Certificate| certificate.revocations.iter().map(|r| format!("{r:?}")).collect::<BTreeSet<_>>();
    compare!(differences, id,
        "subject": theirs.subject, ours.subject;
        "issuer": theirs.issuer, ours.issuer;
        "serial": theirs.serial, ours.serial;
        "attributes": theirs.attributes, ours.attributes;
        "not before": theirs.not_before, ours.not_before;
        "not after": theirs.not_after, ours.not_after;
        "key length": theirs.public_key_length, ours.public_key_length;
        "key algorithm": theirs.public_key_algorithm, ours.public_key_algorithm;
        "entity key": theirs.entity_key, ours.entity_key;
        "issuer entity key": theirs.issuer_entity_key, ours.issuer_entity_key;
        "basic": theirs.basic, ours.basic;
        "signing certificate": theirs.signing_certificate, ours.signing_certificate;
        "chain": theirs.chain, ours.chain;
        "trusted": theirs.trust.trusted, ours.trust.trusted;
        "self-signed": theirs.self_signed, ours.self_signed;
        // DSS does not ask about a certificate that says that nobody need ask; what is there is not dropped (RFC 9608 §4).
        "revocations": revocations(theirs), if revocations(theirs).is_empty() && (b.ocsp_no_check || b.no_rev_avail || b.short_term) { revocations(theirs) } else { revocations(ours) };
        "present": a.present, b.present;
        "key usage": a.key_usage, b.key_usage;
        "extended key usage": a.extended_key_usage, b.extended_key_usage;
        "policies": a.certificate_policies, b.certificate_policies;
        "alternative names": a.subject_alternative_names, b.subject_alternative_names;
        "basic constraints": a.basic_constraints, b.basic_constraints;
        "policy constraints": a.policy_constraints, b.policy_constraints;
        "inhibit any policy": a.inhibit_any_policy, b.inhibit_any_policy;
        "name constraints": a.name_constraints, b.name_constraints;
        "distribution points": a.crl_distribution_points, b.crl_distribution_points;
        "freshest CRL": a.freshest_crl, b.freshest_crl;
        "authority key identifier": a.authority_key_identifier, b.authority_key_identifier;
        "subject key identifier": a.subject_key_identifier, b.subject_key_identifier;
        "information access": a.authority_information_access, b.authority_information_access;
        "no check": a.ocsp_no_check, b.ocsp_no_check;
        "short term": a.short_term, b.short_term;
        "no revocation": a.no_rev_avail, b.no_rev_avail;
        "QC statements": a.qc_statements, b.qc_statements;
    );
}

/// The record of DSS's certificates and revocation data, collected anew from their bytes.
fn collect(theirs: &Facts, tokens: &HashMap<String, Vec<u8>>) -> Facts {
    let mut collector = Collector::new(&Budget::default());
    let bytes = |id: &str| tokens.get(&id[2..]);
    for certificate in &theirs.certificates {
        let Some(der) = bytes(certificate.id.as_str()) else { continue };
        let read = x509::Certificate::from_der(der).expect("DSS reads it too");
        for source in &certificate.sources {
            match source {
                CertificateSource::TrustedStore => {
                    collector.trust_anchor(read.clone(), TrustAnchor::default());
                }
                source => {
                    collector.certificate(read.clone(), *source);
                }
            }
        }
        collector.subject(read, certificate.sources[0]);
    }
    let named = theirs.revocations.iter().map(|revocation| &revocation.id);
    for id in named.chain(theirs.orphan_revocations.iter().map(|orphan| &orphan.id)) {
        let Some(der) = bytes(id.as_str()) else { continue };
        if collector.crl(der, RevocationOrigin::InputDocument).is_none() {
            collector.ocsp(der, RevocationOrigin::InputDocument);
        }
    }
    collector.finish(theirs.validation_time.unwrap_or(Time::from_millis(0)))
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn certificates_and_revocations_as_dss_states_them() {
    let corpus = corpus();
    let filter = std::env::var("LACRE_ONLY").unwrap_or_default();
    let root = corpus.join("dss-facts/near");
    let paths = files(&root, "");
    let mut differences = Differences::new();
    let (mut certificates, mut revocations, mut missing) = (0, 0, 0);
    for path in paths.iter().filter(|path| path.to_string_lossy().contains(&filter)) {
        let Ok(theirs) = Facts::from_bytes(&std::fs::read(path).expect("listed")) else { continue };
        let relative = path.strip_prefix(&root).expect("under it").with_extension("");
        let Ok(document) = std::fs::read(corpus.join(&relative)) else { continue };
        if document.len() > 3_000_000 {
            continue;
        }
        let ids = theirs.certificates.iter().map(|c| &c.id).chain(theirs.revocations.iter().map(|r| &r.id));
        let ids = ids.chain(theirs.orphan_revocations.iter().map(|orphan| &orphan.id));
        let wanted: HashSet<String> = ids.map(|id| id.as_str()[2..].to_owned()).collect();
        let tokens = support::scan::scan(&document, &wanted);
        let all = wanted.len() == tokens.len();
        missing += wanted.len() - tokens.len();
        let ours = collect(&theirs, &tokens);
        let found: HashMap<_, _> = ours.certificates.iter().map(|c| (&c.id, c)).collect();
        for theirs in &theirs.certificates {
            let Some(ours) = found.get(&theirs.id) else { continue };
            certificates += 1;
            let mut own = Differences::new();
            compare_certificate(theirs, ours, &mut own);
            for (field, texts) in own {
                // Without the whole material of the document, only the certificate's own statements compare.
                let related =
                    ["issuer entity key", "basic", "signing certificate", "chain", "revocations"].contains(&field);
                if all || !related {
                    let text = texts.into_iter().map(|text| format!("{} {text}", relative.display()));
                    differences.entry(field).or_default().extend(text);
                }
            }
        }
        let found: HashMap<_, _> = ours.revocations.iter().map(|r| (&r.id, r)).collect();
        for theirs in theirs.revocations.iter().filter(|_| all) {
            revocations += 1;
            let Some(ours) = found.get(&theirs.id) else {
                differences.entry("revocation in use").or_default().push(format!(
                    "{} {}",
                    relative.display(),
                    theirs.id
                ));
                continue;
            };
            let certificates = |revocation: &lacre_core::facts::Revocation| {
                let known = revocation.found_certificates.iter().filter(|found| !found.orphan);
                known.map(|found| found.certificate.clone()).collect::<BTreeSet<_>>()
            };
            compare!(differences, format!("{} {}", relative.display(), theirs.id),
                "revocation kind": theirs.kind, ours.kind;
                "revocation origin": theirs.origin, ours.origin;
                "production": theirs.production_date, ours.production_date;
                "this update": theirs.this_update, ours.this_update;
                "next update": theirs.next_update, ours.next_update;
                "expired certificates on CRL": theirs.expired_certs_on_crl, ours.expired_certs_on_crl;
                "archive cutoff": theirs.archive_cutoff, ours.archive_cutoff;
                "certificate hash": (theirs.cert_hash_present, theirs.cert_hash_match), (ours.cert_hash_present, ours.cert_hash_match);
                "revocation basic": theirs.basic, ours.basic;
                "revocation signer": theirs.signing_certificate, ours.signing_certificate;
                "revocation chain": theirs.chain, ours.chain;
                "certificates in revocation": certificates(theirs), certificates(ours);
            );
        }
    }
    println!("{certificates} certificates, {revocations} revocation data compared; {missing} tokens not in documents");
    assert!(certificates > 0, "nothing was compared");
    let mut unused = ledger();
    for (field, texts) in &mut differences {
        texts.retain(|text| {
            let expected = unused.iter_mut().find(|(of, token, _)| of == field && text.contains(token.as_str()));
            expected.map(|(.., seen)| *seen = true).is_none()
        });
        texts.iter().for_each(|text| println!("{field}: {text}"));
    }
    let unexpected: usize = differences.values().map(Vec::len).sum();
    assert_eq!(unexpected, 0, "facts that differ from DSS's");
    unused.retain(|(.., seen)| !seen);
    assert!(!filter.is_empty() || unused.is_empty(), "differences in the ledger that are no more: {unused:?}");
}

/// Field and token of every difference on purpose, and whether it was met.
fn ledger() -> Vec<(String, String, bool)> {
    let rows = include_str!("conformance/dss-certificates.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::to_owned);
        (columns.next().unwrap_or_default(), columns.next().unwrap_or_default(), false)
    };
    rows.map(row).collect()
}
