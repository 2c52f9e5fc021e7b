//! Certificate policies: RFC 5280 §6.1, with the graph of RFC 9618 in place of the tree, which an attacker can
//! make grow without bound.

use super::{PathError, PathOptions, Work};
use crate::asn1::{Error, Oid, Tag, Tlv, oid};
use crate::order;
use crate::x509::Certificate;
use crate::x509::extensions::{CERTIFICATE_POLICIES, INHIBIT_ANY_POLICY, POLICY_CONSTRAINTS, list};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const POLICY_MAPPINGS: Oid<'static> = oid!("2.5.29.33");
/// `anyPolicy`: RFC 5280 §4.2.1.4.
const ANY: Oid<'static> = oid!("2.5.29.32.0");

/// A policy at one depth: what is expected below, and which policies above it led here.
#[derive(Debug, Clone, Default)]
struct Node<'p> {
    expected: BTreeSet<Oid<'p>>,
    parents: BTreeSet<Oid<'p>>,
}

/// How many policies of a path count as one comparison: those above are looked at again for each certificate.
const NODES: usize = 16;

type Level<'p> = BTreeMap<Oid<'p>, Node<'p>>;

/// §6.1.2: the valid policies and the three counters.
pub(super) struct PolicyGraph<'p> {
    /// From the anchor down; `None` is the graph that is NULL.
    levels: Option<Vec<Level<'p>>>,
    explicit_policy: usize,
    policy_mapping: usize,
    inhibit_any: usize,
    /// Dotted, as the caller states them.
    acceptable: BTreeSet<String>,
}

impl<'p> PolicyGraph<'p> {
    pub fn new(options: &PathOptions, length: usize) -> Self {
        let counter = |now: bool| if now { 0 } else { length + 1 };
        let root = Node { expected: order::set([ANY]), parents: BTreeSet::new() };
        Self {
            levels: Some(vec![order::map([(ANY, root)])]),
            explicit_policy: counter(options.require_explicit_policy),
            policy_mapping: counter(options.inhibit_policy_mapping),
            inhibit_any: counter(options.inhibit_any_policy),
            acceptable: order::set(options.policies.iter().cloned()),
        }
    }

    /// Processes the policies of a certificate (§6.1.3 (d) to (f)). The `last` certificate ends the path.
    pub fn process(
        &mut self,
        at: usize,
        certificate: &'p Certificate,
        last: bool,
        work: &mut Work,
    ) -> Result<(), PathError> {
        work.read(certificate, CERTIFICATE_POLICIES)?;
        work.compare(self.levels.iter().flatten().map(Level::len).sum::<usize>() / NODES)?;
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

    /// Prepares for the certificate below (§6.1.4 (a), (b), (h) to (j)).
    pub fn prepare(&mut self, at: usize, certificate: &'p Certificate, work: &mut Work) -> Result<(), PathError> {
        work.read(certificate, POLICY_MAPPINGS)?;
        if let Some(extension) = certificate.extension(POLICY_MAPPINGS) {
            let pairs = mappings(extension.value).map_err(|_| unreadable(at, POLICY_MAPPINGS))?;
            if pairs.iter().any(|(issuer, subject)| *issuer == ANY || *subject == ANY) {
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

    /// Returns the policies for which the path is valid (§6.1.5 (a), (b), (g)).
    pub fn finish(mut self, first: &Certificate) -> Result<Vec<String>, PathError> {
        self.explicit_policy = self.explicit_policy.saturating_sub(1);
        let required =
            first.extensions().policy_constraints.and_then(|constraints| constraints.require_explicit_policy);
        if required == Some(0) {
            self.explicit_policy = 0;
        }
        let valid = self.levels.as_deref().map(constrained_by_authorities).unwrap_or_default();
        let (valid, any) = (order::set(valid.iter().map(Oid::dotted)), ANY.dotted());
        let valid: Vec<String> = if self.acceptable.is_empty() || self.acceptable.contains(&any) {
            valid.into_iter().collect()
        } else if valid.contains(&any) {
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

fn policies(value: &[u8]) -> Result<BTreeSet<Oid<'_>>, Error> {
    Ok(order::set(list(Tlv::whole(value)?, policy)?))
}

/// Returns the identifier of a `PolicyInformation`.
fn policy(information: Tlv<'_>) -> Result<Oid<'_>, Error> {
    information.expecting(Tag::SEQUENCE)?.children().expect(Tag::OID)?.oid()
}

/// Reads `SEQUENCE OF SEQUENCE { issuerDomainPolicy, subjectDomainPolicy }`.
fn mappings(value: &[u8]) -> Result<Vec<(Oid<'_>, Oid<'_>)>, Error> {
    list(Tlv::whole(value)?, |tlv| {
        let mut parts = tlv.expecting(Tag::SEQUENCE)?.children();
        let issuer = parts.expect(Tag::OID)?.oid()?;
        Ok((issuer, parts.expect(Tag::OID)?.oid()?))
    })
}

/// Adds a level from the policies that a certificate states (§6.1.3 (d)).
fn grow<'p>(mut levels: Vec<Level<'p>>, stated: &BTreeSet<Oid<'p>>, any_counts: bool) -> Option<Vec<Level<'p>>> {
    let above = levels.last()?;
    let mut below = Level::new();
    for (parent, node) in above {
        let expected = node.expected.iter().filter(|policy| **policy != ANY && stated.contains(policy));
        expected.for_each(|policy| add(&mut below, *policy, *parent));
    }
    if above.contains_key(&ANY) {
        for &policy in stated.iter().filter(|policy| **policy != ANY) {
            if !below.contains_key(&policy) {
                add(&mut below, policy, ANY);
            }
        }
    }
    if stated.contains(&ANY) && any_counts {
        for (parent, node) in above {
            node.expected
                .iter()
                .filter(|policy| !stated.contains(policy) || **policy == ANY)
                .for_each(|policy| add(&mut below, *policy, *parent));
        }
    }
    levels.push(below);
    prune(levels)
}

/// Adds to a level a policy that one of the level above leads to.
fn add<'p>(level: &mut Level<'p>, policy: Oid<'p>, parent: Oid<'p>) {
    let node = level.entry(policy).or_default();
    node.expected.insert(policy);
    node.parents.insert(parent);
}

/// Maps policies: what an issuer calls by one name, its subject calls by others (§6.1.4 (b)).
fn map<'p>(mut levels: Vec<Level<'p>>, pairs: Vec<(Oid<'p>, Oid<'p>)>, allowed: bool) -> Option<Vec<Level<'p>>> {
    let level = levels.last_mut()?;
    let mut mapped: BTreeMap<Oid<'p>, BTreeSet<Oid<'p>>> = BTreeMap::new();
    for (issuer, subject) in pairs {
        mapped.entry(issuer).or_default().insert(subject);
    }
    if !allowed {
        keep(level, &|policy| !mapped.contains_key(policy));
        return prune(levels);
    }
    for (issuer, subjects) in mapped {
        if let Some(node) = level.get_mut(&issuer) {
            node.expected = subjects;
        } else if level.contains_key(&ANY) {
            level.insert(issuer, Node { expected: subjects, parents: order::set([ANY]) });
        }
    }
    prune(levels)
}

/// Keeps some of the policies of a level.
fn keep<'p>(level: &mut Level<'p>, is_kept: &dyn Fn(&Oid<'p>) -> bool) {
    *level = order::map(std::mem::take(level).into_iter().filter(|(policy, _)| is_kept(policy)));
}

/// Takes away what leads nowhere; `None` when nothing is left.
fn prune(mut levels: Vec<Level<'_>>) -> Option<Vec<Level<'_>>> {
    for index in (1..levels.len()).rev() {
        let needed = order::set(levels[index].values().flat_map(|node| &node.parents).copied());
        keep(&mut levels[index - 1], &|policy| needed.contains(policy));
    }
    levels.iter().all(|level| !level.is_empty()).then_some(levels)
}

/// Returns the policies in the words of the anchor's domain: nodes whose parent is anyPolicy (RFC 9618 §5.3 (g)).
fn constrained_by_authorities<'p>(levels: &[Level<'p>]) -> BTreeSet<Oid<'p>> {
    let mut valid: BTreeSet<Oid<'p>> = BTreeSet::new();
    for level in &levels[1..] {
        let of_any = level.iter().filter(|(policy, node)| **policy != ANY && node.parents.contains(&ANY));
        valid.extend(of_any.map(|(policy, _)| *policy));
    }
    if levels.last().is_some_and(|level| level.contains_key(&ANY)) {
        valid.insert(ANY);
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    const A1: Oid<'static> = oid!("1.1");
    const A2: Oid<'static> = oid!("1.2");
    const B1: Oid<'static> = oid!("2.1");

    fn set(policies: &[Oid<'static>]) -> BTreeSet<Oid<'static>> {
        policies.iter().copied().collect()
    }

    fn root() -> Vec<Level<'static>> {
        vec![[(ANY, Node { expected: set(&[ANY]), parents: BTreeSet::new() })].into()]
    }

    #[test]
    fn policies_down_a_path() {
        let valid = |levels: Option<Vec<Level<'static>>>| levels.map(|levels| constrained_by_authorities(&levels));
        let two = |above: &[Oid<'static>], below: &[Oid<'static>]| {
            grow(root(), &set(above), true).and_then(|levels| grow(levels, &set(below), true))
        };
        assert_eq!(valid(two(&[A1, A2], &[A1])), Some(set(&[A1])), "6.1.3 (d) (1)");
        assert_eq!(valid(two(&[A1], &[A2])), None, "6.1.3 (d) (3)");
        assert_eq!(valid(two(&[ANY], &[A2])), Some(set(&[A2])), "6.1.3 (d) (1) (ii)");
        assert_eq!(valid(two(&[A1], &[ANY])), Some(set(&[A1])), "6.1.3 (d) (2)");
        assert_eq!(valid(two(&[ANY], &[ANY])), Some(set(&[ANY])), "6.1.3 (d) (2)");
        let mapped = |allowed| {
            let levels = grow(root(), &set(&[A1]), true).and_then(|levels| map(levels, vec![(A1, B1)], allowed));
            valid(levels.and_then(|levels| grow(levels, &set(&[B1]), true)))
        };
        assert_eq!(mapped(true), Some(set(&[A1])), "6.1.4 (b) (1)");
        assert_eq!(mapped(false), None, "6.1.4 (b) (2)");
    }
}
