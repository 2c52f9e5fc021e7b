//! Certificate policies along a path: RFC 5280 §6.1.2 to §6.1.5, with any policy acceptable at first.
//!
//! Policy mappings (§4.2.1.5) are not part of the facts, as they are not of DSS's. Without them and with
//! any-policy as the only initial one, the tree's depth does not matter: a level is the set of its policies, and
//! the tree is empty once a level is.

use crate::facts::Certificate;
use crate::validation::context::ValidationContext;
use std::collections::BTreeSet;

const ANY_POLICY: &str = "2.5.29.32.0";

/// Returns whether the path of `certificate` ends with a valid policy, where its issuers demand one.
pub fn is_acceptable<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> bool {
    let path: Vec<&Certificate> = std::iter::once(certificate).chain(cx.index.issuers(certificate)).collect();
    let mut level = Some(crate::order::set([ANY_POLICY]));
    // (d), (e): as many certificates as there are may go by before a policy is demanded, or any-policy ends.
    let mut explicit_policy = path.len() as i64 + 1;
    let mut inhibit_any = path.len() as i64 + 1;

    for (depth, link) in path.iter().enumerate().rev() {
        level = next_level(link, level, inhibit_any > 0 || depth > 0 && link.self_signed);
        let constraints = link.extensions.policy_constraints;
        let require = constraints.and_then(|constraints| constraints.require_explicit_policy).filter(|n| *n >= 0);
        if depth > 0 {
            // §6.1.4 (h), (i), (j)
            if !link.self_signed {
                explicit_policy = (explicit_policy - 1).max(0);
                inhibit_any = (inhibit_any - 1).max(0);
            }
            explicit_policy = require.map_or(explicit_policy, |n| explicit_policy.min(n));
            let inhibit = link.extensions.inhibit_any_policy.filter(|n| *n >= 0);
            inhibit_any = inhibit.map_or(inhibit_any, |n| inhibit_any.min(n));
        } else {
            // §6.1.5 (a), (b)
            explicit_policy = if require == Some(0) { 0 } else { (explicit_policy - 1).max(0) };
        }
    }
    explicit_policy > 0 || level.is_some_and(|policies| !policies.is_empty())
}

/// Returns the policies that the certificate carries on (§6.1.3 (d), (e)); `None` once the tree is empty.
fn next_level<'a>(
    link: &'a Certificate,
    level: Option<BTreeSet<&'a str>>,
    any_allowed: bool,
) -> Option<BTreeSet<&'a str>> {
    let above = level?;
    let policies = link.extensions.certificate_policies.as_ref().filter(|policies| !policies.is_empty())?;
    let mut below = BTreeSet::new();
    for policy in policies {
        let oid = policy.oid.as_str();
        if oid != ANY_POLICY {
            // (1)(i), (ii)
            if above.contains(oid) || above.contains(ANY_POLICY) {
                below.insert(oid);
            }
        } else if any_allowed {
            // (2)
            below.extend(above.iter().copied());
        }
    }
    // (3)
    (!below.is_empty()).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{CertificatePolicy, Facts, Id, PolicyConstraints};
    use crate::policy::Policy;
    use crate::validation::situations::check;
    use crate::validation::testing::certificate_mut;

    fn policies(facts: &mut Facts, name: &str, oids: &[&str]) {
        let policy = |oid: &&str| CertificatePolicy { oid: (*oid).into(), cps_url: None };
        certificate_mut(facts, name).extensions.certificate_policies = Some(oids.iter().map(policy).collect());
    }

    /// Makes the anchor demand a policy of every certificate below it.
    fn demanding(facts: &mut Facts) {
        let constraints = PolicyConstraints { require_explicit_policy: Some(0), inhibit_policy_mapping: None };
        certificate_mut(facts, "ROOT").extensions.policy_constraints = Some(constraints);
    }

    #[test]
    fn situations() {
        let of = |cx: &ValidationContext<'_>| {
            is_acceptable(cx, cx.index.certificate(&Id::new("SIGNER")).unwrap()).to_string()
        };
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("RFC 5280 §6.1.5", "no policies, and none demanded", |_| {}, "true"),
                ("RFC 5280 §6.1.5 (g)", "no policies, and one demanded", demanding, "false"),
                (
                    "RFC 5280 §6.1.3 (d)(1)(i)",
                    "a policy that the anchor has",
                    |f| {
                        demanding(f);
                        policies(f, "ROOT", &["1.2.3"]);
                        policies(f, "SIGNER", &["1.2.3"]);
                    },
                    "true",
                ),
                (
                    "RFC 5280 §6.1.3 (d)(1)",
                    "a policy that the anchor does not have",
                    |f| {
                        demanding(f);
                        policies(f, "ROOT", &["1.2.3"]);
                        policies(f, "SIGNER", &["1.2.4"]);
                    },
                    "false",
                ),
                (
                    "RFC 5280 §6.1.3 (d)(1)(ii)",
                    "any policy at the anchor",
                    |f| {
                        demanding(f);
                        policies(f, "ROOT", &[ANY_POLICY]);
                        policies(f, "SIGNER", &["1.2.4"]);
                    },
                    "true",
                ),
                (
                    "RFC 5280 §6.1.3 (d)(2)",
                    "any policy below an anchor that inhibits it",
                    |f| {
                        demanding(f);
                        certificate_mut(f, "ROOT").extensions.inhibit_any_policy = Some(0);
                        policies(f, "ROOT", &["1.2.3"]);
                        policies(f, "SIGNER", &[ANY_POLICY]);
                    },
                    "false",
                ),
                (
                    "RFC 5280 §6.1.5 (b)",
                    "the certificate itself demands one",
                    |f| {
                        let constraints =
                            PolicyConstraints { require_explicit_policy: Some(0), inhibit_policy_mapping: None };
                        certificate_mut(f, "SIGNER").extensions.policy_constraints = Some(constraints);
                    },
                    "false",
                ),
            ],
        );
    }
}
