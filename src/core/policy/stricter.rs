//! Where our default policy is stricter than DSS's: docs/policy.md says why, rule by rule.
//!
//! The columns are those of the tables in [`super::default`]; a blank leaves the rule as DSS has it.

use super::default::{Ids, Millis, Values, values};
use super::{Context, PolicySection, RuleName, SubContext};
use Context::{CounterSignature, EvidenceRecord, Revocation, Signature, Timestamp};
use RuleName as R;
use SubContext::{CaCertificate, SigningCertificate};

/// Rules about certificates.
pub(super) const STRICTER_CERTIFICATES: &[(RuleName, &str)] = &[
    (R::SigningKeyUsage, "F F F   "),
    (R::SigningPurpose, "FFFF F  "),
    (R::RevocationFreshnessNextUpdate, "FFFF    "),
    (R::PolicyTree, "FFFFFFFF"),
    (R::NameConstraints, "FFFFFFFF"),
    (R::SupportedCriticalExtensions, "FFFFFFFF"),
    (R::CertificateProfile, "FFFFFFFF"),
    (R::ChainNotExpired, "FFFFFFFF"),
    (R::TrustInForce, "FFFFFFFF"),
    (R::RevocationCurrentAtUse, "    FFFF"),
    (R::RevocationDataAvailable, "     F F"),
    (R::AcceptableRevocationDataFound, "     F F"),
];

/// Rules of DSS's that ours does without: an interval of its own, of which DSS ignores the answer, where the issuer's
/// (nextUpdate) counts.
pub(super) const LEFT_OUT: &[RuleName] = &[R::RevocationFreshness];

/// Rules about the signed data and the signature value.
pub(super) const STRICTER_BASIC: &[(RuleName, &str)] = &[
    (R::DigestComparable, "FFF "),
    (R::DocMDP, "F F "),
    (R::FieldMDP, "F F "),
    (R::SigFieldLock, "F F "),
    (R::UndefinedChanges, "F F "),
];

/// Rules about signed attributes.
pub(super) const STRICTER_SIGNED_ATTRIBUTES: &[(RuleName, &str)] = &[
    (R::CertDigestMatch, "  F"),
    (R::SigningCertificateRefersCertificateChain, "FFF"),
    (R::SigningTimeInCertRange, "  F"),
];

/// Rules about tokens as a whole.
pub(super) const STRICTER_TOKENS: &[(RuleName, &str)] = &[
    (R::OCSPCertHashMatch, "   F "),
    (R::SelfIssuedOCSP, "   F "),
    (R::TimestampNotInFuture, "  F  "),
    (R::Coherence, "  F  "),
    (R::AtsHashIndex, "  F  "),
    (R::AlgorithmAtBestSignatureTime, "FFF  "),
    (R::RevocationIsFinal, "   F "),
    (R::RevocationIssuerNotRevoked, "   F "),
    (R::InvalidityDate, "   F "),
    (R::RevocationNotInFuture, "   F "),
];

/// Rules about ASiC containers.
pub(super) const STRICTER_CONTAINERS: &[(RuleName, &str)] = &[(R::EvidenceRecordContainer, "F")];

/// Rules about trusted lists.
pub(super) const STRICTER_LISTS: &[(RuleName, &str)] = &[(R::TLNotExpired, "F"), (R::TLNotInFuture, "W")];

/// The columns of [`IRREGULARITIES`].
pub(super) const IRREGULARITY_SECTIONS: [PolicySection; 4] = [
    PolicySection::Basic(Signature),
    PolicySection::Basic(CounterSignature),
    PolicySection::Basic(Timestamp),
    PolicySection::Token(EvidenceRecord),
];

/// Rules that DSS does not have, one for each kind of irregularity.
pub(super) const IRREGULARITIES: &[(RuleName, &str)] = &[
    (R::UncoveredOctets, "WWWW"),
    (R::SecondFileType, "FFFF"),
    (R::AmbiguousFileNames, "FFFF"),
    (R::ConfusableFileNames, "WWWW"),
    (R::UnexpectedContainerEntry, "WWWW"),
    (R::PackageManifestMismatch, "WWWW"),
    (R::EncryptedContent, "IIII"),
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
/// NOTE: §4.2.1.12 has no purpose for documents. That for mail stands in certificates of signatories all over Europe;
/// vendors have their own. None of a server's, of code, of time or of status is among them. Those for a person's log-on
/// count only beside nonRepudiation (`validation::sub_xcv::path`).
const SIGNING_PURPOSES: &[&str] = &[
    "2.5.29.37.0",             // anyExtendedKeyUsage
    "1.3.6.1.5.5.7.3.36",      // documentSigning (RFC 9336)
    "1.3.6.1.5.5.7.3.4",       // emailProtection
    "1.2.840.113583.1.1.5",    // Adobe: authentic documents
    "1.3.6.1.4.1.311.10.3.12", // Microsoft: document signing
];

/// The same for a CA above, whose limits are those of what it issues: to servers, to code and to time-stamping units alone it
/// issues nobody who signs.
///
/// NOTE: CAs of qualified certificates state log-on alone, or the responder's purpose.
const ISSUING_PURPOSES: &[&str] = &[
    "2.5.29.37.0",
    "1.3.6.1.5.5.7.3.36",
    "1.3.6.1.5.5.7.3.4",
    "1.2.840.113583.1.1.5",
    "1.3.6.1.4.1.311.10.3.12",
    "1.3.6.1.5.5.7.3.2",      // clientAuth
    "1.3.6.1.4.1.311.20.2.2", // Microsoft: smart card log-on
    "1.3.6.1.5.5.7.3.9",      // OCSPSigning
];

/// The same for a CA above a time-stamping unit.
const STAMPING_PURPOSES: &[&str] = &["2.5.29.37.0", "1.3.6.1.5.5.7.3.8"];

/// The critical extensions that the path engine processes: RFC 5280 §6.1.4 has policyMappings among them (a), DSS's
/// list has not.
const PROCESSED: &[&str] = &[
    "2.5.29.15", // keyUsage
    "2.5.29.17", // subjectAltName
    "2.5.29.19", // basicConstraints
    "2.5.29.30", // nameConstraints
    "2.5.29.31", // cRLDistributionPoints
    "2.5.29.32", // certificatePolicies
    "2.5.29.33", // policyMappings
    "2.5.29.36", // policyConstraints
    "2.5.29.37", // extKeyUsage
    "2.5.29.54", // inhibitAnyPolicy
    "1.3.6.1.5.5.7.1.3",
];
/// The same and ocsp-nocheck, for OCSP responders.
const PROCESSED_BY_RESPONDERS: &[&str] = &[
    "2.5.29.15",
    "2.5.29.17",
    "2.5.29.19",
    "2.5.29.30",
    "2.5.29.31",
    "2.5.29.32",
    "2.5.29.33",
    "2.5.29.36",
    "2.5.29.37",
    "2.5.29.54",
    "1.3.6.1.5.5.7.1.3",
    "1.3.6.1.5.5.7.48.1.5",
];

/// How long revocation data serves that does not say until when: a day.
const WITHOUT_NEXT_UPDATE: i64 = 86_400_000;

/// How much later than ours the clock of an issuer of status information may be: five minutes.
const CLOCKS: i64 = 300_000;

/// How accurate time-stamps are taken to be: a minute, beyond which that is said (RFC 3161 §2.4.2).
const ACCURACY: i64 = 60_000;

/// Returns the values of a rule in a section, where they are not DSS's.
pub(super) fn stricter_values(section: PolicySection, name: RuleName) -> Option<Values> {
    match (name, section) {
        // RFC 5280 §4.2.1.3: both verify signatures; that nonRepudiation is missing is DSS's warning, and ours.
        (R::SigningKeyUsage, _) => Some(Ids(&["nonRepudiation", "digitalSignature"])),
        (R::RevocationFreshnessNextUpdate, _) => Some(Millis(WITHOUT_NEXT_UPDATE)),
        (R::SigningPurpose, PolicySection::Certificate(Timestamp, _)) => Some(Ids(STAMPING_PURPOSES)),
        (R::SigningPurpose, PolicySection::Certificate(_, CaCertificate)) => Some(Ids(ISSUING_PURPOSES)),
        (R::SigningPurpose, _) => Some(Ids(SIGNING_PURPOSES)),
        (R::RevocationNotInFuture, _) => Some(Millis(CLOCKS)),
        (R::Coherence, _) => Some(Millis(ACCURACY)),
        (R::SupportedCriticalExtensions, PolicySection::Certificate(Revocation, SigningCertificate)) => {
            Some(Ids(PROCESSED_BY_RESPONDERS))
        }
        (R::SupportedCriticalExtensions, _) => Some(Ids(PROCESSED)),
        _ => values(section, name),
    }
}
