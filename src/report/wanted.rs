//! What is missing: evidence that could change the verdict, as values that the caller may answer.

use crate::facts::{Certificate, Facts, Id, MatcherType};
use crate::validation::Verdicts;
use crate::vocabulary::words;
use serde::Serialize;
use std::collections::BTreeSet;

words! {
    /// A kind of evidence.
    pub enum WantedKind {
        Ocsp = "ocsp",
        Crl = "crl",
        Issuer = "issuer",
        TrustedList = "trusted-list",
        Content = "content",
    }
}

/// A piece of evidence that could change the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// What kind.
    pub kind: WantedKind,
    /// Where it may be had, best first; for a content its name.
    pub urls: Vec<String>,
    /// The token that it is about.
    #[serde(rename = "for")]
    pub about: Id,
}

/// What would help, for every signature and time-stamp that did not pass.
pub(super) fn wanted(facts: &Facts, verdicts: &Verdicts) -> Vec<Wanted> {
    let mut wants = vec![];
    let mut asked = BTreeSet::new();
    for signature in &facts.signatures {
        let passed = verdicts.signature(&signature.id).is_some_and(|v| v.sub_indication.is_none());
        if passed {
            continue;
        }
        for matcher in
            signature.digest_matchers.iter().filter(|m| !m.data_found && m.kind != MatcherType::ManifestEntry)
        {
            let name = matcher.uri.as_ref().or(matcher.document_name.as_ref());
            wants.push(Wanted {
                kind: WantedKind::Content,
                urls: name.into_iter().cloned().collect(),
                about: signature.id.clone(),
            });
        }
        chain(facts, &signature.chain, &mut asked, &mut wants);
    }
    for timestamp in &facts.timestamps {
        if !verdicts.timestamp(&timestamp.id).is_some_and(|v| v.conclusion().is_passed()) {
            chain(facts, &timestamp.chain, &mut asked, &mut wants);
        }
    }
    wants
}

/// Revocation data of every certificate below the anchor; the issuer, where the chain ends without one.
fn chain<'a>(facts: &'a Facts, chain: &'a [Id], asked: &mut BTreeSet<&'a Id>, wants: &mut Vec<Wanted>) {
    for id in chain {
        let Some(certificate) = facts.certificates.iter().find(|c| c.id == *id) else { continue };
        if certificate.trust.trusted {
            return;
        }
        if asked.insert(id) {
            about(certificate, wants);
        }
    }
}

fn about(certificate: &Certificate, wants: &mut Vec<Wanted>) {
    let mut want =
        |kind, urls: &[String]| wants.push(Wanted { kind, urls: urls.to_vec(), about: certificate.id.clone() });
    let access = certificate.extensions.authority_information_access.clone().unwrap_or_default();
    if certificate.signing_certificate.is_none() && !certificate.self_signed {
        want(WantedKind::Issuer, &access.ca_issuers);
    }
    let exempt = certificate.self_signed || certificate.extensions.ocsp_no_check || certificate.extensions.no_rev_avail;
    if certificate.revocations.is_empty() && !exempt {
        if !access.ocsp.is_empty() {
            want(WantedKind::Ocsp, &access.ocsp);
        }
        if let Some(points) = certificate.extensions.crl_distribution_points.as_ref().filter(|p| !p.is_empty()) {
            want(WantedKind::Crl, points);
        }
    }
}
