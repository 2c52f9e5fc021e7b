//! Path violations: RFC 5280 §6.1 without keys and times.
//!
//! When facts are collected, the validation time and the valid signatures are not yet known. Names,
//! policies, path lengths and the form of extensions depend on neither.

use super::{PathError, PathOptions, State, Work, profile, stated_path_length};
use crate::asn1::Oid;
use crate::time::Time;
use crate::x509::Certificate;
use crate::x509::extensions::{
    BASIC_CONSTRAINTS, CERTIFICATE_POLICIES, INHIBIT_ANY_POLICY, NAME_CONSTRAINTS, POLICY_CONSTRAINTS,
};

/// Returns the violations by which the first certificate of a path is not what those above it allow, the anchor last.
/// One that is a CA is taken as an issuer, any other as the end of the path.
pub fn inspect(path: &[Certificate], work: &mut Work) -> Vec<PathError> {
    let Some((anchor, below)) = path.split_last().filter(|(_, below)| !below.is_empty()) else { return Vec::new() };
    // §6.1.4 (k), also of an anchor that could say so: whoever is trusted for what he signs is not trusted for what he
    // certifies. One of version 1 or 2 has no extensions.
    let is_ca = |issuer: &Certificate| issuer.extensions().basic_constraints.is_some_and(|constraints| constraints.ca);
    let issuer = path.get(1).filter(|issuer| issuer.version() == 3 && !is_ca(issuer));
    let mut found: Vec<PathError> = issuer.map(|_| PathError::NotCa { at: 1 }).into_iter().collect();
    let own =
        [profile::unreadable(0, &below[0]), profile::consistent(0, &below[0])].into_iter().filter_map(Result::err);
    found.extend(own);
    if !path.iter().any(limits) {
        return found;
    }
    let issuer = below[0].extensions().basic_constraints.is_some_and(|constraints| constraints.ca);
    let top = below.len();
    let mut state = State::new(&PathOptions::at(Time::default()), top);
    // What an anchor states and cannot be read concerns everybody below, and so does what was not read to spare the work.
    let mut note = |at: usize, result: Result<(), PathError>| {
        let Err(error) = result else { return };
        if (at == 0 || at == top || matches!(error, PathError::Budget { .. })) && !found.contains(&error) {
            found.push(error);
        }
    };
    note(top, state.names.add(top, anchor, work));
    note(top, state.limit(top, anchor));
    for (at, certificate) in below.iter().enumerate().rev() {
        let last = at == 0 && !issuer;
        if !certificate.is_self_issued() || last {
            note(at, state.names.check(at, certificate, work));
        }
        note(at, state.policies.process(at, certificate, last, work));
        if !last {
            note(at, state.policies.prepare(at, certificate, work));
            note(at, state.names.add(at, certificate, work));
            note(at, state.descend(at, certificate));
        }
    }
    if !issuer {
        note(0, state.policies.finish(&below[0]).map(|_| ()));
    }
    found
}

/// Returns whether a certificate limits what is below it.
fn limits(certificate: &Certificate) -> bool {
    let has = |oid: Oid<'_>| certificate.extension(oid).is_some();
    has(NAME_CONSTRAINTS)
        || has(POLICY_CONSTRAINTS)
        || has(INHIBIT_ANY_POLICY)
        || has(super::policies::POLICY_MAPPINGS)
        || !matches!(stated_path_length(0, certificate), Ok(None))
}

/// What a violation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The names that CAs above may certify.
    Names,
    /// Certificate policies.
    Policies,
    /// How many certificates may be below.
    Length,
    /// The extensions themselves.
    Extensions,
    /// What a certificate says that it cannot mean.
    Profile,
}

impl PathError {
    /// Returns the position in the path of the certificate that is not as it must be.
    pub fn certificate(&self) -> Option<usize> {
        match self {
            Self::Signature { at, .. }
            | Self::Key { at, .. }
            | Self::Algorithm { at }
            | Self::Validity { at, .. }
            | Self::Name { at, .. }
            | Self::NameConstraints { at, .. }
            | Self::Policy { at }
            | Self::PolicyMapping { at }
            | Self::NotCa { at }
            | Self::PathLength { at, .. }
            | Self::KeyUsage { at }
            | Self::ExtendedKeyUsage { at, .. }
            | Self::CriticalExtension { at, .. }
            | Self::Extension { at, .. }
            | Self::Profile { at, .. }
            | Self::Revoked { at, .. }
            | Self::Crl { at, .. } => Some(*at),
            Self::TooShort { .. } | Self::NoPath | Self::Budget { .. } => None,
        }
    }

    /// Returns what the violation is about.
    pub fn subject(&self) -> Subject {
        match self {
            Self::NameConstraints { .. } | Self::Budget { .. } => Subject::Names,
            Self::Policy { .. } | Self::PolicyMapping { .. } => Subject::Policies,
            Self::PathLength { .. } => Subject::Length,
            Self::Profile { .. } | Self::NotCa { .. } => Subject::Profile,
            Self::Extension { oid, .. } => {
                let is = |one: Oid<'_>| one.to_string() == *oid;
                match oid {
                    _ if is(NAME_CONSTRAINTS) => Subject::Names,
                    _ if is(BASIC_CONSTRAINTS) => Subject::Length,
                    _ if [CERTIFICATE_POLICIES, POLICY_CONSTRAINTS, INHIBIT_ANY_POLICY].into_iter().any(is) => {
                        Subject::Policies
                    }
                    _ => Subject::Extensions,
                }
            }
            _ => Subject::Extensions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn what_a_violation_is_about() {
        let oid = |oid: Oid<'_>| PathError::Extension { at: 0, oid: oid.to_string() };
        for (clause, error, expected) in [
            ("6.1.3 (b)", PathError::NameConstraints { at: 0, name: "a".into() }, Subject::Names),
            ("4.2.1.10", oid(NAME_CONSTRAINTS), Subject::Names),
            ("6.1.3 (f)", PathError::Policy { at: 0 }, Subject::Policies),
            ("4.2.1.11", oid(POLICY_CONSTRAINTS), Subject::Policies),
            ("6.1.4 (l)", PathError::PathLength { at: 0, limit: 0 }, Subject::Length),
            ("4.2", oid(crate::x509::extensions::KEY_USAGE), Subject::Extensions),
        ] {
            assert_eq!(error.subject(), expected, "{clause} {error}");
        }
    }

    #[test]
    fn an_anchor_alone_violates_nothing() {
        let root = Certificate::from_der(include_bytes!("../../../../examples/documents/root.der")).unwrap();
        assert_eq!(inspect(std::slice::from_ref(&root), &mut Work::new(&Budget::default())), []);
        assert_eq!(inspect(&[root.clone(), root], &mut Work::new(&Budget::default())), [], "self-issued");
    }

    #[test]
    fn the_profile_is_a_matter_of_its_own() {
        let breach = PathError::Profile { at: 0, clause: "4.2.1.9", breach: "keyCertSign without being a CA" };
        assert_eq!(breach.subject(), Subject::Profile);
        assert_eq!(PathError::NotCa { at: 1 }.subject(), Subject::Profile);
    }
}
