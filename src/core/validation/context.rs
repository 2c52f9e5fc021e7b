//! The context of one judgement: the facts and their index, the policy, the time, the budget.
//!
//! Everything that a building block concludes follows from these. The policy's rules are EN 319 102-1's validation
//! constraints (§5.1.4). By convention the context is called `cx`.

use super::index::FactsIndex;
use super::selection_cache::SelectionCache;
use super::validity::has_begun;
use crate::budget::Budget;
use crate::facts::{Certificate, Facts, Id};
use crate::policy::{Context, CryptographicSuite, Level, Policy, PolicySection, Rule, RuleName, SubContext};
use crate::time::Time;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The context of one judgement.
#[derive(Debug)]
pub struct ValidationContext<'a> {
    /// The record.
    pub facts: &'a Facts,
    /// The record's tokens by id.
    pub index: FactsIndex<'a>,
    /// The policy.
    pub policy: &'a Policy,
    /// The validation time.
    pub time: Time,
    /// What the judgement may spend.
    pub budget: Budget,
    /// The selections of revocation data made so far.
    pub(super) selections: SelectionCache,
    /// Which statement about each certificate `prevailing` has found to be its revocation.
    pub(super) stated: RefCell<HashMap<Id, Option<usize>>>,
    revocation_checks: Cell<usize>,
}

impl<'a> ValidationContext<'a> {
    /// Makes the context of `facts` under `policy` at `time`, within the budget.
    pub fn within(facts: &'a Facts, policy: &'a Policy, time: Time, budget: &Budget) -> Self {
        Self {
            facts,
            index: FactsIndex::new(facts),
            policy,
            time,
            budget: budget.clone(),
            selections: SelectionCache::default(),
            stated: RefCell::default(),
            revocation_checks: Cell::new(0),
        }
    }

    /// Returns the policy's rule of that name in that section. A certificate judged by itself is judged by the rules
    /// for signatures.
    pub fn rule(&self, section: PolicySection, name: RuleName) -> Option<&'a Rule> {
        self.policy.rule(section, name)
    }

    /// Returns the suite that algorithms are checked against: of a token's own signature, or of a certificate of its
    /// chain.
    pub fn suite(&self, context: Context, sub: Option<SubContext>) -> Option<&'a CryptographicSuite> {
        self.policy.cryptographic(context, sub)
    }

    /// Spends one check of revocation data; `false` when none is left.
    pub(super) fn spend_revocation_check(&self) -> bool {
        let spent = self.revocation_checks.get();
        self.revocation_checks.set(spent.saturating_add(1));
        spent < self.budget.revocation_checks
    }

    /// Returns whether `certificate` is a trust anchor at `time`: it is trusted, and its trust has not ended by then or
    /// the policy does not insist on that; nor is it still to come.
    pub fn is_trust_anchor(&self, certificate: &Certificate, time: Time, context: Context, sub: SubContext) -> bool {
        let trust = certificate.trust;
        let section = PolicySection::Certificate(context, sub);
        let insists = |name| self.rule(section, name).is_some_and(|rule| rule.level == Level::Fail);
        trust.trusted
            && trust.sunset.is_none_or(|sunset| time < sunset || !insists(RuleName::SunsetDate))
            && (has_begun(certificate, self.time) || !insists(RuleName::TrustInForce))
    }

    /// Returns the certificates of a chain below its first trust anchor at `time`, and that anchor if there is one.
    pub fn chain_to_anchor(
        &self,
        ids: &'a [Id],
        time: Time,
        context: Context,
    ) -> (Vec<&'a Certificate>, Option<&'a Certificate>) {
        let mut below = vec![];
        for (depth, certificate) in self.index.chain(ids).into_iter().enumerate() {
            if self.is_trust_anchor(certificate, time, context, SubContext::at_depth(depth)) {
                return (below, Some(certificate));
            }
            below.push(certificate);
        }
        (below, None)
    }
}
