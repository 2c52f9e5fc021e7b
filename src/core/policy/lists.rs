//! The policy by which the signatures of trusted lists are judged: TS 119 612 §5.7.

use super::RuleName as R;
use super::{Context, Level, Policy, PolicySection, Rule, ValidityModel};
use std::collections::BTreeMap;

/// What a list's signature has to fulfil. The signer is named by the list that points at it, so that nothing is asked
/// about certificates; algorithms are judged as those of other signatures are.
const RULES: &[(PolicySection, R)] = &[
    (PolicySection::Token(Context::Signature), R::FullScope),
    (PolicySection::Basic(Context::Signature), R::ReferenceDataExistence),
    (PolicySection::Basic(Context::Signature), R::ReferenceDataIntact),
    (PolicySection::Basic(Context::Signature), R::SignatureIntact),
    (PolicySection::Basic(Context::Signature), R::ProspectiveCertificateChain),
    (PolicySection::SignedAttributes(Context::Signature), R::SigningCertificatePresent),
    (PolicySection::SignedAttributes(Context::Signature), R::CertDigestPresent),
    (PolicySection::SignedAttributes(Context::Signature), R::CertDigestMatch),
    (PolicySection::SignedAttributes(Context::Signature), R::SigningTime),
];

impl Policy {
    /// Returns the policy by which the signatures of trusted lists are judged.
    pub(crate) fn trusted_lists() -> Self {
        let mut policy = Self {
            name: "Trusted lists".into(),
            description: Some("Signatures of trusted lists (TS 119 612)".into()),
            model: ValidityModel::Shell,
            rules: RULES.iter().map(|&section| (section, Rule::new(Level::Fail))).collect(),
            eidas: false,
            suite: Some(super::suite::ts_119_312::suite()),
            suites: BTreeMap::new(),
            sha256: String::new(),
        };
        policy.sha256 = policy.digest();
        policy
    }
}
