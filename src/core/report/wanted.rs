//! Missing validation data that could change the verdict, as values that the caller may answer.

use super::{Report, overdue};
use crate::facts::{
    Certificate, DigestMatcher, Id, MatcherType, MissingList, Shared, Signature, TrustState, TrustStore, TrustedList,
};
use crate::qualification::QualifiedCertificate;
use crate::time::Time;
use crate::validation::blocks::{BuildingBlocks, CertificateInPath};
use crate::validation::engine::Block;
use crate::validation::{CertificateVerdict, Findings};
use crate::vocabulary::string_enum;
use serde::Serialize;
use std::collections::BTreeSet;

string_enum! {
    /// A kind of missing validation data.
    pub enum WantedKind {
        /// An OCSP response (RFC 6960) about a certificate.
        Ocsp = "ocsp",
        /// A CRL (RFC 5280 §5) about a certificate.
        Crl = "crl",
        /// The certificate of the issuer (RFC 5280 §4.2.2.1).
        Issuer = "issuer",
        /// A trusted list (TS 119 612), or a newer issue of one.
        TrustedList = "trusted-list",
        /// A detached content that a signature signs.
        Content = "content",
    }
}

/// A piece of validation data that is missing and could change the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// Its kind.
    pub kind: WantedKind,
    /// The addresses that may have it, best first; of a content its name.
    pub urls: Vec<String>,
    /// The token that it is about.
    #[serde(rename = "for")]
    pub about: Id,
    /// Whose trusted list it is: `SchemeTerritory` (TS 119 612 §5.3.10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<String>,
    /// The addresses at which the caller looked for it in vain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
}

/// An address that did not have what was wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The address.
    pub url: String,
    /// Why it was not there, in a sentence.
    pub reason: String,
}

/// Something that the caller looked for in vain: see [`Report::with_attempts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its kind.
    pub kind: WantedKind,
    /// The token that it is about.
    pub about: Id,
    /// The address, and why it was not there.
    pub tried: Tried,
}

/// Adds the caller's attempts to what is wanted.
pub(super) fn with_attempts(mut wanted: Vec<Wanted>, attempts: &[Attempt]) -> Vec<Wanted> {
    for want in &mut wanted {
        let of_this = attempts.iter().filter(|attempt| attempt.kind == want.kind && attempt.about == want.about);
        want.tried = of_this.map(|attempt| attempt.tried.clone()).collect();
    }
    wanted
}

/// Where the European Commission publishes the list of trusted lists: TS 119 615 §4.1.
const LIST_OF_LISTS: &str = "https://ec.europa.eu/tools/lotl/eu-lotl.xml";

/// Returns what could help the signatures and time-stamps that did not pass, and the current issues of overdue lists
/// that a qualification rests on.
pub(super) fn wanted(report: &Report) -> Vec<Wanted> {
    let mut wants = Wants::new(report, report.verdicts.time);
    for signature in report.signatures().filter(|signature| signature.sub_indication().is_some()) {
        wants.contents(signature.facts());
        wants.chain(&signature.facts().chain, Some(&signature.verdict().blocks));
    }
    for timestamp in report.timestamps().filter(|timestamp| !timestamp.verdict().conclusion().is_passed()) {
        wants.chain(&timestamp.facts().chain, Some(&timestamp.verdict().blocks));
    }
    let qualified = report.signatures().filter_map(|signature| Some(&signature.qualified()?.findings));
    let stamps = report.timestamps().filter_map(|timestamp| Some(&timestamp.qualified()?.findings));
    qualified.chain(stamps).for_each(|findings| wants.qualification(findings));
    wants.found
}

/// Returns what could help a certificate that did not pass, and the current issues of overdue lists that its
/// qualification rests on.
pub(super) fn about_certificate(
    report: &Report,
    verdict: &CertificateVerdict,
    qualified: Option<&QualifiedCertificate>,
) -> Vec<Wanted> {
    let mut wants = Wants::new(report, verdict.time);
    if let Some(certificate) = wants.certificate(&verdict.id).filter(|_| verdict.sub_indication.is_some()) {
        let chain: Vec<Id> = std::iter::once(&certificate.id).chain(&certificate.chain).cloned().collect();
        wants.chain(&chain, Some(&verdict.blocks));
    }
    if let Some(qualified) = qualified {
        wants.qualification(&qualified.findings);
    }
    wants.found
}

/// Collects what is wanted, each thing once.
struct Wants<'a> {
    report: &'a Report,
    time: Time,
    /// The certificates and lists that were looked at already.
    asked: BTreeSet<Id>,
    /// The certificates at which chains end without trust.
    tops: BTreeSet<&'a Id>,
    /// These certificates, and the addresses of the absent lists that were added for them.
    missing: BTreeSet<(&'a Id, &'a String)>,
    found: Vec<Wanted>,
}

impl<'a> Wants<'a> {
    fn new(report: &'a Report, time: Time) -> Self {
        Self { report, time, asked: BTreeSet::new(), tops: BTreeSet::new(), missing: BTreeSet::new(), found: vec![] }
    }

    fn certificate(&self, id: &Id) -> Option<&'a Certificate> {
        self.report.certificate(id).map(|certificate| certificate.facts())
    }

    /// Returns the chains of those that signed the revocation data of a certificate.
    fn responders(&self, certificate: &'a Certificate) -> impl Iterator<Item = &'a Vec<Id>> + use<'a> {
        let report = self.report;
        let data = certificate.revocations.iter().filter_map(move |said| report.revocation(&said.revocation));
        data.map(|data| &data.facts().chain)
    }

    fn want(&mut self, kind: WantedKind, urls: &[String], about: &Id) {
        self.found.push(Wanted { kind, urls: urls.to_vec(), about: about.clone(), territory: None, tried: vec![] });
    }

    fn want_list(&mut self, url: &str, territory: Option<&String>, about: &Id) {
        self.want(WantedKind::TrustedList, &[url.to_owned()], about);
        if let Some(wanted) = self.found.last_mut() {
            wanted.territory = territory.cloned();
        }
    }

    /// Adds the files that a signature signs and that are not there.
    fn contents(&mut self, signature: &Signature) {
        let missing = |m: &&Shared<DigestMatcher>| !m.data_found && m.kind != MatcherType::ManifestEntry;
        for matcher in signature.digest_matchers.iter().filter(missing) {
            let name = matcher.uri.as_ref().or(matcher.document_name.as_ref());
            let urls: Vec<String> = name.map(|name| name.to_string()).into_iter().collect();
            self.want(WantedKind::Content, &urls, &signature.id);
        }
    }

    /// Adds revocation data of every certificate below the anchor; the issuer, where the chain ends without one; a
    /// trusted list, where nobody is trusted. Then adds the same for the signers of the revocation data.
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
                signers.extend(self.responders(certificate));
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
                signers.extend(self.responders(certificate));
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

    /// Adds a trusted list for a chain without an anchor: the list of lists where none was loaded, else the list of the
    /// country where it is missing, and newer issues of the expired ones.
    fn list(&mut self, top: &'a Certificate) {
        if !self.has_lists() && self.tops.insert(&top.id) {
            self.want_list(LIST_OF_LISTS, None, &top.id);
        }
        self.missing_lists(top);
        let expired: Vec<_> = self.report.facts.trusted_lists.iter().filter(|list| self.is_expired(list)).collect();
        expired.into_iter().for_each(|list| self.again(list));
    }

    /// Returns whether lists were loaded of which some are current.
    fn has_lists(&self) -> bool {
        let facts = &self.report.facts;
        let current = |store: &TrustStore| {
            store.state() != TrustState::StaleLists && store.lists.as_ref().is_some_and(|l| l.sequence_number.is_some())
        };
        !facts.trusted_lists.is_empty() || facts.trust_store.as_ref().is_some_and(current)
    }

    /// Adds the absent lists of the country that the certificate names: those of the Union write EL and UK for what
    /// ISO 3166 writes GR and GB (TS 119 612 §5.3.10).
    fn missing_lists(&mut self, top: &'a Certificate) {
        let store = self.report.facts.trust_store.as_ref();
        let Some(lists) = store.and_then(|store| store.lists.as_ref()).filter(|lists| !lists.missing_lists.is_empty())
        else {
            return;
        };
        let country = match top.attributes.country.as_deref() {
            Some("GR") => "EL",
            Some("GB") => "UK",
            Some(country) => country,
            None => return,
        };
        let named = |list: &&MissingList| list.territory.as_deref().is_some_and(|t| t.eq_ignore_ascii_case(country));
        for list in lists.missing_lists.iter().filter(named) {
            if self.missing.insert((&top.id, &list.url)) {
                self.want_list(&list.url, list.territory.as_ref(), &top.id);
            }
        }
    }

    /// Adds the lists that vouch for an anchor and that were due to be replaced before the validation time.
    fn expired_lists(&mut self, anchor: &Certificate) {
        for provider in &anchor.trust_service_providers {
            let named =
                |list: &&TrustedList| list.id == provider.trusted_list || Some(&list.id) == provider.lotl.as_ref();
            let lists: Vec<_> =
                self.report.facts.trusted_lists.iter().filter(named).filter(|l| self.is_expired(l)).collect();
            lists.into_iter().for_each(|list| self.again(list));
        }
    }

    /// Adds the current issues of overdue lists that a qualification rests on.
    fn qualification(&mut self, findings: &Findings) {
        let report = self.report;
        overdue::all(report, findings).for_each(|list| self.again(list));
    }

    fn is_expired(&self, list: &TrustedList) -> bool {
        list.next_update.is_some_and(|next| next <= self.time)
    }

    fn again(&mut self, list: &TrustedList) {
        if self.asked.insert(list.id.clone()) {
            self.want_list(&list.url, list.country.as_ref(), &list.id);
        }
    }
}

/// Returns whether usable and fresh revocation data was found; where the judgement did not ask, whether there is any.
fn has_revocation_data(certificate: &Certificate, judged: Option<&CertificateInPath>) -> bool {
    let Some(judged) = judged.filter(|judged| judged.selection.is_some()) else {
        return !certificate.revocations.is_empty();
    };
    let usable = judged.selection.as_ref().is_some_and(|selection| selection.latest.is_some());
    usable && judged.freshness.as_ref().is_none_or(Block::is_passed)
}
