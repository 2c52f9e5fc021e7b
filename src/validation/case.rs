//! What one judgement is about: the facts, found by id; the policy; the time.

use super::crs::Selected;
use super::fc::{ByteRanges, Files};
use super::outcome::{Indication, SubIndication};
use super::xcv::has_begun;
use crate::budget::Budget;
use crate::facts::{Certificate, EvidenceRecord, Facts, Id, Revocation, Signature, Timestamp};
use crate::policy::{Context, CryptographicSuite, Level, Place, Policy, Rule, RuleName, SubContext};
use crate::time::Time;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Facts, policy and time of one judgement. Everything that a building block concludes follows from these.
#[derive(Debug)]
pub struct Case<'a> {
    /// The record.
    pub facts: &'a Facts,
    /// The policy.
    pub policy: &'a Policy,
    /// The validation time.
    pub time: Time,
    /// What the judgement may spend.
    pub budget: Budget,
    certificates: BTreeMap<&'a Id, &'a Certificate>,
    revocations: BTreeMap<&'a Id, &'a Revocation>,
    timestamps: BTreeMap<&'a Id, &'a Timestamp>,
    signatures: BTreeMap<&'a Id, &'a Signature>,
    evidence_records: BTreeMap<&'a Id, &'a EvidenceRecord>,
    selections: RefCell<BTreeMap<Id, BTreeMap<Time, Selected>>>,
    revocation_checks: Cell<usize>,
    /// The files of the container.
    pub(super) files: Files<'a>,
    /// The byte ranges of the document's signatures and time-stamps.
    pub(super) byte_ranges: ByteRanges<'a>,
    /// The signatures to which there are counter-signatures.
    pub(super) countersigned: BTreeSet<&'a Id>,
}

impl<'a> Case<'a> {
    /// The case of `facts` by `policy` at `time`, within the budget. Of tokens with the same id the first counts.
    pub fn within(facts: &'a Facts, policy: &'a Policy, time: Time, budget: &Budget) -> Self {
        let counter_signatures = facts.signatures.iter().filter(|signature| signature.counter_signature);
        Self {
            facts,
            policy,
            time,
            budget: budget.clone(),
            certificates: index(&facts.certificates, |c| &c.id),
            revocations: index(&facts.revocations, |r| &r.id),
            timestamps: index(&facts.timestamps, |t| &t.id),
            signatures: index(&facts.signatures, |s| &s.id),
            evidence_records: index(&facts.evidence_records, |e| &e.id),
            selections: RefCell::default(),
            revocation_checks: Cell::new(0),
            files: Files::new(facts),
            byte_ranges: ByteRanges::new(facts),
            countersigned: counter_signatures.filter_map(|signature| signature.parent.as_ref()).collect(),
        }
    }

    /// The certificate with that id.
    pub fn certificate(&self, id: &Id) -> Option<&'a Certificate> {
        self.certificates.get(id).copied()
    }

    /// The revocation data with that id.
    pub fn revocation(&self, id: &Id) -> Option<&'a Revocation> {
        self.revocations.get(id).copied()
    }

    /// The time-stamp with that id.
    pub fn timestamp(&self, id: &Id) -> Option<&'a Timestamp> {
        self.timestamps.get(id).copied()
    }

    /// The time-stamps with those ids.
    pub fn timestamps<'c>(&'c self, ids: &'c [Id]) -> impl Iterator<Item = &'a Timestamp> + 'c {
        ids.iter().filter_map(|id| self.timestamp(id))
    }

    /// The signature with that id.
    pub fn signature(&self, id: &Id) -> Option<&'a Signature> {
        self.signatures.get(id).copied()
    }

    /// The evidence record with that id.
    pub fn evidence_record(&self, id: &Id) -> Option<&'a EvidenceRecord> {
        self.evidence_records.get(id).copied()
    }

    /// The certificates of a chain, from the signing certificate upwards.
    pub fn chain(&self, ids: &'a [Id]) -> Vec<&'a Certificate> {
        ids.iter().filter_map(|id| self.certificate(id)).collect()
    }

    /// The policy's rule of that name at that place. A certificate judged for itself is judged by the rules for
    /// signatures.
    pub fn rule(&self, place: Place, name: RuleName) -> Option<&'a Rule> {
        self.policy.rule(place, name)
    }

    /// The suite that algorithms are held against: of a token's own signature, or of a certificate of its chain.
    pub fn suite(&self, context: Context, sub: Option<SubContext>) -> Option<&'a CryptographicSuite> {
        self.policy.cryptographic(context, sub)
    }

    /// The issuers of a certificate, from its own upwards.
    pub fn issuers(&self, certificate: &'a Certificate) -> Vec<&'a Certificate> {
        self.chain(&certificate.chain)
    }

    /// Whether a certificate or one of its issuers is trusted, whenever that was: EN 319 102-1's prospective chain.
    pub fn leads_to_trust(&self, certificate: &Certificate) -> bool {
        certificate.trust.trusted || self.has_trusted_issuer(certificate)
    }

    /// Whether one of a certificate's issuers is trusted.
    pub fn has_trusted_issuer(&self, certificate: &Certificate) -> bool {
        certificate.chain.iter().filter_map(|id| self.certificate(id)).any(|issuer| issuer.trust.trusted)
    }

    /// The selection of revocation data for a certificate at a time, where it was made before.
    pub(super) fn selection(&self, certificate: &Id, time: Time) -> Option<Selected> {
        self.selections.borrow().get(certificate)?.get(&time).cloned()
    }

    /// Keeps that selection for the next who asks.
    pub(super) fn remember_selection(&self, certificate: &Id, time: Time, selection: Selected) {
        self.selections.borrow_mut().entry(certificate.clone()).or_default().insert(time, selection);
    }

    /// Spends one check of revocation data; `false` when none is left.
    pub(super) fn spend_revocation_check(&self) -> bool {
        let spent = self.revocation_checks.get();
        self.revocation_checks.set(spent.saturating_add(1));
        spent < self.budget.revocation_checks
    }

    /// Whether `certificate` is a trust anchor at `time`: it is trusted, and its trust has not
    /// ended by then or the policy does not insist on that; nor is it still to come.
    pub fn is_trust_anchor(&self, certificate: &Certificate, time: Time, context: Context, sub: SubContext) -> bool {
        let trust = certificate.trust;
        let insists = || {
            self.rule(Place::Certificate(context, sub), RuleName::SunsetDate).is_some_and(|r| r.level == Level::Fail)
        };
        let may_be_to_come = || {
            let rule = self.rule(Place::Certificate(context, sub), RuleName::TrustInForce);
            rule.is_none_or(|rule| rule.level != Level::Fail)
        };
        trust.trusted
            && trust.sunset.is_none_or(|sunset| time < sunset || !insists())
            && (has_begun(certificate, self.time) || may_be_to_come())
    }

    /// The certificates of a chain below its first trust anchor at `time`, and that anchor if there is one.
    pub fn chain_to_anchor(
        &self,
        ids: &'a [Id],
        time: Time,
        context: Context,
    ) -> (Vec<&'a Certificate>, Option<&'a Certificate>) {
        let mut below = vec![];
        for (depth, certificate) in self.chain(ids).into_iter().enumerate() {
            if self.is_trust_anchor(certificate, time, context, position(depth)) {
                return (below, Some(certificate));
            }
            below.push(certificate);
        }
        (below, None)
    }
}

/// Whose rules apply to the certificate at that place of a chain.
pub fn position(depth: usize) -> SubContext {
    if depth == 0 { SubContext::SigningCertificate } else { SubContext::CaCertificate }
}

fn index<'a, T>(tokens: &'a [T], id: impl Fn(&'a T) -> &'a Id) -> BTreeMap<&'a Id, &'a T> {
    tokens.iter().rev().map(|token| (id(token), token)).collect()
}

/// The sub-indications with which a basic result still lets past validation be tried, where the basic result is
/// that of revocation data or of a time-stamp: EN 319 102-1 §5.6.2.4, and DSS's lists for its selectors.
pub fn allows_past_validation(indication: Indication, sub: Option<SubIndication>) -> bool {
    use SubIndication::*;
    indication == Indication::Passed
        || indication == Indication::Indeterminate
            && matches!(
                sub,
                Some(
                    RevokedNoPoe
                        | RevokedCaNoPoe
                        | OutOfBoundsNoPoe
                        | OutOfBoundsNotRevoked
                        | CryptoConstraintsFailureNoPoe
                        | RevocationOutOfBoundsNoPoe
                        | NoCertificateChainFoundNoPoe
                )
            )
}
