//! Policies as JSON, for evidence bundles: every rule and suite, whatever the policy was read from.

use super::suite::{CryptographicSuite, Evaluation, SuiteLevels};
use super::{Context, Policy, PolicySection, Rule, RuleName, SubContext, ValidityModel};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maps whose keys are more than a word stand as lists of pairs.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    name: String,
    description: Option<String>,
    model: ValidityModel,
    rules: Vec<(PolicySection, RuleName, Rule)>,
    eidas: bool,
    suite: Option<StoredSuite>,
    suites: Vec<(Context, Option<SubContext>, StoredSuite)>,
    sha256: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSuite {
    name: Option<String>,
    update: Option<Time>,
    levels: SuiteLevels,
    digests: BTreeMap<DigestAlgorithm, Vec<Evaluation>>,
    signatures: Vec<(KeyAlgorithm, Option<DigestAlgorithm>, Vec<Evaluation>)>,
}

impl Policy {
    /// Returns the policy as JSON, whole.
    pub(crate) fn to_json(&self) -> String {
        let stored = Stored {
            name: self.name.clone(),
            description: self.description.clone(),
            model: self.model,
            rules: self.rules.iter().map(|((section, name), rule)| (*section, *name, rule.clone())).collect(),
            eidas: self.eidas,
            suite: self.suite.as_ref().map(StoredSuite::of),
            suites: self.suites.iter().map(|((context, sub), s)| (*context, *sub, StoredSuite::of(s))).collect(),
            sha256: self.sha256.clone(),
        };
        serde_json::to_string(&stored).expect("every key is a text")
    }

    /// Reads what [`Policy::to_json`] wrote.
    pub(crate) fn from_json(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        let stored: Stored = serde_json::from_slice(bytes)?;
        Ok(Self {
            name: stored.name,
            description: stored.description,
            model: stored.model,
            rules: stored.rules.into_iter().map(|(section, name, rule)| ((section, name), rule)).collect(),
            eidas: stored.eidas,
            suite: stored.suite.map(StoredSuite::suite),
            suites: stored.suites.into_iter().map(|(context, sub, s)| ((context, sub), s.suite())).collect(),
            sha256: stored.sha256,
        })
    }
}

impl StoredSuite {
    fn of(suite: &CryptographicSuite) -> Self {
        Self {
            name: suite.name.clone(),
            update: suite.update,
            levels: suite.levels,
            digests: suite.digests.clone(),
            signatures: suite.signatures.iter().map(|((key, digest), all)| (*key, *digest, all.clone())).collect(),
        }
    }

    fn suite(self) -> CryptographicSuite {
        CryptographicSuite {
            name: self.name,
            update: self.update,
            levels: self.levels,
            digests: self.digests,
            signatures: self.signatures.into_iter().map(|(key, digest, all)| ((key, digest), all)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_comes_back_whole() {
        let suite = CryptographicSuite { name: Some("none".into()), ..CryptographicSuite::default() };
        for policy in [Policy::eidas(), Policy::eidas().with_suite(suite)] {
            let json = policy.to_json();
            let read = Policy::from_json(json.as_bytes()).expect("what was written");
            assert_eq!(format!("{read:?}"), format!("{policy:?}"));
            assert_eq!(read.sha256(), policy.sha256());
            assert_eq!(read.to_json(), json);
        }
    }
}
