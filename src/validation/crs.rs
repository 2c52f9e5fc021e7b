//! Revocation data selection: which of a certificate's revocation data is used (EN 319 102-1 §5.2.6.4,
//! working specification §7.3).
//!
//! Every candidate is judged by [`rac`](super::rac); of those that are acceptable the one that was produced last
//! counts, unless the policy says that a revocation is final ([`prevailing`](super::prevailing)). The later processes select with further conditions: they drive a [`Selector`] of their own.

use super::blocks::{Crs, Rac};
use super::case::Case;
use super::engine::{BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::{Indication, SubIndication};
use super::{prevailing, rac};
use crate::facts::{Certificate, Id, Revocation};
use crate::policy::{Level, Rule};
use crate::time::Time;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The selection for `certificate` at `time`, judged once for each certificate and time.
pub fn select<'a>(case: &Case<'a>, certificate: &'a Certificate, time: Time) -> Arc<Crs> {
    select_on_walk(case, certificate, &mut Walk::new(time))
}

/// The selection on a walk through the chains of revocation data's issuers.
pub(super) fn select_on_walk<'a>(case: &Case<'a>, certificate: &'a Certificate, walk: &mut Walk) -> Arc<Crs> {
    if let Some(known) = case.selection(&certificate.id, walk.time)
        && walk.visit_all(&known.reach)
    {
        return known.selection;
    }
    let outer = walk.begin(&certificate.id);
    walk.visit(&certificate.id);
    let mut selector = Selector::new(case, certificate);
    for entry in &certificate.revocations {
        let Some(revocation) = case.revocation(&entry.revocation) else { continue };
        let rac = if walk.depth <= case.budget.nesting && case.spend_revocation_check() {
            rac::check(case, certificate, entry, revocation, walk)
        } else {
            walk.gave_up();
            rac::not_looked_at(certificate, revocation)
        };
        if selector.weigh(Arc::new(rac)) {
            selector.accept(revocation);
        }
    }
    let none = Failure::indeterminate(SubIndication::CertificateChainGeneralFailure);
    let selection = Arc::new(selector.finish(none));
    if let Some(reach) = walk.end(outer) {
        case.remember_selection(&certificate.id, walk.time, Selected { selection: selection.clone(), reach });
    }
    selection
}

/// A selection that was made before, and the certificates visited for it.
#[derive(Debug, Clone)]
pub(super) struct Selected {
    selection: Arc<Crs>,
    reach: Arc<[Id]>,
}

/// A walk from a certificate to its revocation data, to whoever issued that, to their revocation data, and so on.
///
/// Each certificate's own revocation data is looked at once on a walk, so that responders that vouch for each other
/// come to an end. A part of the walk that met nobody visited before it began comes out the same on every walk.
pub(super) struct Walk {
    pub(super) time: Time,
    depth: usize,
    visited: BTreeMap<Id, usize>,
    order: Vec<Id>,
    /// The certificates whose data is being looked at, each for the one before.
    open: Vec<Id>,
    /// The earliest visit that something was left out for, since the part began.
    met: usize,
}

/// Where a part of a walk began, and what was met before it.
struct Part {
    start: usize,
    met: usize,
}

impl Walk {
    fn new(time: Time) -> Self {
        Self { time, depth: 0, visited: BTreeMap::new(), order: vec![], open: vec![], met: usize::MAX }
    }

    /// Visits a certificate; `false` when it was visited before.
    pub(super) fn visit(&mut self, certificate: &Id) -> bool {
        if let Some(&before) = self.visited.get(certificate) {
            self.met = self.met.min(before);
            return false;
        }
        self.visited.insert(certificate.clone(), self.order.len());
        self.order.push(certificate.clone());
        true
    }

    /// Whether that certificate was visited; if so, something is left out for it.
    pub(super) fn has_visited(&mut self, certificate: &Id) -> bool {
        let before = self.visited.get(certificate).copied();
        self.met = self.met.min(before.unwrap_or(usize::MAX));
        before.is_some()
    }

    /// Whether the walk came here from one of them, so that what they say of each other goes in a circle.
    pub(super) fn came_from(&mut self, certificates: &[Id]) -> bool {
        let open = certificates.iter().find(|id| self.open.contains(id)).cloned();
        open.is_some_and(|id| self.has_visited(&id))
    }

    /// Visits all of them, if none was visited before.
    fn visit_all(&mut self, certificates: &[Id]) -> bool {
        let new = !certificates.iter().any(|certificate| self.visited.contains_key(certificate));
        if new {
            certificates.iter().for_each(|certificate| _ = self.visit(certificate));
        }
        new
    }

    /// Something was left out because it was too much.
    fn gave_up(&mut self) {
        self.met = 0;
    }

    fn begin(&mut self, certificate: &Id) -> Part {
        self.depth += 1;
        self.open.push(certificate.clone());
        Part { start: self.order.len(), met: std::mem::replace(&mut self.met, usize::MAX) }
    }

    /// The certificates visited since, if the part comes out the same on every walk.
    fn end(&mut self, part: Part) -> Option<Arc<[Id]>> {
        self.depth -= 1;
        self.open.pop();
        let complete = self.met >= part.start;
        self.met = self.met.min(part.met);
        complete.then(|| self.order[part.start..].into())
    }
}

/// Relays a selection's result, under the rule `AcceptableRevocationDataFound`.
pub fn check_result(steps: &mut Steps, rule: Option<&Rule>, selection: &Crs) -> Result<(), Concluded> {
    let found = ask!("BBB_XCV_IARDPFC").about(&selection.certificate).of_block(BlockKind::RevocationDataSelection);
    steps.rule(rule, found, selection.block.is_passed(), Failure::relayed(&selection.block.conclusion))
}

/// A selection while it runs.
#[derive(Debug)]
pub struct Selector<'c, 'a> {
    case: &'c Case<'a>,
    certificate: &'a Certificate,
    /// The checks made so far; a variant adds its own.
    pub steps: Steps,
    candidates: Vec<Arc<Rac>>,
    acceptable: Vec<&'a Revocation>,
}

impl<'c, 'a> Selector<'c, 'a> {
    /// Begins the selection for `certificate`.
    pub fn new(case: &'c Case<'a>, certificate: &'a Certificate) -> Self {
        let steps = Steps::new(BlockKind::RevocationDataSelection, Some(&certificate.id));
        Self { case, certificate, steps, candidates: vec![], acceptable: vec![] }
    }

    /// Records what acceptance checking says of a candidate, as a warning if it is not acceptable.
    pub fn weigh(&mut self, rac: Arc<Rac>) -> bool {
        let acceptable = rac.block.is_passed();
        let question = ask!("BBB_XCV_RAC").about(&rac.revocation).of_block(BlockKind::RevocationAcceptance);
        let failure = Failure::relayed(&rac.block.conclusion);
        let _ = self.steps.level(Some(Level::Warn), question, acceptable, failure);
        self.candidates.push(rac);
        acceptable
    }

    /// Takes a candidate as acceptable.
    pub fn accept(&mut self, revocation: &'a Revocation) {
        self.acceptable.push(revocation);
    }

    /// What was produced last, of two with the same production date the first; or, where the policy says that a
    /// revocation is final, what prevails.
    fn latest(&mut self) -> Option<&'a Revocation> {
        if !prevailing::is_final(self.case) {
            let later = |last: &Revocation, next: &Revocation| next.production_date > last.production_date;
            return self.acceptable.iter().copied().reduce(|last, next| if later(last, next) { next } else { last });
        }
        let Some((_, revoked)) = prevailing::stated_revocation(self.case, self.certificate) else {
            return prevailing::latest(self.case, self.certificate, &self.acceptable);
        };
        if !self.acceptable.iter().any(|data| data.id == revoked.id) {
            self.acceptable.push(revoked);
        }
        Some(revoked)
    }

    /// Ends the selection: with none acceptable it fails so.
    ///
    /// When something is acceptable, what was found wrong with the rest is not worth a message.
    pub fn finish(mut self, none: Failure) -> Crs {
        let question = ask!("BBB_XCV_IARDPFC");
        let latest = self.latest();
        let found = latest.is_some();
        let _ = self.steps.level(Some(Level::Fail), question, found, none);
        let mut block =
            self.steps.finish_showing(|check| !found || check.block != Some(BlockKind::RevocationAcceptance));
        for rac in &self.candidates {
            if block.conclusion.indication != Indication::Passed || rac.block.is_passed() {
                block.conclusion.add_messages_of(&rac.block.conclusion);
            }
        }
        Crs {
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
    use crate::validation::case::Case;
    use crate::validation::situations::{answer, check};
    use crate::validation::testing::{at, certificate_mut, valid};

    /// The selection for the signing certificate.
    fn of(case: &Case<'_>) -> String {
        let selection = select(case, case.certificate(&Id::new("SIGNER")).unwrap(), case.time);
        let latest = selection.latest.as_ref().map_or("none", |id| id.as_str());
        format!("{latest}: {}", answer(&selection.block))
    }

    /// Another CRL about the signing certificate.
    fn another(facts: &mut Facts, issued: &str) {
        let mut crl = facts.revocations[0].clone();
        crl.id = Id::new("R-OTHER");
        crl.production_date = Some(at(issued));
        facts.revocations.push(crl);
        let said = &mut certificate_mut(facts, "SIGNER").revocations;
        let also = CertificateRevocation { revocation: Id::new("R-OTHER"), ..said[0].clone() };
        said.push(also);
    }

    /// Two responders, each of whom vouches for the other.
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
    fn what_was_judged_before_does_not_matter() {
        let mut facts = valid();
        vouch_for_each_other(&mut facts);
        let policy = Policy::dss();
        let alone = Case::new(&facts, &policy, at("2021-06-02"));
        let after = Case::new(&facts, &policy, at("2021-06-02"));
        select(&after, after.certificate(&Id::new("TSA")).unwrap(), after.time);
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
        let mut case = Case::new(&facts, &policy, at("2021-06-02"));
        case.budget.revocation_checks = 1_002;
        for certificate in facts.certificates.iter().filter(|c| c.id.as_str() != "ROOT") {
            assert!(select(&case, certificate, case.time).latest.is_some(), "{}", certificate.id);
        }
    }

    #[test]
    fn beyond_the_budget_nothing_is_acceptable() {
        let facts = valid();
        let policy = Policy::dss();
        let mut case = Case::new(&facts, &policy, at("2021-06-02"));
        case.budget.revocation_checks = 0;
        let none = "none: INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_RAC_ANS BBB_XCV_IARDPFC_ANS";
        assert_eq!(of(&case), none);
    }
}
