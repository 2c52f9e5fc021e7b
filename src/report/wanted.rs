//! What is missing: evidence that could change the verdict, as values that the caller may answer.

use crate::facts::{Certificate, DigestMatcher, Facts, Id, MatcherType, Revocation, Shared, Signature, TrustedList};
use crate::time::Time;
use crate::validation::blocks::{BuildingBlocks, CertificateInPath};
use crate::validation::engine::Block;
use crate::validation::{CertificateVerdict, Verdicts};
use crate::vocabulary::words;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

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
    /// Where the caller looked for it in vain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
}

/// An address that did not have what was wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The address.
    pub url: String,
    /// Why not, in a sentence.
    pub reason: String,
}

/// What a caller looked for in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What kind.
    pub kind: WantedKind,
    /// The token that it is about.
    pub about: Id,
    /// Where, and why there was none.
    pub tried: Tried,
}

/// The same, with what the caller says of its attempts.
pub(super) fn with_attempts(mut wanted: Vec<Wanted>, attempts: &[Attempt]) -> Vec<Wanted> {
    for want in &mut wanted {
        let of_this = attempts.iter().filter(|attempt| attempt.kind == want.kind && attempt.about == want.about);
        want.tried = of_this.map(|attempt| attempt.tried.clone()).collect();
    }
    wanted
}

/// Where the European Commission publishes the list of trusted lists: TS 119 615 §4.1.
const LIST_OF_LISTS: &str = "https://ec.europa.eu/tools/lotl/eu-lotl.xml";

/// What would help, for every signature and time-stamp that did not pass.
pub(super) fn wanted(facts: &Facts, verdicts: &Verdicts) -> Vec<Wanted> {
    let mut wants = Wants::new(facts, verdicts.time);
    for signature in &facts.signatures {
        let Some(verdict) = verdicts.signature(&signature.id).filter(|v| v.sub_indication.is_some()) else { continue };
        wants.contents(signature);
        wants.chain(&signature.chain, Some(&verdict.blocks));
    }
    for timestamp in &facts.timestamps {
        let Some(verdict) = verdicts.timestamp(&timestamp.id).filter(|v| !v.conclusion().is_passed()) else { continue };
        wants.chain(&timestamp.chain, Some(&verdict.blocks));
    }
    wants.found
}

/// What would help a certificate that did not pass.
pub(super) fn about_certificate(facts: &Facts, verdict: &CertificateVerdict) -> Vec<Wanted> {
    let mut wants = Wants::new(facts, verdict.time);
    if let Some(certificate) = wants.certificate(&verdict.id).filter(|_| verdict.sub_indication.is_some()) {
        let chain: Vec<Id> = std::iter::once(&certificate.id).chain(&certificate.chain).cloned().collect();
        wants.chain(&chain, Some(&verdict.blocks));
    }
    wants.found
}

/// What is wanted so far, each thing once.
struct Wants<'a> {
    facts: &'a Facts,
    time: Time,
    certificates: HashMap<&'a Id, &'a Certificate>,
    revocations: HashMap<&'a Id, &'a Revocation>,
    /// The certificates and lists that were looked at.
    asked: BTreeSet<Id>,
    /// The certificates at which chains end without trust.
    tops: BTreeSet<&'a Id>,
    found: Vec<Wanted>,
}

impl<'a> Wants<'a> {
    fn new(facts: &'a Facts, time: Time) -> Self {
        Self {
            facts,
            time,
            certificates: facts.certificates.iter().map(|c| (&c.id, c)).collect(),
            revocations: facts.revocations.iter().map(|r| (&r.id, r)).collect(),
            asked: BTreeSet::new(),
            tops: BTreeSet::new(),
            found: vec![],
        }
    }

    fn certificate(&self, id: &Id) -> Option<&'a Certificate> {
        self.certificates.get(id).copied()
    }

    fn want(&mut self, kind: WantedKind, urls: &[String], about: &Id) {
        self.found.push(Wanted { kind, urls: urls.to_vec(), about: about.clone(), tried: vec![] });
    }

    /// The files that a signature is over and that are not there.
    fn contents(&mut self, signature: &Signature) {
        let missing = |m: &&Shared<DigestMatcher>| !m.data_found && m.kind != MatcherType::ManifestEntry;
        for matcher in signature.digest_matchers.iter().filter(missing) {
            let name = matcher.uri.as_ref().or(matcher.document_name.as_ref());
            let urls: Vec<String> = name.map(|name| name.to_string()).into_iter().collect();
            self.want(WantedKind::Content, &urls, &signature.id);
        }
    }

    /// Revocation data of every certificate below the anchor; the issuer, where the chain ends without one; a trusted
    /// list, where nobody is trusted. Then the same for whoever signed the revocation data.
    fn chain(&mut self, chain: &[Id], blocks: Option<&BuildingBlocks>) {
        let mut signers = vec![];
        let mut top = None;
        for id in chain {
            let Some(certificate) = self.certificate(id) else { continue };
            if certificate.trust.trusted {
                self.expired_lists(certificate);
                top = None;
                break;
            }
            top = Some(certificate);
            if self.asked.insert(id.clone()) {
                self.about(certificate, blocks.and_then(|blocks| blocks.certificate_in_path(id)));
                let about = certificate.revocations.iter().filter_map(|said| self.revocations.get(&said.revocation));
                signers.extend(about.map(|revocation| &revocation.chain));
            }
        }
        if let Some(top) = top {
            self.list(top);
        }
        // The chains of responders: those of their own revocation data are followed in turn, each certificate once.
        while let Some(chain) = signers.pop() {
            for id in chain {
                let Some(certificate) = self.certificate(id).filter(|c| !c.trust.trusted) else { break };
                if !self.asked.insert(id.clone()) {
                    break;
                }
                self.about(certificate, None);
                let about = certificate.revocations.iter().filter_map(|said| self.revocations.get(&said.revocation));
                signers.extend(about.map(|revocation| &revocation.chain));
            }
        }
    }

    fn about(&mut self, certificate: &Certificate, judged: Option<&CertificateInPath>) {
        let access = certificate.extensions.authority_information_access.clone().unwrap_or_default();
        if certificate.signing_certificate.is_none() && !certificate.self_signed {
            self.want(WantedKind::Issuer, &access.ca_issuers, &certificate.id);
        }
        let extensions = &certificate.extensions;
        let exempt = certificate.self_signed || extensions.ocsp_no_check || extensions.no_rev_avail;
        if exempt || has_revocation_data(certificate, judged) {
            return;
        }
        if !access.ocsp.is_empty() {
            self.want(WantedKind::Ocsp, &access.ocsp, &certificate.id);
        }
        if let Some(points) = extensions.crl_distribution_points.as_ref().filter(|points| !points.is_empty()) {
            self.want(WantedKind::Crl, points, &certificate.id);
        }
    }

    /// Nobody is trusted: where no list was loaded, one could say who is.
    fn list(&mut self, top: &'a Certificate) {
        if self.facts.trusted_lists.is_empty() && self.tops.insert(&top.id) {
            self.want(WantedKind::TrustedList, &[LIST_OF_LISTS.to_owned()], &top.id);
        }
        let expired: Vec<_> = self.facts.trusted_lists.iter().filter(|list| self.is_expired(list)).collect();
        expired.into_iter().for_each(|list| self.again(list));
    }

    /// The lists that vouch for an anchor and that were to be replaced before the time of the judgement.
    fn expired_lists(&mut self, anchor: &Certificate) {
        for provider in &anchor.trust_service_providers {
            let named =
                |list: &&TrustedList| list.id == provider.trusted_list || Some(&list.id) == provider.lotl.as_ref();
            let lists: Vec<_> = self.facts.trusted_lists.iter().filter(named).filter(|l| self.is_expired(l)).collect();
            lists.into_iter().for_each(|list| self.again(list));
        }
    }

    fn is_expired(&self, list: &TrustedList) -> bool {
        list.next_update.is_some_and(|next| next <= self.time)
    }

    fn again(&mut self, list: &TrustedList) {
        if self.asked.insert(list.id.clone()) {
            self.want(WantedKind::TrustedList, std::slice::from_ref(&list.url), &list.id);
        }
    }
}

/// Whether the judgement found revocation data that it could use, and found it recent enough. Where it did not get so
/// far, whether there is any.
fn has_revocation_data(certificate: &Certificate, judged: Option<&CertificateInPath>) -> bool {
    let Some(judged) = judged.filter(|judged| judged.selection.is_some()) else {
        return !certificate.revocations.is_empty();
    };
    let usable = judged.selection.as_ref().is_some_and(|selection| selection.latest.is_some());
    usable && judged.freshness.as_ref().is_none_or(Block::is_passed)
}
