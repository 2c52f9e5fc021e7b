//! What may stand where in a DSS constraint file (`policy.xsd` of DSS 5.x to 6.5).

use super::{Context, PolicySection, RuleName};
use RuleName as R;

/// What a rule states besides its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing.
    Level,
    /// `Id` children.
    Values,
    /// A `value` attribute.
    Text,
    /// A `value` attribute that is a number.
    Integer,
    /// `Unit` and `Value` attributes.
    Duration,
    /// `CertificateExtensions` and `CertificatePolicies`.
    Certificate,
}

/// Returns what a rule of that name states.
pub(super) fn form(name: RuleName) -> Form {
    match name {
        R::MinQcEuLimitValue | R::MinQcEuRetentionPeriod => Form::Integer,
        R::QcEuLimitValueCurrency => Form::Text,
        R::TimestampDelay | R::RevocationFreshness | R::TLFreshness | R::LoTEFreshness => Form::Duration,
        R::RevocationDataSkip => Form::Certificate,
        R::AcceptableContainerTypes
        | R::AcceptableZipComment
        | R::AcceptableMimeTypeFileContent
        | R::AcceptablePDFAProfiles
        | R::AcceptablePolicies
        | R::AcceptableFormats
        | R::AttestationType
        | R::Category
        | R::Subject
        | R::Pseudonym
        | R::IssuingCountry
        | R::IssuingAuthority
        | R::IssuingAuthorityRegistrationIdentifier
        | R::Claims
        | R::SupportedClaims
        | R::SupportedNamespaces
        | R::Type
        | R::TrustServiceTypeIdentifier
        | R::TrustServiceStatus
        | R::KeyUsage
        | R::ExtendedKeyUsage
        | R::SigningKeyUsage
        | R::SigningPurpose
        | R::SupportedCriticalExtensions
        | R::ForbiddenExtensions
        | R::Surname
        | R::GivenName
        | R::CommonName
        | R::Title
        | R::Email
        | R::OrganizationIdentifier
        | R::OrganizationUnit
        | R::OrganizationName
        | R::Country
        | R::Locality
        | R::State
        | R::PolicyIds
        | R::QcEuPDSLocation
        | R::QcType
        | R::QcLegislationCountryCodes
        | R::SemanticsIdentifier
        | R::PSD2QcTypeRolesOfPSP
        | R::PSD2QcCompetentAuthorityName
        | R::PSD2QcCompetentAuthorityId
        | R::QcQSCDLegislation
        | R::QcIdentificationMethod
        | R::QcPSBCountryOfLegislation
        | R::QcPSBAuthSourceIdentification
        | R::QcPSBLegislationIdentification
        | R::SignatureType
        | R::ContentType
        | R::ContentHints
        | R::ContentIdentifier
        | R::CommitmentTypeIndication
        | R::ClaimedRoles
        | R::CertifiedRoles
        | R::TLVersion
        | R::LoTEVersion => Form::Values,
        _ => Form::Level,
    }
}

/// Returns the rules that may stand in a section.
pub(super) fn allowed(section: PolicySection) -> &'static [RuleName] {
    match section {
        PolicySection::Container => CONTAINER,
        PolicySection::PdfA => PDFA,
        PolicySection::Token(Context::Timestamp) => TIMESTAMP,
        PolicySection::Token(Context::Revocation) => REVOCATION,
        PolicySection::Token(Context::EvidenceRecord) => EVIDENCE_RECORD,
        PolicySection::Token(Context::Attestation) => ATTESTATION,
        PolicySection::Token(Context::AttestationRevocation) => ATTESTATION_REVOCATION,
        PolicySection::Token(_) => SIGNATURE,
        PolicySection::Basic(_) => BASIC,
        PolicySection::Certificate(..) => CERTIFICATE,
        PolicySection::SignedAttributes(_) => SIGNED_ATTRIBUTES,
        PolicySection::UnsignedAttributes(_) => UNSIGNED_ATTRIBUTES,
        PolicySection::Eidas => EIDAS,
    }
}

/// `ContainerConstraints`.
const CONTAINER: &[RuleName] = &[
    R::AcceptableContainerTypes,
    R::ZipCommentPresent,
    R::AcceptableZipComment,
    R::MimeTypeFilePresent,
    R::AcceptableMimeTypeFileContent,
    R::ManifestFilePresent,
    R::SignedFilesPresent,
    R::FilenameAdherence,
    R::AllFilesSigned,
    R::EvidenceRecordContainer,
];

/// `PDFAConstraints`.
const PDFA: &[RuleName] = &[R::AcceptablePDFAProfiles, R::PDFACompliant];

/// `SignatureConstraints` and its like.
const SIGNATURE: &[RuleName] = &[
    R::StructuralValidation,
    R::AcceptablePolicies,
    R::PolicyAvailable,
    R::SignaturePolicyStorePresent,
    R::PolicyHashMatch,
    R::AcceptableFormats,
    R::FullScope,
    R::AlgorithmAtBestSignatureTime,
];

/// `Timestamp`.
const TIMESTAMP: &[RuleName] = &[
    R::TimestampDelay,
    R::RevocationTimeAgainstBestSignatureTime,
    R::BestSignatureTimeBeforeExpirationDateOfSigningCertificate,
    R::Coherence,
    R::TimestampValid,
    R::TimestampNotInFuture,
    R::TSAGeneralNamePresent,
    R::TSAGeneralNameContentMatch,
    R::TSAGeneralNameOrderMatch,
    R::AtsHashIndex,
    R::ContainerSignedAndTimestampedFilesCovered,
    R::AlgorithmAtBestSignatureTime,
];

/// `Revocation`.
const REVOCATION: &[RuleName] = &[
    R::UnknownStatus,
    R::ThisUpdatePresent,
    R::RevocationIssuerKnown,
    R::RevocationIssuerValidAtProductionTime,
    R::RevocationAfterCertificateIssuance,
    R::RevocationHasInformationAboutCertificate,
    R::OCSPResponderIdMatch,
    R::OCSPResponderAuthorized,
    R::RevocationIsFinal,
    R::RevocationIssuerNotRevoked,
    R::InvalidityDate,
    R::RevocationNotInFuture,
    R::OCSPCertHashPresent,
    R::OCSPCertHashMatch,
    R::SelfIssuedOCSP,
];

/// `EvidenceRecord`.
const EVIDENCE_RECORD: &[RuleName] = &[
    R::EvidenceRecordValid,
    R::DataObjectExistence,
    R::DataObjectIntact,
    R::DataObjectFound,
    R::DataObjectGroup,
    R::SignedFilesCovered,
    R::ContainerSignedAndTimestampedFilesCovered,
    R::HashTreeRenewal,
    R::UncoveredOctets,
    R::SecondFileType,
    R::AmbiguousFileNames,
    R::ConfusableFileNames,
    R::UnexpectedContainerEntry,
    R::PackageManifestMismatch,
    R::EncryptedContent,
    R::UnreadableSignature,
    R::UnreferencedContent,
    R::OtherSignedFile,
    R::PartlySignedContent,
    R::EmptySignedContent,
    R::UnsignedObject,
    R::JoinedContents,
    R::ContentTypeMismatch,
    R::SignerIdentifierMismatch,
    R::MalformedHeader,
    R::FormatViolation,
    R::PageNotCompared,
    R::BudgetExceeded,
    R::CaSigner,
    R::UnnamedSigner,
    R::DeceptiveName,
    R::TimestampingPurpose,
    R::CoarseTime,
    R::EvidenceRecordOrder,
];

/// `Attestation` (DSS 6.5).
const ATTESTATION: &[RuleName] = &[
    R::AttestationSignatureUnicity,
    R::AttestationSignatureValid,
    R::DisclosurePresent,
    R::DisclosureFound,
    R::DisclosureIntact,
    R::DisclosureListExhaustive,
    R::KeyBindingSignaturePresent,
    R::KeyBindingSignatureValid,
    R::ETSI194721Conformance,
    R::AttestationType,
    R::AttestationTypeIntegrityPresent,
    R::IdentifierPresent,
    R::IssuanceDatePresent,
    R::NotBeforePresent,
    R::ExpirationPresent,
    R::NotExpired,
    R::AdministrativeIssuanceDatePresent,
    R::AdministrativeExpirationDatePresent,
    R::AdministrativePeriodNotExpired,
    R::Category,
    R::Subject,
    R::Pseudonym,
    R::IssuingCountry,
    R::IssuingAuthority,
    R::IssuingAuthorityRegistrationIdentifier,
    R::OneTimeUse,
    R::ShortLived,
    R::RevocationPresent,
    R::RevocationAvailable,
    R::AcceptableRevocationFound,
    R::NotRevoked,
    R::NotOnHold,
    R::UsePseudonym,
    R::Claims,
    R::SupportedClaims,
    R::SupportedNamespaces,
];

/// `AttestationRevocation` (DSS 6.5).
const ATTESTATION_REVOCATION: &[RuleName] = &[
    R::Type,
    R::UnknownStatus,
    R::IssuanceTime,
    R::ExpirationTime,
    R::NotExpired,
    R::Subject,
    R::SubjectMatch,
    R::IssuerValidAtIssuanceTime,
];

/// `BasicSignatureConstraints`.
const BASIC: &[RuleName] = &[
    R::ReferenceDataExistence,
    R::ReferenceDataIntact,
    R::ReferenceDataNameMatch,
    R::ManifestEntryObjectExistence,
    R::ManifestEntryObjectGroup,
    R::ManifestEntryObjectIntact,
    R::ManifestEntryNameMatch,
    R::SignatureIntact,
    R::SignatureValid,
    R::SignatureDuplicated,
    R::ProspectiveCertificateChain,
    R::SignerInformationStore,
    R::ByteRange,
    R::ByteRangeCollision,
    R::ByteRangeAllDocument,
    R::PdfSignatureDictionary,
    R::PdfPageDifference,
    R::PdfAnnotationOverlap,
    R::PdfVisualDifference,
    R::DocMDP,
    R::FieldMDP,
    R::SigFieldLock,
    R::FormFillChanges,
    R::AnnotationChanges,
    R::UndefinedChanges,
    R::TrustServiceTypeIdentifier,
    R::TrustServiceStatus,
    R::UncoveredOctets,
    R::SecondFileType,
    R::AmbiguousFileNames,
    R::ConfusableFileNames,
    R::UnexpectedContainerEntry,
    R::PackageManifestMismatch,
    R::EncryptedContent,
    R::UnreadableSignature,
    R::DigestComparable,
    R::UnreferencedContent,
    R::OtherSignedFile,
    R::PartlySignedContent,
    R::EmptySignedContent,
    R::UnsignedObject,
    R::JoinedContents,
    R::ContentTypeMismatch,
    R::SignerIdentifierMismatch,
    R::MalformedHeader,
    R::FormatViolation,
    R::PageNotCompared,
    R::BudgetExceeded,
    R::CaSigner,
    R::UnnamedSigner,
    R::DeceptiveName,
    R::TimestampingPurpose,
    R::CoarseTime,
    R::EvidenceRecordOrder,
];

/// `SigningCertificate` and `CACertificate`.
const CERTIFICATE: &[RuleName] = &[
    R::Recognition,
    R::Signature,
    R::NotExpired,
    R::SunsetDate,
    R::AuthorityInfoAccessPresent,
    R::RevocationDataSkip,
    R::RevocationInfoAccessPresent,
    R::RevocationDataAvailable,
    R::AcceptableRevocationDataFound,
    R::CRLNextUpdatePresent,
    R::OCSPNextUpdatePresent,
    R::RevocationFreshness,
    R::RevocationFreshnessNextUpdate,
    R::CA,
    R::MaxPathLength,
    R::KeyUsage,
    R::ExtendedKeyUsage,
    R::SigningKeyUsage,
    R::SigningPurpose,
    R::CertificateProfile,
    R::ChainNotExpired,
    R::TrustInForce,
    R::RevocationCurrentAtUse,
    R::PolicyTree,
    R::NameConstraints,
    R::AuthorityKeyIdentifierPresent,
    R::SubjectKeyIdentifierPresent,
    R::NoRevAvail,
    R::SupportedCriticalExtensions,
    R::ForbiddenExtensions,
    R::IssuerName,
    R::Surname,
    R::GivenName,
    R::CommonName,
    R::Pseudonym,
    R::Title,
    R::Email,
    R::OrganizationIdentifier,
    R::OrganizationUnit,
    R::OrganizationName,
    R::Country,
    R::Locality,
    R::State,
    R::SerialNumberPresent,
    R::NotRevoked,
    R::NotOnHold,
    R::RevocationIssuerNotExpired,
    R::SelfSigned,
    R::NotSelfSigned,
    R::PolicyIds,
    R::PolicyQualificationIds,
    R::PolicySupportedByQSCDIds,
    R::QcCompliance,
    R::QcEuLimitValueCurrency,
    R::MinQcEuLimitValue,
    R::MinQcEuRetentionPeriod,
    R::QcSSCD,
    R::QcEuPDSLocation,
    R::QcType,
    R::QcLegislationCountryCodes,
    R::IssuedToNaturalPerson,
    R::IssuedToLegalPerson,
    R::SemanticsIdentifier,
    R::PSD2QcTypeRolesOfPSP,
    R::PSD2QcCompetentAuthorityName,
    R::PSD2QcCompetentAuthorityId,
    R::QcQSCDLegislation,
    R::QcIdentificationMethod,
    R::QcPSBCountryOfLegislation,
    R::QcPSBAuthSourceIdentification,
    R::QcPSBLegislationIdentification,
    R::UsePseudonym,
];

/// `SignedAttributes`.
const SIGNED_ATTRIBUTES: &[RuleName] = &[
    R::SigningCertificatePresent,
    R::UnicitySigningCertificate,
    R::SigningCertificateRefersCertificateChain,
    R::ReferencesToAllCertificateChainPresent,
    R::SigningCertificateDigestAlgorithm,
    R::CertDigestPresent,
    R::CertDigestMatch,
    R::IssuerSerialMatch,
    R::KeyIdentifierPresent,
    R::KeyIdentifierMatch,
    R::X509UrlPresent,
    R::X509UrlMatch,
    R::SigningTime,
    R::SigningTimeInCertRange,
    R::SignatureType,
    R::ContentType,
    R::ContentHints,
    R::ContentIdentifier,
    R::MessageDigestOrSignedPropertiesPresent,
    R::EllipticCurveKeySize,
    R::CommitmentTypeIndication,
    R::SignerLocation,
    R::ClaimedRoles,
    R::CertifiedRoles,
    R::ContentTimeStamp,
    R::ContentTimeStampMessageImprint,
];

/// `UnsignedAttributes`.
const UNSIGNED_ATTRIBUTES: &[RuleName] = &[
    R::CounterSignature,
    R::SignatureTimeStamp,
    R::ValidationDataTimeStamp,
    R::ValidationDataRefsOnlyTimeStamp,
    R::ArchiveTimeStamp,
    R::DocumentTimeStamp,
    R::TLevelTimeStamp,
    R::LTALevelTimeStamp,
];

/// `eIDAS`.
const EIDAS: &[RuleName] = &[
    R::TLFreshness,
    R::TLNotExpired,
    R::TLNotInFuture,
    R::TLWellSigned,
    R::TLVersion,
    R::TLStructure,
    R::LoTEFreshness,
    R::LoTENotExpired,
    R::LoTEWellSigned,
    R::LoTEVersion,
    R::LoTEStructure,
];
