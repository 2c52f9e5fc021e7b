//! Where our default policy is stricter than DSS's: docs/policy.md says why, rule by rule.
//!
//! The columns are those of the tables in [`super::default`]; a blank leaves the rule as DSS has it.

use super::default::{Ids, Millis, Values, values};
use super::{Context, Place, RuleName};
use Context::{CounterSignature, EvidenceRecord, Signature, Timestamp};
use RuleName as R;

/// Rules about certificates.
pub(super) const STRICTER_CERTIFICATES: &[(RuleName, &str)] = &[
    (R::SigningKeyUsage, "F F F   "),
    (R::SigningPurpose, "F F     "),
    (R::RevocationFreshnessNextUpdate, "FFFF    "),
    (R::PolicyTree, "FFFFFFFF"),
    (R::NameConstraints, "FFFFFFFF"),
    (R::SupportedCriticalExtensions, "FFFFFFFF"),
];

/// Rules of DSS's that ours does without: an interval of its own, of which DSS ignores the answer, where the issuer's
/// (nextUpdate) counts.
pub(super) const LEFT_OUT: &[RuleName] = &[R::RevocationFreshness];

/// Rules about the signed data and the signature value.
pub(super) const STRICTER_BASIC: &[(RuleName, &str)] =
    &[(R::DocMDP, "F F "), (R::FieldMDP, "F F "), (R::SigFieldLock, "F F "), (R::UndefinedChanges, "F F ")];

/// Rules about signed attributes.
pub(super) const STRICTER_SIGNED_ATTRIBUTES: &[(RuleName, &str)] =
    &[(R::SigningCertificateRefersCertificateChain, "FFF")];

/// Rules about tokens as a whole.
pub(super) const STRICTER_TOKENS: &[(RuleName, &str)] = &[
    (R::SelfIssuedOCSP, "   F "),
    (R::TimestampNotInFuture, "  F  "),
    (R::RevocationIsFinal, "   F "),
    (R::RevocationIssuerNotRevoked, "   F "),
    (R::RevocationNotInFuture, "   W "),
];

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
    (R::UnnamedSigner, "WWWW"),
    (R::DeceptiveName, "WWWW"),
    (R::TimestampingPurpose, "WWWW"),
    (R::CoarseTime, "WWWW"),
    (R::EvidenceRecordOrder, "FFFF"),
];

/// Purposes with which a key may sign documents: RFC 5280 §4.2.1.12, RFC 9336.
///
/// NOTE: §4.2.1.12 has no purpose for documents. Those for mail and for a person's log-in stand in certificates of
/// signatories all over Europe; vendors have their own. None of a server's, of code, of time or of status is among them.
const SIGNING_PURPOSES: &[&str] = &[
    "2.5.29.37.0",             // anyExtendedKeyUsage
    "1.3.6.1.5.5.7.3.36",      // documentSigning (RFC 9336)
    "1.3.6.1.5.5.7.3.4",       // emailProtection
    "1.3.6.1.5.5.7.3.2",       // clientAuth
    "1.2.840.113583.1.1.5",    // Adobe: authentic documents
    "1.3.6.1.4.1.311.10.3.12", // Microsoft: document signing
    "1.3.6.1.4.1.311.20.2.2",  // Microsoft: smart card log-on
];

/// How long revocation data serves that does not say until when: a day.
const WITHOUT_NEXT_UPDATE: i64 = 86_400_000;

/// The values of a rule at a place, where they are not DSS's.
pub(super) fn stricter_values(place: Place, name: RuleName) -> Option<Values> {
    match (name, place) {
        // RFC 5280 §4.2.1.3: both verify signatures; that nonRepudiation is missing is DSS's warning, and ours.
        (R::SigningKeyUsage, _) => Some(Ids(&["nonRepudiation", "digitalSignature"])),
        (R::RevocationFreshnessNextUpdate, _) => Some(Millis(WITHOUT_NEXT_UPDATE)),
        (R::SigningPurpose, _) => Some(Ids(SIGNING_PURPOSES)),
        _ => values(place, name),
    }
}
