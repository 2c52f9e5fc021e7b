//! Revocation data selection: which of a certificate's revocation data is used (EN 319 102-1 §5.2.6.4,
//! working specification §7.3).
//!
//! Every candidate is judged by [`rac`](super::rac); of those that are acceptable the one that was produced last
//! counts. The later processes select with further conditions: they drive a [`Selector`] of their own.

use super::blocks::{Crs, Rac};
use super::case::Case;
use super::engine::{BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::{Indication, SubIndication};
use super::rac;
use crate::facts::{Certificate, Id, Revocation};
use crate::policy::{Level, Rule};
use crate::time::Time;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The selection for `certificate` at `time`, judged once for each certificate and time.
pub fn select<'a>(case: &Case<'a>, certificate: &'a Certificate, time: Time) -> Arc<Crs> {
    case.selection(&certificate.id, time, || select_nested(case, certificate, time, &mut BTreeSet::new(), 0))
}

/// The selection on the way through the chains of revocation data's issuers.
pub(super) fn select_nested<'a>(
    case: &Case<'a>,
    certificate: &'a Certificate,
    time: Time,
    visited: &mut BTreeSet<&'a Id>,
    depth: usize,
) -> Crs {
    visited.insert(&certificate.id);
    let mut selector = Selector::new(certificate);
    for entry in &certificate.revocations {
        let Some(revocation) = case.revocation(&entry.revocation) else { continue };
        let rac = if depth < case.budget.nesting && case.spend_revocation_check() {
            rac::check(case, certificate, entry, revocation, time, visited, depth)
        } else {
            rac::not_looked_at(certificate, revocation)
        };
        if selector.weigh(Arc::new(rac)) {
            selector.accept(revocation);
        }
    }
    selector.finish(Failure::indeterminate(SubIndication::CertificateChainGeneralFailure))
}

/// Relays a selection's result, under the rule `AcceptableRevocationDataFound`.
pub fn check_result(steps: &mut Steps, rule: Option<&Rule>, selection: &Crs) -> Result<(), Concluded> {
    let found = ask!("BBB_XCV_IARDPFC").about(&selection.certificate).of_block(BlockKind::RevocationDataSelection);
    steps.rule(rule, found, selection.block.is_passed(), Failure::relayed(&selection.block.conclusion))
}

/// A selection while it runs.
#[derive(Debug)]
pub struct Selector<'a> {
    certificate: &'a Certificate,
    /// The checks made so far; a variant adds its own.
    pub steps: Steps,
    candidates: Vec<Arc<Rac>>,
    acceptable: Vec<Id>,
    latest: Option<&'a Revocation>,
}

impl<'a> Selector<'a> {
    /// Begins the selection for `certificate`.
    pub fn new(certificate: &'a Certificate) -> Self {
        let steps = Steps::new(BlockKind::RevocationDataSelection, Some(&certificate.id));
        Self { certificate, steps, candidates: vec![], acceptable: vec![], latest: None }
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

    /// Takes a candidate as acceptable. Of two with the same production date the first stays the latest.
    pub fn accept(&mut self, revocation: &'a Revocation) {
        self.acceptable.push(revocation.id.clone());
        let later = |latest: &Revocation| revocation.production_date > latest.production_date;
        if self.latest.is_none_or(later) {
            self.latest = Some(revocation);
        }
    }

    /// Ends the selection: with none acceptable it fails so.
    ///
    /// When something is acceptable, what was found wrong with the rest is not worth a message.
    pub fn finish(mut self, none: Failure) -> Crs {
        let question = ask!("BBB_XCV_IARDPFC");
        let found = self.latest.is_some();
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
            acceptable: self.acceptable,
            latest: self.latest.map(|latest| latest.id.clone()),
        }
    }
}
