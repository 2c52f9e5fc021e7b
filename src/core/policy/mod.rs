//! Validation policies: which checks are made, and what follows when one fails.
//!
//! A [`Policy`] is a set of [`Rule`]s by section and name, the cryptographic suites
//! that algorithms are judged by, and the validity model. It is read from a DSS
//! constraint file or taken from our own default.

mod default;
#[cfg(feature = "trusted-lists")]
mod lists;
mod read;
mod rule;
mod rules;
mod schema;
mod stored;
mod stricter;
mod suite;

pub use read::PolicyError;
pub use rule::*;
pub(crate) use rules::Rules;
pub use suite::catalogue::SuiteError;
pub use suite::{CryptographicSuite, Evaluation, SuiteLevels};

use crate::vocabulary::string_enum;
use std::collections::BTreeMap;

string_enum! {
    /// At which time each certificate of a chain must be valid (EN 319 102-1 §5.2.6.4).
    pub enum ValidityModel {
        Shell = "SHELL",
        Chain = "CHAIN",
        Hybrid = "HYBRID",
    }
}

/// A validation policy.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Its name.
    pub(crate) name: String,
    /// What it is for, in its own words.
    pub(crate) description: Option<String>,
    /// The validity model.
    pub(crate) model: ValidityModel,
    pub(crate) rules: Rules,
    /// Whether the policy has an eIDAS part; without one nothing is qualified.
    pub(crate) eidas: bool,
    /// The cryptographic suite of the whole policy.
    pub(crate) suite: Option<CryptographicSuite>,
    /// Those that a section has of its own: about the token itself, or about a certificate of its chain.
    pub(crate) suites: BTreeMap<(Context, Option<SubContext>), CryptographicSuite>,
    /// The SHA-256 of what the policy was read from, lower-case hexadecimal.
    pub(crate) sha256: String,
}

impl Policy {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it is for, in its own words.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Returns the validity model by which certificate paths are judged.
    pub fn model(&self) -> ValidityModel {
        self.model
    }

    /// Returns the rule of that name in that section; `None` when the policy does not have it.
    pub fn rule(&self, section: PolicySection, name: RuleName) -> Option<&Rule> {
        self.rules.get(section.canonical(), name)
    }

    /// Returns every rule and where it stands.
    pub fn rules(&self) -> impl Iterator<Item = (&(PolicySection, RuleName), &Rule)> {
        self.rules.iter()
    }

    /// Returns the suite by which algorithms are judged there: of a token's own signature, or (with a
    /// sub-context) of a certificate in its chain. `None` when algorithms are not judged.
    pub fn cryptographic(&self, context: Context, sub: Option<SubContext>) -> Option<&CryptographicSuite> {
        let context = context.canonical();
        let own = |sub| self.suites.get(&(context, sub));
        own(sub).or_else(|| own(None)).or(self.suite.as_ref())
    }

    /// Judges algorithms by `suite` in every section, as strictly as the suite says. It is another policy then,
    /// and has another digest.
    pub fn with_suite(mut self, suite: CryptographicSuite) -> Self {
        self.suites.clear();
        self.suite = Some(suite);
        self.sha256 = self.digest();
        self
    }

    /// Sets the level of a rule in a section, without values where the policy does not have the rule there. It is
    /// another policy then, and has another digest.
    pub fn with_level(mut self, section: PolicySection, name: RuleName, level: Level) -> Self {
        let mut rules = crate::order::map(self.rules.iter().map(|(key, rule)| (*key, rule.clone())));
        rules.entry((section.canonical(), name)).or_insert_with(|| Rule::new(level)).level = level;
        self.rules = rules.into_iter().collect();
        self.sha256 = self.digest();
        self
    }

    /// Returns whether nothing that the default policy of EU DSS refuses passes under it: it has each of those rules,
    /// at its level or a stricter one, with values of a built-in policy, and judges algorithms and time as they do. An
    /// older version of the built-in policy is one of these; what another one accepts besides is its author's choice.
    pub fn is_strict(&self) -> bool {
        let built_in = [Self::dss(), Self::eidas()];
        let [dss, eidas] = &built_in;
        let compares_alike = |one: &Rule, other: &Rule| *one == Rule { level: one.level, ..other.clone() };
        let known = |(section, name): &(PolicySection, RuleName), rule: &Rule| {
            built_in.iter().filter_map(|policy| policy.rule(*section, *name)).any(|own| compares_alike(rule, own))
        };
        let held = |(section, name): &(PolicySection, RuleName), rule: &Rule| match self.rule(*section, *name) {
            Some(own) => own.level <= rule.level,
            None => eidas.rule(*section, *name).is_none(),
        };
        self.rules().all(|(key, rule)| known(key, rule))
            && dss.rules().all(|(key, rule)| held(key, rule))
            && (self.model, &self.suite, &self.suites) == (dss.model, &dss.suite, &dss.suites)
    }

    /// Returns the digest of the policy as bundles store it: the same for the same rules, however they came together.
    fn digest(&self) -> String {
        read::sha256_hex(self.to_json().as_bytes())
    }

    /// Returns whether the policy has an eIDAS part; without one nothing is qualified.
    pub fn has_eidas(&self) -> bool {
        self.eidas
    }

    /// Returns the SHA-256 of what the policy was read from, lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}
