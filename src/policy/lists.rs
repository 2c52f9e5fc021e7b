//! The policy by which the signatures of trusted lists are judged: TS 119 612 §5.7.

use super::RuleName as R;
use super::{Context, Level, Place, Policy, Rule, ValidityModel};
use std::collections::BTreeMap;

/// What a list's signature has to fulfil. The signer is named by whoever points at the list, so that nothing is asked
/// about certificates; algorithms are judged as those of other signatures are.
const RULES: &[(Place, R)] = &[
    (Place::Token(Context::Signature), R::FullScope),
    (Place::Basic(Context::Signature), R::ReferenceDataExistence),
    (Place::Basic(Context::Signature), R::ReferenceDataIntact),
    (Place::Basic(Context::Signature), R::SignatureIntact),
    (Place::Basic(Context::Signature), R::ProspectiveCertificateChain),
    (Place::SignedAttributes(Context::Signature), R::SigningCertificatePresent),
    (Place::SignedAttributes(Context::Signature), R::CertDigestPresent),
    (Place::SignedAttributes(Context::Signature), R::CertDigestMatch),
    (Place::SignedAttributes(Context::Signature), R::SigningTime),
];

impl Policy {
    /// The policy by which the signatures of trusted lists are judged.
    pub(crate) fn trusted_lists() -> Self {
        let mut policy = Self {
            name: "Trusted lists".into(),
            description: Some("Signatures of trusted lists (TS 119 612)".into()),
            model: ValidityModel::Shell,
            rules: RULES.iter().map(|&place| (place, Rule::new(Level::Fail))).collect(),
            eidas: false,
            suite: Some(super::suite::ts_119_312::suite()),
            suites: BTreeMap::new(),
            sha256: String::new(),
        };
        policy.sha256 = policy.digest();
        policy
    }
}
