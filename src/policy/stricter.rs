//! Where our default policy is stricter than DSS's: docs/policy.md says why, rule by rule.
//!
//! The columns are those of the tables in [`super::default`]; a blank leaves the rule as DSS has it.

use super::{Context, Place, RuleName};
use Context::{CounterSignature, EvidenceRecord, Signature, Timestamp};
use RuleName as R;

/// Rules about certificates.
pub(super) const STRICTER_CERTIFICATES: &[(RuleName, &str)] = &[
    (R::KeyUsage, "F F     "),
    (R::PolicyTree, "FFFFFFFF"),
    (R::NameConstraints, "FFFFFFFF"),
    (R::SupportedCriticalExtensions, "FFFFFFFF"),
];

/// Rules about the signed data and the signature value.
pub(super) const STRICTER_BASIC: &[(RuleName, &str)] =
    &[(R::DocMDP, "F F "), (R::FieldMDP, "F F "), (R::SigFieldLock, "F F "), (R::UndefinedChanges, "F F ")];

/// Rules about signed attributes.
pub(super) const STRICTER_SIGNED_ATTRIBUTES: &[(RuleName, &str)] = &[];

/// Rules about tokens as a whole.
pub(super) const STRICTER_TOKENS: &[(RuleName, &str)] = &[];

/// Rules about ASiC containers.
pub(super) const STRICTER_CONTAINERS: &[(RuleName, &str)] = &[];

/// The columns of [`IRREGULARITIES`].
pub(super) const IRREGULARITY_PLACES: [Place; 4] =
    [Place::Basic(Signature), Place::Basic(CounterSignature), Place::Basic(Timestamp), Place::Token(EvidenceRecord)];

/// Rules that DSS does not have, one for each kind of irregularity.
pub(super) const IRREGULARITIES: &[(RuleName, &str)] = &[
    (R::UncoveredOctets, "WWWW"),
    (R::SecondFileType, "FFFF"),
    (R::AmbiguousFileNames, "FFFF"),
    (R::ConfusableFileNames, "WWWW"),
    (R::UnexpectedContainerEntry, "WWWW"),
    (R::UnreadableSignature, "FFFF"),
    (R::UnreferencedContent, "FFFF"),
    (R::OtherSignedFile, "FFFF"),
    (R::PartlySignedContent, "WWWW"),
    (R::EmptySignedContent, "FFFF"),
    (R::UnsignedObject, "WWWW"),
    (R::JoinedContents, "WWWW"),
    (R::ContentTypeMismatch, "WWWW"),
    (R::SignerIdentifierMismatch, "WWWW"),
    (R::MalformedHeader, "WWWW"),
    (R::FormatViolation, "FFFF"),
    (R::PageNotCompared, "W W "),
    (R::BudgetExceeded, "FFFF"),
    (R::CaSigner, "WWWW"),
    (R::TimestampingPurpose, "WWWW"),
    (R::EvidenceRecordOrder, "FFFF"),
];
