//! Certificate policies: RFC 5280 §6.1, with the graph of RFC 9618 in place of the tree, which an attacker can
//! make grow without bound.

use super::{PathError, PathOptions};
use crate::asn1::{Error, Oid, Tag, Tlv, oid};
use crate::x509::Certificate;
use crate::x509::extensions::{CERTIFICATE_POLICIES, INHIBIT_ANY_POLICY, POLICY_CONSTRAINTS, list};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const POLICY_MAPPINGS: Oid<'static> = oid!("2.5.29.33");
const ANY: &str = "2.5.29.32.0";

/// A policy at one depth: what is expected below, and which policies above it led here.
#[derive(Debug, Clone, Default)]
struct Node {
    expected: BTreeSet<String>,
    parents: BTreeSet<String>,
}

type Level = BTreeMap<String, Node>;

/// §6.1.2: the valid policies and the three counters.
pub(super) struct PolicyGraph {
    /// From the anchor down; `None` is the graph that is NULL.
    levels: Option<Vec<Level>>,
    explicit_policy: usize,
    policy_mapping: usize,
    inhibit_any: usize,
    acceptable: BTreeSet<String>,
}

impl PolicyGraph {
    pub fn new(options: &PathOptions, length: usize) -> Self {
        let counter = |now: bool| if now { 0 } else { length + 1 };
        let root = Node { expected: [ANY.to_owned()].into(), parents: BTreeSet::new() };
        Self {
            levels: Some(vec![[(ANY.to_owned(), root)].into()]),
            explicit_policy: counter(options.require_explicit_policy),
            policy_mapping: counter(options.inhibit_policy_mapping),
            inhibit_any: counter(options.inhibit_any_policy),
            acceptable: options.policies.iter().cloned().collect(),
        }
    }

    /// §6.1.3 (d) to (f). The `last` certificate ends the path.
    pub fn process(&mut self, at: usize, certificate: &Certificate, last: bool) -> Result<(), PathError> {
        let stated = match certificate.extension(CERTIFICATE_POLICIES) {
            Some(extension) => Some(policies(extension.value).map_err(|_| unreadable(at, CERTIFICATE_POLICIES))?),
            None => None,
        };
        let any_counts = self.inhibit_any > 0 || !last && certificate.is_self_issued();
        self.levels = self.levels.take().zip(stated).and_then(|(levels, stated)| grow(levels, &stated, any_counts));
        if self.explicit_policy == 0 && self.levels.is_none() {
            return Err(PathError::Policy { at });
        }
        Ok(())
    }

    /// §6.1.4 (a), (b), (h) to (j).
    pub fn prepare(&mut self, at: usize, certificate: &Certificate) -> Result<(), PathError> {
        if let Some(extension) = certificate.extension(POLICY_MAPPINGS) {
            let pairs = mappings(extension.value).map_err(|_| unreadable(at, POLICY_MAPPINGS))?;
            if pairs.iter().any(|(issuer, subject)| issuer == ANY || subject == ANY) {
                return Err(PathError::PolicyMapping { at });
            }
            self.levels = self.levels.take().and_then(|levels| map(levels, pairs, self.policy_mapping > 0));
        }
        if !certificate.is_self_issued() {
            self.explicit_policy = self.explicit_policy.saturating_sub(1);
            self.policy_mapping = self.policy_mapping.saturating_sub(1);
            self.inhibit_any = self.inhibit_any.saturating_sub(1);
        }
        let constraints = certificate.extensions().policy_constraints;
        if constraints.is_none() && certificate.extension(POLICY_CONSTRAINTS).is_some() {
            return Err(unreadable(at, POLICY_CONSTRAINTS));
        }
        if let Some(constraints) = constraints {
            lower(&mut self.explicit_policy, constraints.require_explicit_policy);
            lower(&mut self.policy_mapping, constraints.inhibit_policy_mapping);
        }
        let inhibit = certificate.extensions().inhibit_any_policy;
        if inhibit.is_none() && certificate.extension(INHIBIT_ANY_POLICY).is_some() {
            return Err(unreadable(at, INHIBIT_ANY_POLICY));
        }
        lower(&mut self.inhibit_any, inhibit);
        Ok(())
    }

    /// §6.1.5 (a), (b), (g): the policies for which the path is valid.
    pub fn finish(mut self, first: &Certificate) -> Result<Vec<String>, PathError> {
        self.explicit_policy = self.explicit_policy.saturating_sub(1);
        let required =
            first.extensions().policy_constraints.and_then(|constraints| constraints.require_explicit_policy);
        if required == Some(0) {
            self.explicit_policy = 0;
        }
        let valid = self.levels.as_deref().map(constrained_by_authorities).unwrap_or_default();
        let valid: Vec<String> = if self.acceptable.is_empty() || self.acceptable.contains(ANY) {
            valid.into_iter().collect()
        } else if valid.contains(ANY) {
            self.acceptable.into_iter().collect()
        } else {
            valid.intersection(&self.acceptable).cloned().collect()
        };
        if self.explicit_policy == 0 && valid.is_empty() { Err(PathError::Policy { at: 0 }) } else { Ok(valid) }
    }
}

fn unreadable(at: usize, oid: Oid<'_>) -> PathError {
    PathError::Extension { at, oid: oid.to_string() }
}

fn lower(counter: &mut usize, stated: Option<i64>) {
    if let Some(stated) = stated {
        *counter = (*counter).min(usize::try_from(stated).unwrap_or(0));
    }
}

fn policies(value: &[u8]) -> Result<BTreeSet<String>, Error> {
    let policy = |tlv: Tlv<'_>| Ok(tlv.expecting(Tag::SEQUENCE)?.children().expect(Tag::OID)?.oid()?.to_string());
    Ok(list(Tlv::whole(value)?, policy)?.into_iter().collect())
}

/// `SEQUENCE OF SEQUENCE { issuerDomainPolicy, subjectDomainPolicy }`.
fn mappings(value: &[u8]) -> Result<Vec<(String, String)>, Error> {
    list(Tlv::whole(value)?, |tlv| {
        let mut parts = tlv.expecting(Tag::SEQUENCE)?.children();
        let issuer = parts.expect(Tag::OID)?.oid()?.to_string();
        Ok((issuer, parts.expect(Tag::OID)?.oid()?.to_string()))
    })
}

/// §6.1.3 (d): a level from the policies that a certificate states.
fn grow(mut levels: Vec<Level>, stated: &BTreeSet<String>, any_counts: bool) -> Option<Vec<Level>> {
    let above = levels.last()?;
    let mut below = Level::new();
    let mut add = |policy: &str, parent: &str| {
        let node = below.entry(policy.to_owned()).or_default();
        node.expected.insert(policy.to_owned());
        node.parents.insert(parent.to_owned());
    };
    for policy in stated.iter().filter(|policy| *policy != ANY) {
        let mut expected = above.iter().filter(|(_, node)| node.expected.contains(policy)).peekable();
        if expected.peek().is_some() {
            expected.for_each(|(parent, _)| add(policy, parent));
        } else if above.contains_key(ANY) {
            add(policy, ANY);
        }
    }
    if stated.contains(ANY) && any_counts {
        for (parent, node) in above {
            node.expected
                .iter()
                .filter(|policy| !stated.contains(*policy) || *policy == ANY)
                .for_each(|p| add(p, parent));
        }
    }
    levels.push(below);
    prune(levels)
}

/// §6.1.4 (b): what an issuer calls by one name, its subject calls by others.
fn map(mut levels: Vec<Level>, pairs: Vec<(String, String)>, allowed: bool) -> Option<Vec<Level>> {
    let level = levels.last_mut()?;
    let mut mapped: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (issuer, subject) in pairs {
        mapped.entry(issuer).or_default().insert(subject);
    }
    for (issuer, subjects) in mapped {
        if !allowed {
            level.remove(&issuer);
        } else if let Some(node) = level.get_mut(&issuer) {
            node.expected = subjects;
        } else if level.contains_key(ANY) {
            level.insert(issuer, Node { expected: subjects, parents: [ANY.to_owned()].into() });
        }
    }
    prune(levels)
}

/// Takes away what leads nowhere; `None` when nothing is left.
fn prune(mut levels: Vec<Level>) -> Option<Vec<Level>> {
    for index in (1..levels.len()).rev() {
        let needed: BTreeSet<String> = levels[index].values().flat_map(|node| node.parents.clone()).collect();
        levels[index - 1].retain(|policy, _| needed.contains(policy));
    }
    levels.iter().all(|level| !level.is_empty()).then_some(levels)
}

/// The policies in the words of the anchor's domain: nodes whose parent is anyPolicy (RFC 9618 §5.3 (g)).
fn constrained_by_authorities(levels: &[Level]) -> BTreeSet<String> {
    let mut valid: BTreeSet<String> = BTreeSet::new();
    for level in &levels[1..] {
        let of_any = level.iter().filter(|(policy, node)| *policy != ANY && node.parents.contains(ANY));
        valid.extend(of_any.map(|(policy, _)| policy.clone()));
    }
    if levels.last().is_some_and(|level| level.contains_key(ANY)) {
        valid.insert(ANY.to_owned());
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(policies: &[&str]) -> BTreeSet<String> {
        policies.iter().map(|policy| policy.to_string()).collect()
    }

    fn root() -> Vec<Level> {
        vec![[(ANY.to_owned(), Node { expected: set(&[ANY]), parents: BTreeSet::new() })].into()]
    }

    #[test]
    fn policies_down_a_path() {
        let valid = |levels: Option<Vec<Level>>| levels.map(|levels| constrained_by_authorities(&levels));
        let two = |above: &[&str], below: &[&str]| {
            grow(root(), &set(above), true).and_then(|levels| grow(levels, &set(below), true))
        };
        assert_eq!(valid(two(&["1.1", "1.2"], &["1.1"])), Some(set(&["1.1"])), "6.1.3 (d) (1)");
        assert_eq!(valid(two(&["1.1"], &["1.2"])), None, "6.1.3 (d) (3)");
        assert_eq!(valid(two(&[ANY], &["1.2"])), Some(set(&["1.2"])), "6.1.3 (d) (1) (ii)");
        assert_eq!(valid(two(&["1.1"], &[ANY])), Some(set(&["1.1"])), "6.1.3 (d) (2)");
        assert_eq!(valid(two(&[ANY], &[ANY])), Some(set(&[ANY])), "6.1.3 (d) (2)");
        let mapped = |allowed| {
            let pairs = vec![("1.1".to_owned(), "2.1".to_owned())];
            let levels = grow(root(), &set(&["1.1"]), true).and_then(|levels| map(levels, pairs, allowed));
            valid(levels.and_then(|levels| grow(levels, &set(&["2.1"]), true)))
        };
        assert_eq!(mapped(true), Some(set(&["1.1"])), "6.1.4 (b) (1)");
        assert_eq!(mapped(false), None, "6.1.4 (b) (2)");
    }
}
