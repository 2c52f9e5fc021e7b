//! The built-in policies, row by row: DSS 6.5's for validation under eIDAS, and ours, which is stricter ([`stricter`]).
//!
//! A row is a rule, a column a section. `F` FAIL, `W` WARN, `I` INFORM, `-` IGNORE,
//! blank: the policy does not have the rule there, so that the check is not made.

use super::stricter::*;
use super::suite::ts_119_312;
use super::*;
use Context::{CounterSignature, EvidenceRecord, Revocation, Signature, Timestamp};
use RuleName as R;
use SubContext::{CaCertificate, SigningCertificate};

/// The columns of [`CERTIFICATES`].
const CERTIFICATE_SECTIONS: [PolicySection; 8] = [
    PolicySection::Certificate(Signature, SigningCertificate),
    PolicySection::Certificate(Signature, CaCertificate),
    PolicySection::Certificate(CounterSignature, SigningCertificate),
    PolicySection::Certificate(CounterSignature, CaCertificate),
    PolicySection::Certificate(Timestamp, SigningCertificate),
    PolicySection::Certificate(Timestamp, CaCertificate),
    PolicySection::Certificate(Revocation, SigningCertificate),
    PolicySection::Certificate(Revocation, CaCertificate),
];

/// Rules about certificates: of signatures, counter-signatures, time-stamps and revocation data,
/// first the signing certificate, then CA certificates.
const CERTIFICATES: &[(RuleName, &str)] = &[
    (R::Recognition, "F F F F "),
    (R::Signature, "FFFFFFFF"),
    (R::NotExpired, "FFFFFFFF"),
    (R::SunsetDate, "FFFFFFFF"),
    (R::AuthorityInfoAccessPresent, "W W     "),
    (R::RevocationDataSkip, "I I   - "),
    (R::RevocationInfoAccessPresent, "W W     "),
    (R::RevocationDataAvailable, "FFFFFWFW"),
    (R::AcceptableRevocationDataFound, "FFFFFWFW"),
    (R::CRLNextUpdatePresent, "WWWWWWWW"),
    (R::RevocationFreshness, "--------"),
    (R::KeyUsage, "WFWF F F"),
    (R::PolicyTree, "WWWWWWWW"),
    (R::NameConstraints, "WWWWWWWW"),
    (R::AuthorityKeyIdentifierPresent, "WWWWWWWW"),
    (R::NoRevAvail, "W W     "),
    (R::SupportedCriticalExtensions, "WWWWWWWW"),
    (R::ForbiddenExtensions, "FFFFFF F"),
    (R::IssuerName, "FFFFFFFF"),
    (R::SerialNumberPresent, "W W     "),
    (R::NotRevoked, "FFFFFFFF"),
    (R::NotOnHold, "FFFFFFFF"),
    (R::RevocationIssuerNotExpired, "F       "),
    (R::NotSelfSigned, "W W W   "),
    (R::UsePseudonym, "I I     "),
    (R::CA, " F F F F"),
    (R::MaxPathLength, " F F F F"),
    (R::SubjectKeyIdentifierPresent, " F F F F"),
    (R::ExtendedKeyUsage, "    F   "),
];

/// The columns of [`BASIC`].
const BASIC_SECTIONS: [PolicySection; 4] = [
    PolicySection::Basic(Signature),
    PolicySection::Basic(CounterSignature),
    PolicySection::Basic(Timestamp),
    PolicySection::Basic(Revocation),
];

/// Rules about the signed data and the signature value.
const BASIC: &[(RuleName, &str)] = &[
    (R::ReferenceDataExistence, "FFFF"),
    (R::ReferenceDataIntact, "FFFF"),
    (R::ReferenceDataNameMatch, "WWW "),
    (R::ManifestEntryObjectExistence, "WWW "),
    (R::ManifestEntryObjectGroup, "WWW "),
    (R::ManifestEntryObjectIntact, "FFF "),
    (R::ManifestEntryNameMatch, "WWW "),
    (R::SignatureIntact, "FFFF"),
    (R::SignatureDuplicated, "FF  "),
    (R::ProspectiveCertificateChain, "FFFF"),
    (R::SignerInformationStore, "F   "),
    (R::ByteRange, "F F "),
    (R::ByteRangeCollision, "W W "),
    (R::PdfSignatureDictionary, "F F "),
    (R::PdfPageDifference, "F F "),
    (R::PdfAnnotationOverlap, "W W "),
    (R::PdfVisualDifference, "W W "),
    (R::DocMDP, "W W "),
    (R::FieldMDP, "W W "),
    (R::SigFieldLock, "W W "),
    (R::UndefinedChanges, "W W "),
];

/// The columns of [`SIGNED_ATTRIBUTES`].
const ATTRIBUTE_SECTIONS: [PolicySection; 3] = [
    PolicySection::SignedAttributes(Signature),
    PolicySection::SignedAttributes(CounterSignature),
    PolicySection::SignedAttributes(Timestamp),
];

/// Rules about signed attributes.
const SIGNED_ATTRIBUTES: &[(RuleName, &str)] = &[
    (R::SigningCertificatePresent, "WWW"),
    (R::UnicitySigningCertificate, "WW "),
    (R::SigningCertificateRefersCertificateChain, "WWW"),
    (R::SigningCertificateDigestAlgorithm, "WW "),
    (R::CertDigestPresent, "FFW"),
    (R::CertDigestMatch, "FF "),
    (R::IssuerSerialMatch, "WWW"),
    (R::KeyIdentifierMatch, "WW "),
    (R::SigningTime, "FF "),
    (R::SigningTimeInCertRange, "FF "),
    (R::MessageDigestOrSignedPropertiesPresent, "FF "),
    (R::EllipticCurveKeySize, "WW "),
];

/// The columns of [`TOKENS`].
const TOKEN_SECTIONS: [PolicySection; 5] = [
    PolicySection::Token(Signature),
    PolicySection::Token(CounterSignature),
    PolicySection::Token(Timestamp),
    PolicySection::Token(Revocation),
    PolicySection::Token(EvidenceRecord),
];

/// Rules about tokens as a whole.
const TOKENS: &[(RuleName, &str)] = &[
    (R::StructuralValidation, "W    "),
    (R::AcceptablePolicies, "F    "),
    (R::PolicyAvailable, "I    "),
    (R::PolicyHashMatch, "W    "),
    (R::AcceptableFormats, "F    "),
    (R::TimestampDelay, "  -  "),
    (R::RevocationTimeAgainstBestSignatureTime, "  F  "),
    (R::BestSignatureTimeBeforeExpirationDateOfSigningCertificate, "  F  "),
    (R::Coherence, "  W  "),
    (R::TSAGeneralNameContentMatch, "  W  "),
    (R::AtsHashIndex, "  W  "),
    (R::ContainerSignedAndTimestampedFilesCovered, "  F W"),
    (R::UnknownStatus, "   F "),
    (R::ThisUpdatePresent, "   F "),
    (R::RevocationIssuerKnown, "   F "),
    (R::RevocationIssuerValidAtProductionTime, "   F "),
    (R::RevocationAfterCertificateIssuance, "   F "),
    (R::RevocationHasInformationAboutCertificate, "   F "),
    (R::OCSPResponderIdMatch, "   F "),
    // NOTE: DSS has no such rule: with its policies a holder of a certificate from some trusted CA may say that any
    // other certificate is not revoked.
    (R::OCSPResponderAuthorized, "   F "),
    (R::SelfIssuedOCSP, "   W "),
    (R::DataObjectExistence, "    F"),
    (R::DataObjectIntact, "    F"),
    (R::DataObjectFound, "    F"),
    (R::DataObjectGroup, "    W"),
    (R::SignedFilesCovered, "    W"),
    (R::HashTreeRenewal, "    F"),
];

/// Rules about ASiC containers.
const CONTAINERS: &[(RuleName, &str)] = &[
    (R::AcceptableContainerTypes, "F"),
    (R::MimeTypeFilePresent, "I"),
    (R::AcceptableMimeTypeFileContent, "W"),
    (R::ManifestFilePresent, "F"),
    (R::SignedFilesPresent, "F"),
    (R::FilenameAdherence, "W"),
    (R::AllFilesSigned, "W"),
];

/// Rules about trusted lists.
const EIDAS: &[(RuleName, &str)] = &[
    (R::TLFreshness, "W"),
    (R::TLNotExpired, "W"),
    (R::TLWellSigned, "W"),
    (R::TLVersion, "F"),
    (R::TLStructure, "W"),
    (R::LoTEFreshness, "W"),
    (R::LoTENotExpired, "W"),
    (R::LoTEWellSigned, "W"),
    (R::LoTEVersion, "F"),
    (R::LoTEStructure, "W"),
];

/// What a rule compares with.
#[derive(Clone, Copy)]
pub(super) enum Values {
    Ids(&'static [&'static str]),
    Extensions(&'static [&'static str]),
    Millis(i64),
}
use Values::Extensions;
pub(super) use Values::{Ids, Millis};

const HOUR: i64 = 3_600_000;

/// RFC 6960 §4.2.2.2.1 `id-pkix-ocsp-nocheck`.
const OCSP_NO_CHECK: &str = "1.3.6.1.5.5.7.48.1.5";
/// RFC 9608 `noRevAvail`.
const NO_REV_AVAIL: &str = "2.5.29.56";
/// EN 319 412-1 §5.2 validity assured, short term.
const SHORT_TERM: &str = "0.4.0.194121.2.1";

/// The critical extensions that we process: RFC 5280 §4.2, and EN 319 412-5 QC statements.
pub(super) const SUPPORTED_EXTENSIONS: &[&str] = &[
    "2.5.29.15", // keyUsage
    "2.5.29.32", // certificatePolicies
    "2.5.29.17", // subjectAltName
    "2.5.29.19", // basicConstraints
    "2.5.29.30", // nameConstraints
    "2.5.29.36", // policyConstraints
    "2.5.29.37", // extKeyUsage
    "2.5.29.31", // cRLDistributionPoints
    "2.5.29.54", // inhibitAnyPolicy
    "1.3.6.1.5.5.7.1.3",
];
/// The same and ocsp-nocheck, for OCSP responders.
const SUPPORTED_BY_RESPONDERS: &[&str] = &[
    "2.5.29.15",
    "2.5.29.32",
    "2.5.29.17",
    "2.5.29.19",
    "2.5.29.30",
    "2.5.29.36",
    "2.5.29.37",
    "2.5.29.31",
    "2.5.29.54",
    "1.3.6.1.5.5.7.1.3",
    OCSP_NO_CHECK,
];

/// Returns the values of a rule in a section.
pub(super) fn values(section: PolicySection, name: RuleName) -> Option<Values> {
    let certificate = match section {
        PolicySection::Certificate(context, sub) => Some((context, sub)),
        _ => None,
    };
    Some(match (name, certificate) {
        (R::AcceptableContainerTypes, _) => Ids(&["ASiC-S", "ASiC-E"]),
        (R::AcceptableMimeTypeFileContent, _) => {
            Ids(&["application/vnd.etsi.asic-s+zip", "application/vnd.etsi.asic-e+zip"])
        }
        (R::AcceptablePolicies, _) => Ids(&["ANY_POLICY", "NO_POLICY"]),
        (R::AcceptableFormats, _) => Ids(&["*"]),
        (R::TimestampDelay | R::RevocationFreshness, _) => Millis(0),
        (R::TLFreshness | R::LoTEFreshness, _) => Millis(6 * HOUR),
        (R::TLVersion, _) => Ids(&["5", "6"]),
        (R::LoTEVersion, _) => Ids(&["1"]),
        (R::KeyUsage, Some((_, CaCertificate))) => Ids(&["keyCertSign"]),
        (R::KeyUsage, Some((_, SigningCertificate))) => Ids(&["nonRepudiation"]),
        (R::ExtendedKeyUsage, _) => Ids(&["timeStamping"]),
        (R::RevocationDataSkip, Some((Revocation, _))) => Extensions(&[OCSP_NO_CHECK]),
        (R::RevocationDataSkip, _) => Extensions(&[SHORT_TERM, NO_REV_AVAIL]),
        (R::SupportedCriticalExtensions, Some((Revocation, SigningCertificate))) => Ids(SUPPORTED_BY_RESPONDERS),
        (R::SupportedCriticalExtensions, _) => Ids(SUPPORTED_EXTENSIONS),
        (R::ForbiddenExtensions, Some((_, CaCertificate))) => Ids(&[OCSP_NO_CHECK, NO_REV_AVAIL]),
        (R::ForbiddenExtensions, _) => Ids(&[OCSP_NO_CHECK]),
        _ => return None,
    })
}

fn level(letter: u8) -> Option<Level> {
    match letter {
        b'F' => Some(Level::Fail),
        b'W' => Some(Level::Warn),
        b'I' => Some(Level::Inform),
        b'-' => Some(Level::Ignore),
        _ => None,
    }
}

/// Returns the values of a rule in a section.
type ValuesOf = fn(PolicySection, RuleName) -> Option<Values>;

/// Adds the rules of a table.
fn add(
    rules: &mut BTreeMap<(PolicySection, RuleName), Rule>,
    sections: &[PolicySection],
    table: &[(RuleName, &str)],
    values: ValuesOf,
) {
    for (name, levels) in table {
        for (section, letter) in sections.iter().zip(levels.bytes()) {
            let Some(level) = level(letter) else { continue };
            let mut rule = Rule::new(level);
            let owned = |all: &[&str]| all.iter().map(|&value| value.to_owned()).collect();
            match values(*section, *name) {
                Some(Ids(ids)) => rule.values = owned(ids),
                Some(Extensions(oids)) => rule.certificate_extensions = owned(oids),
                Some(Millis(millis)) => rule.duration_millis = Some(millis),
                None => {}
            }
            rules.insert((*section, *name), rule);
        }
    }
}

/// Returns the rules of [`Policy::dss`].
fn rules_of_dss() -> BTreeMap<(PolicySection, RuleName), Rule> {
    let mut rules = BTreeMap::new();
    add(&mut rules, &CERTIFICATE_SECTIONS, CERTIFICATES, values);
    add(&mut rules, &BASIC_SECTIONS, BASIC, values);
    add(&mut rules, &ATTRIBUTE_SECTIONS, SIGNED_ATTRIBUTES, values);
    add(&mut rules, &TOKEN_SECTIONS, TOKENS, values);
    add(&mut rules, &[PolicySection::Container], CONTAINERS, values);
    add(&mut rules, &[PolicySection::Eidas], EIDAS, values);
    rules
}

impl Policy {
    /// Returns EU DSS 6.5's default policy: validation under the eIDAS regulation, with the algorithms of TS 119 312
    /// v2.1.1.
    pub fn dss() -> Self {
        Self::of("DSS 6.5", "What EU DSS 6.5 demands of signatures and seals by default", rules_of_dss())
    }

    /// Returns the default policy: [`Policy::dss`], and stricter where a warning is not enough (docs/policy.md).
    pub fn eidas() -> Self {
        let of_dss = rules_of_dss().into_iter();
        let mut rules = crate::order::map(of_dss.filter(|((_, name), _)| !LEFT_OUT.contains(name)));
        add(&mut rules, &CERTIFICATE_SECTIONS, STRICTER_CERTIFICATES, stricter_values);
        add(&mut rules, &BASIC_SECTIONS, STRICTER_BASIC, stricter_values);
        add(&mut rules, &ATTRIBUTE_SECTIONS, STRICTER_SIGNED_ATTRIBUTES, stricter_values);
        add(&mut rules, &TOKEN_SECTIONS, STRICTER_TOKENS, stricter_values);
        add(&mut rules, &[PolicySection::Container], STRICTER_CONTAINERS, stricter_values);
        add(&mut rules, &[PolicySection::Eidas], STRICTER_LISTS, stricter_values);
        add(&mut rules, &IRREGULARITY_SECTIONS, IRREGULARITIES, stricter_values);
        let description = "Advanced and qualified electronic signatures and seals under Regulation (EU) No 910/2014";
        Self::of("eIDAS", description, rules)
    }

    fn of(name: &str, description: &str, rules: BTreeMap<(PolicySection, RuleName), Rule>) -> Self {
        let mut policy = Self {
            name: name.into(),
            description: Some(description.into()),
            model: ValidityModel::Shell,
            rules: rules.into_iter().collect(),
            eidas: true,
            suite: Some(ts_119_312::suite()),
            suites: BTreeMap::new(),
            sha256: String::new(),
        };
        policy.sha256 = policy.digest();
        policy
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::eidas()
    }
}
