//! Revocation data selection: which of a certificate's revocation data is used (EN 319 102-1 §5.2.6.4,
//! working specification §7.3).
//!
//! Every candidate is judged by `revocation_acceptance`; of those that are acceptable
//! the one that was produced last counts, unless the policy says that a revocation is final
//! (`prevailing`). The later processes select with further conditions
//! (`past_selection`): they drive a `Selector` of their own.

use super::blocks::{RevocationAcceptance, RevocationSelection};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, BlockKind, Conclusion, Failure};
use super::outcome::outcomes;
use super::prevailing;
use super::revocation_acceptance::{self, Candidate, Issuer};
use super::revocation_required::revocation_required;
use super::revocation_walk::Walk;
use super::selection_cache::CachedSelection;
use crate::facts::{Certificate, CertificateRevocation, Revocation, RevocationType};
use crate::policy::{Context, Level, SubContext};
use crate::time::Time;
use std::sync::Arc;

outcomes! {
    /// The outcomes of a selection, of the building block's and of those that look back in time.
    pub(super) enum NotSelected {
        CertificateChainGeneralFailure,
        TryLater,
        NoPoe,
    }
}

/// Selects the revocation data for `certificate` at `time`, once for each certificate and time.
pub fn select<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate, time: Time) -> Arc<RevocationSelection> {
    select_on_walk(cx, certificate, &mut Walk::new(time))
}

/// Selects on a walk through the chains of revocation data's issuers.
fn select_on_walk<'a>(
    cx: &ValidationContext<'a>,
    certificate: &'a Certificate,
    walk: &mut Walk,
) -> Arc<RevocationSelection> {
    if let Some(known) = cx.selections.get(&certificate.id, walk.time)
        && walk.visit_all(&known.visited)
    {
        return known.selection;
    }
    let part = walk.begin(&certificate.id);
    walk.visit(&certificate.id);
    let mut selector = Selector::new(cx, certificate);
    for entry in &certificate.revocations {
        let Some(revocation) = cx.index.revocation(&entry.revocation) else { continue };
        if selector.weigh(Arc::new(judge(cx, certificate, entry, revocation, walk))) {
            selector.accept(revocation);
        }
    }
    let selection = Arc::new(selector.finish(NotSelected::CertificateChainGeneralFailure));
    if let Some(visited) = walk.end(part, &selection) {
        let cached = CachedSelection { selection: selection.clone(), visited };
        cx.selections.insert(&certificate.id, walk.time, cached);
    }
    selection
}

/// Judges one candidate, as far as the budget goes: its issuers' revocation data first.
fn judge<'a>(
    cx: &ValidationContext<'a>,
    certificate: &'a Certificate,
    entry: &CertificateRevocation,
    revocation: &'a Revocation,
    walk: &mut Walk,
) -> RevocationAcceptance {
    if walk.depth > cx.budget.nesting || !cx.spend_revocation_check() {
        walk.gave_up();
        return revocation_acceptance::not_looked_at(certificate, revocation);
    }
    let issuers = issuers(cx, revocation, walk);
    let own = revocation.chain.contains(&certificate.id);
    // NOTE: DSS asks that of OCSP responses, and of no list.
    let circular = match prevailing::is_final(cx) {
        true => own || walk.came_from(&revocation.chain),
        false => own && revocation.kind == RevocationType::Ocsp,
    };
    revocation_acceptance::check(cx, Candidate { certificate, entry, revocation, circular }, issuers)
}

/// Returns the certificates of the data's chain below the anchor, each with its own selection; without those from whose
/// data the walk came here.
///
/// NOTE: DSS leaves out all that were visited: of two pieces from an issuer whose status is unknown it accepts the second one.
fn issuers<'a>(cx: &ValidationContext<'a>, revocation: &'a Revocation, walk: &mut Walk) -> Vec<Issuer<'a>> {
    const CONTEXT: Context = Context::Revocation;
    let mut issuers = vec![];
    for certificate in cx.index.chain(&revocation.chain) {
        let sub = match &revocation.signing_certificate {
            Some(signer) if *signer == certificate.id => SubContext::SigningCertificate,
            _ => SubContext::CaCertificate,
        };
        if cx.is_trust_anchor(certificate, walk.time, CONTEXT, sub) {
            break;
        }
        let left_out = match prevailing::is_final(cx) {
            true => walk.came_from(std::slice::from_ref(&certificate.id)),
            false => walk.has_visited(&certificate.id),
        };
        if left_out {
            continue;
        }
        let required = revocation_required(cx, certificate, walk.time, CONTEXT, sub);
        let known = walk.selected(&certificate.id);
        let again = known.is_some();
        let selection = if required && !certificate.revocations.is_empty() {
            known.or_else(|| Some(select_on_walk(cx, certificate, walk)))
        } else {
            walk.visit(&certificate.id);
            None
        };
        issuers.push(Issuer { certificate, sub, required, selection, again });
    }
    issuers
}

/// A selection while it runs.
#[derive(Debug)]
pub(super) struct Selector<'c, 'a> {
    cx: &'c ValidationContext<'a>,
    certificate: &'a Certificate,
    /// The checks made so far; a variant adds its own.
    pub block: BlockBuilder,
    candidates: Vec<Arc<RevocationAcceptance>>,
    acceptable: Vec<&'a Revocation>,
}

impl<'c, 'a> Selector<'c, 'a> {
    /// Begins the selection for `certificate`.
    pub fn new(cx: &'c ValidationContext<'a>, certificate: &'a Certificate) -> Self {
        let block = BlockBuilder::new(BlockKind::RevocationDataSelection, &certificate.id);
        Self { cx, certificate, block, candidates: vec![], acceptable: vec![] }
    }

    /// Records what acceptance checking says of a candidate, as a warning if it is not acceptable.
    pub fn weigh(&mut self, acceptance: Arc<RevocationAcceptance>) -> bool {
        let acceptable = acceptance.block.is_passed();
        let question =
            CheckId::RevocationDataAcceptable.about(&acceptance.revocation).of_block(BlockKind::RevocationAcceptance);
        let failure = Failure::relayed(&acceptance.block.conclusion);
        let _ = self.block.check_at(Level::Warn, question, acceptable, failure);
        self.candidates.push(acceptance);
        acceptable
    }

    /// Takes a candidate as acceptable.
    pub fn accept(&mut self, revocation: &'a Revocation) {
        self.acceptable.push(revocation);
    }

    /// Returns what was produced last, of two with the same production date the first; or, where the policy says that a
    /// revocation is final, what prevails.
    fn latest(&mut self) -> Option<&'a Revocation> {
        if !prevailing::is_final(self.cx) {
            let later = |last: &Revocation, next: &Revocation| next.production_date > last.production_date;
            return self.acceptable.iter().copied().reduce(|last, next| if later(last, next) { next } else { last });
        }
        let Some((_, revoked)) = prevailing::stated_revocation(self.cx, self.certificate) else {
            return prevailing::latest(self.cx, self.certificate, &self.acceptable);
        };
        if !self.acceptable.iter().any(|data| data.id == revoked.id) {
            self.acceptable.push(revoked);
        }
        Some(revoked)
    }

    /// Ends the selection: with none acceptable it fails so.
    ///
    /// When something is acceptable, what was found wrong with the rest is not worth a message.
    pub fn finish(mut self, none: NotSelected) -> RevocationSelection {
        let latest = self.latest();
        let found = latest.is_some();
        let _ = self.block.check_at(Level::Fail, CheckId::AcceptableRevocationDataFound, found, none);
        let mut block = self.block.finish();
        if found {
            block.conclusion = Conclusion::passed();
        }
        for candidate in self.candidates.iter().filter(|candidate| !found || candidate.block.is_passed()) {
            block.conclusion.add_messages_of(&candidate.block.conclusion);
        }
        RevocationSelection {
            certificate: self.certificate.id.clone(),
            block,
            candidates: self.candidates,
            acceptable: self.acceptable.iter().map(|data| data.id.clone()).collect(),
            latest: latest.map(|latest| latest.id.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::select;
    use crate::facts::{CertificateRevocation, Facts, Id};
    use crate::policy::Policy;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::{answer, check};
    use crate::validation::testing::{at, certificate_mut, valid};

    /// Returns the selection for the signing certificate.
    fn of(cx: &ValidationContext<'_>) -> String {
        let selection = select(cx, cx.index.certificate(&Id::new("SIGNER")).unwrap(), cx.time);
        let latest = selection.latest.as_ref().map_or("none", |id| id.as_str());
        format!("{latest}: {}", answer(&selection.block))
    }

    /// Adds another CRL about the signing certificate.
    fn another(facts: &mut Facts, issued: &str) {
        let mut crl = facts.revocations[0].clone();
        crl.id = Id::new("R-OTHER");
        crl.production_date = Some(at(issued));
        facts.revocations.push(crl);
        let said = &mut certificate_mut(facts, "SIGNER").revocations;
        let also = CertificateRevocation { revocation: Id::new("R-OTHER"), ..said[0].clone() };
        said.push(also);
    }

    /// Makes two responders vouch for each other.
    fn vouch_for_each_other(facts: &mut Facts) {
        for (at, responder) in [(0, "TSA"), (1, "SIGNER")] {
            facts.revocations[at].signing_certificate = Some(Id::new(responder));
            facts.revocations[at].chain = vec![Id::new(responder), Id::new("ROOT")];
        }
    }

    #[test]
    fn situations() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.6.4", "one that is acceptable", |_| {}, "R-SIGNER: PASSED"),
                ("5.2.6.4", "a later one", |f| another(f, "2021-06-02"), "R-OTHER: PASSED"),
                ("5.2.6.4", "of two of the same time the first", |f| another(f, "2021-06-01"), "R-SIGNER: PASSED"),
                (
                    "5.2.6.4",
                    "a later one that is not acceptable",
                    |f| {
                        another(f, "2021-06-02");
                        f.revocations[2].basic.intact = false;
                    },
                    "R-SIGNER: PASSED BBB_XCV_RAC_ANS",
                ),
                (
                    "5.2.6.4",
                    "none that is acceptable",
                    |f| f.revocations[0].basic.intact = false,
                    "none: INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_RAC_ANS BBB_XCV_IARDPFC_ANS",
                ),
                ("5.2.6.4", "responders that vouch for each other", vouch_for_each_other, "R-SIGNER: PASSED"),
            ],
        );
    }

    #[test]
    fn each_piece_rests_on_the_status_of_its_issuer() {
        let mut facts = valid();
        another(&mut facts, "2021-06-02");
        for data in [0, 2] {
            facts.revocations[data].signing_certificate = Some(Id::new("TSA"));
            facts.revocations[data].chain = vec![Id::new("TSA"), Id::new("ROOT")];
        }
        facts.revocations[1].basic.intact = false;
        let policy = Policy::default();
        let cx = ValidationContext::new(&facts, &policy, at("2021-06-02"));
        let selected = select(&cx, cx.index.certificate(&Id::new("SIGNER")).unwrap(), cx.time).latest.clone();
        assert_eq!(selected, None, "5.2.6.4: two pieces from one whose own status is unknown");
    }

    #[test]
    fn what_was_judged_before_does_not_matter() {
        let mut facts = valid();
        vouch_for_each_other(&mut facts);
        let policy = Policy::dss();
        let alone = ValidationContext::new(&facts, &policy, at("2021-06-02"));
        let after = ValidationContext::new(&facts, &policy, at("2021-06-02"));
        select(&after, after.index.certificate(&Id::new("TSA")).unwrap(), after.time);
        assert_eq!(of(&alone), of(&after));
    }

    #[test]
    fn a_responder_is_judged_once() {
        let mut facts = valid();
        // The signer's data comes from the authority, which has data of its own.
        facts.revocations[0].signing_certificate = Some(Id::new("TSA"));
        facts.revocations[0].chain = vec![Id::new("TSA"), Id::new("ROOT")];
        for n in 0..1_000 {
            let mut signer = facts.certificates[1].clone();
            signer.id = Id::new(format!("SIGNER-{n}"));
            facts.certificates.push(signer);
        }
        let policy = Policy::dss();
        let mut cx = ValidationContext::new(&facts, &policy, at("2021-06-02"));
        cx.budget.revocation_checks = 1_002;
        for certificate in facts.certificates.iter().filter(|c| c.id.as_str() != "ROOT") {
            assert!(select(&cx, certificate, cx.time).latest.is_some(), "{}", certificate.id);
        }
    }

    #[test]
    fn beyond_the_budget_nothing_is_acceptable() {
        let facts = valid();
        let policy = Policy::dss();
        let mut cx = ValidationContext::new(&facts, &policy, at("2021-06-02"));
        cx.budget.revocation_checks = 0;
        let none = "none: INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_RAC_ANS BBB_XCV_IARDPFC_ANS";
        assert_eq!(of(&cx), none);
    }
}
