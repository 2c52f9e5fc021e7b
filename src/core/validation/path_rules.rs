//! What a violation of a path is judged by (RFC 5280 §6.1): the policy's rule, and the question that it answers.

use super::check_id::CheckId;
use super::engine::Question;
use crate::facts::{PathSubject, PathViolation};
use crate::policy::RuleName;

/// Returns the rule and the check about what a path permits.
pub(super) fn about(subject: PathSubject) -> (RuleName, CheckId) {
    match subject {
        PathSubject::Length => (RuleName::MaxPathLength, CheckId::PathLengthRespected),
        PathSubject::Policies => (RuleName::PolicyTree, CheckId::PolicyTreeValid),
        PathSubject::Names => (RuleName::NameConstraints, CheckId::NameConstraintsRespected),
        PathSubject::Extensions => (RuleName::SupportedCriticalExtensions, CheckId::CriticalExtensionsSupported),
        PathSubject::Profile => (RuleName::CertificateProfile, CheckId::CertificateProfile),
    }
}

/// Asks about a violation: which certificate is not as it must be, and what was found.
pub(super) fn question(violation: &PathViolation) -> Question {
    let (_, check) = about(violation.about);
    check.about(violation.certificate.as_ref()).comparing(violation.found.clone())
}
