//! The rules of a validation policy: names, levels, values.

use crate::vocabulary::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// What follows from a check that fails (DSS policy, TS 119 172-4's constraint levels).
    pub enum Level {
        /// The check decides.
        Fail = "FAIL",
        /// The check only warns.
        Warn = "WARN",
        /// The check only informs.
        Inform = "INFORM",
        /// The check is not made, and the report says so.
        Ignore = "IGNORE",
    }
}

string_enum! {
    /// The name of a rule: the name of its element in a DSS constraint file.
    pub enum RuleName {
        AcceptableContainerTypes = "AcceptableContainerTypes",
        ZipCommentPresent = "ZipCommentPresent",
        AcceptableZipComment = "AcceptableZipComment",
        MimeTypeFilePresent = "MimeTypeFilePresent",
        AcceptableMimeTypeFileContent = "AcceptableMimeTypeFileContent",
        ManifestFilePresent = "ManifestFilePresent",
        SignedFilesPresent = "SignedFilesPresent",
        FilenameAdherence = "FilenameAdherence",
        AllFilesSigned = "AllFilesSigned",
        /// Not a rule of DSS: what is asked of signatures in a container is asked of an evidence record over no signature.
        EvidenceRecordContainer = "EvidenceRecordContainer",
        AcceptablePDFAProfiles = "AcceptablePDFAProfiles",
        PDFACompliant = "PDFACompliant",
        StructuralValidation = "StructuralValidation",
        AcceptablePolicies = "AcceptablePolicies",
        PolicyAvailable = "PolicyAvailable",
        SignaturePolicyStorePresent = "SignaturePolicyStorePresent",
        PolicyHashMatch = "PolicyHashMatch",
        AcceptableFormats = "AcceptableFormats",
        FullScope = "FullScope",
        SigningCertificatePresent = "SigningCertificatePresent",
        UnicitySigningCertificate = "UnicitySigningCertificate",
        SigningCertificateRefersCertificateChain = "SigningCertificateRefersCertificateChain",
        ReferencesToAllCertificateChainPresent = "ReferencesToAllCertificateChainPresent",
        SigningCertificateDigestAlgorithm = "SigningCertificateDigestAlgorithm",
        CertDigestPresent = "CertDigestPresent",
        CertDigestMatch = "CertDigestMatch",
        IssuerSerialMatch = "IssuerSerialMatch",
        KeyIdentifierPresent = "KeyIdentifierPresent",
        KeyIdentifierMatch = "KeyIdentifierMatch",
        SigningTime = "SigningTime",
        SigningTimeInCertRange = "SigningTimeInCertRange",
        ContentType = "ContentType",
        ContentHints = "ContentHints",
        ContentIdentifier = "ContentIdentifier",
        MessageDigestOrSignedPropertiesPresent = "MessageDigestOrSignedPropertiesPresent",
        EllipticCurveKeySize = "EllipticCurveKeySize",
        CommitmentTypeIndication = "CommitmentTypeIndication",
        SignerLocation = "SignerLocation",
        ClaimedRoles = "ClaimedRoles",
        CertifiedRoles = "CertifiedRoles",
        ContentTimeStamp = "ContentTimeStamp",
        ContentTimeStampMessageImprint = "ContentTimeStampMessageImprint",
        CounterSignature = "CounterSignature",
        SignatureTimeStamp = "SignatureTimeStamp",
        ValidationDataTimeStamp = "ValidationDataTimeStamp",
        ValidationDataRefsOnlyTimeStamp = "ValidationDataRefsOnlyTimeStamp",
        ArchiveTimeStamp = "ArchiveTimeStamp",
        DocumentTimeStamp = "DocumentTimeStamp",
        TLevelTimeStamp = "TLevelTimeStamp",
        LTALevelTimeStamp = "LTALevelTimeStamp",
        TimestampDelay = "TimestampDelay",
        RevocationTimeAgainstBestSignatureTime = "RevocationTimeAgainstBestSignatureTime",
        BestSignatureTimeBeforeExpirationDateOfSigningCertificate = "BestSignatureTimeBeforeExpirationDateOfSigningCertificate",
        Coherence = "Coherence",
        TimestampValid = "TimestampValid",
        /// Not a rule of DSS.
        TimestampNotInFuture = "TimestampNotInFuture",
        TSAGeneralNamePresent = "TSAGeneralNamePresent",
        TSAGeneralNameContentMatch = "TSAGeneralNameContentMatch",
        TSAGeneralNameOrderMatch = "TSAGeneralNameOrderMatch",
        AtsHashIndex = "AtsHashIndex",
        ContainerSignedAndTimestampedFilesCovered = "ContainerSignedAndTimestampedFilesCovered",
        UnknownStatus = "UnknownStatus",
        ThisUpdatePresent = "ThisUpdatePresent",
        RevocationIssuerKnown = "RevocationIssuerKnown",
        RevocationIssuerValidAtProductionTime = "RevocationIssuerValidAtProductionTime",
        RevocationAfterCertificateIssuance = "RevocationAfterCertificateIssuance",
        RevocationHasInformationAboutCertificate = "RevocationHasInformationAboutCertificate",
        OCSPResponderIdMatch = "OCSPResponderIdMatch",
        /// Not a rule of DSS.
        OCSPResponderAuthorized = "OCSPResponderAuthorized",
        /// Not a rule of DSS: the value's algorithm was reliable at the best signature time, whatever else is wrong.
        AlgorithmAtBestSignatureTime = "AlgorithmAtBestSignatureTime",
        /// Not a rule of DSS: no answer undoes a stated revocation, and what is there is not silenced.
        RevocationIsFinal = "RevocationIsFinal",
        /// Not a rule of DSS.
        RevocationIssuerNotRevoked = "RevocationIssuerNotRevoked",
        /// Not a rule of DSS: who revokes a certificate may say that it is not to be relied on since an earlier time.
        InvalidityDate = "InvalidityDate",
        /// Not a rule of DSS.
        RevocationNotInFuture = "RevocationNotInFuture",
        OCSPCertHashPresent = "OCSPCertHashPresent",
        OCSPCertHashMatch = "OCSPCertHashMatch",
        SelfIssuedOCSP = "SelfIssuedOCSP",
        EvidenceRecordValid = "EvidenceRecordValid",
        DataObjectExistence = "DataObjectExistence",
        DataObjectIntact = "DataObjectIntact",
        DataObjectFound = "DataObjectFound",
        DataObjectGroup = "DataObjectGroup",
        SignedFilesCovered = "SignedFilesCovered",
        HashTreeRenewal = "HashTreeRenewal",
        ReferenceDataExistence = "ReferenceDataExistence",
        ReferenceDataIntact = "ReferenceDataIntact",
        ReferenceDataNameMatch = "ReferenceDataNameMatch",
        ManifestEntryObjectExistence = "ManifestEntryObjectExistence",
        ManifestEntryObjectGroup = "ManifestEntryObjectGroup",
        ManifestEntryObjectIntact = "ManifestEntryObjectIntact",
        ManifestEntryNameMatch = "ManifestEntryNameMatch",
        SignatureIntact = "SignatureIntact",
        SignatureValid = "SignatureValid",
        SignatureDuplicated = "SignatureDuplicated",
        ProspectiveCertificateChain = "ProspectiveCertificateChain",
        SignerInformationStore = "SignerInformationStore",
        ByteRange = "ByteRange",
        ByteRangeCollision = "ByteRangeCollision",
        ByteRangeAllDocument = "ByteRangeAllDocument",
        PdfSignatureDictionary = "PdfSignatureDictionary",
        PdfPageDifference = "PdfPageDifference",
        PdfAnnotationOverlap = "PdfAnnotationOverlap",
        PdfVisualDifference = "PdfVisualDifference",
        DocMDP = "DocMDP",
        FieldMDP = "FieldMDP",
        SigFieldLock = "SigFieldLock",
        FormFillChanges = "FormFillChanges",
        AnnotationChanges = "AnnotationChanges",
        UndefinedChanges = "UndefinedChanges",
        TrustServiceTypeIdentifier = "TrustServiceTypeIdentifier",
        TrustServiceStatus = "TrustServiceStatus",
        Recognition = "Recognition",
        Signature = "Signature",
        NotExpired = "NotExpired",
        SunsetDate = "SunsetDate",
        AuthorityInfoAccessPresent = "AuthorityInfoAccessPresent",
        RevocationDataSkip = "RevocationDataSkip",
        RevocationInfoAccessPresent = "RevocationInfoAccessPresent",
        RevocationDataAvailable = "RevocationDataAvailable",
        AcceptableRevocationDataFound = "AcceptableRevocationDataFound",
        CRLNextUpdatePresent = "CRLNextUpdatePresent",
        OCSPNextUpdatePresent = "OCSPNextUpdatePresent",
        RevocationFreshness = "RevocationFreshness",
        RevocationFreshnessNextUpdate = "RevocationFreshnessNextUpdate",
        CA = "CA",
        MaxPathLength = "MaxPathLength",
        KeyUsage = "KeyUsage",
        ExtendedKeyUsage = "ExtendedKeyUsage",
        /// Not a rule of DSS: where the key usage is there, one of these is among it.
        SigningKeyUsage = "SigningKeyUsage",
        /// Not a rule of DSS: where the extended key usage is there, one of these purposes is among it.
        SigningPurpose = "SigningPurpose",
        /// Not a rule of DSS: what the certificate says of names, uses and limits is what RFC 5280 lets it say.
        CertificateProfile = "CertificateProfile",
        /// Not a rule of DSS: the CAs of the path are within their validity periods, too.
        ChainNotExpired = "ChainNotExpired",
        /// Not a rule of DSS: the trust in the anchor has begun; in the issuer of status information it has not ended,
        /// either.
        TrustInForce = "TrustInForce",
        /// Not a rule of DSS: revocation data had not run out when the token was made.
        RevocationCurrentAtUse = "RevocationCurrentAtUse",
        PolicyTree = "PolicyTree",
        NameConstraints = "NameConstraints",
        AuthorityKeyIdentifierPresent = "AuthorityKeyIdentifierPresent",
        SubjectKeyIdentifierPresent = "SubjectKeyIdentifierPresent",
        NoRevAvail = "NoRevAvail",
        SupportedCriticalExtensions = "SupportedCriticalExtensions",
        ForbiddenExtensions = "ForbiddenExtensions",
        IssuerName = "IssuerName",
        Surname = "Surname",
        GivenName = "GivenName",
        CommonName = "CommonName",
        Pseudonym = "Pseudonym",
        Title = "Title",
        Email = "Email",
        OrganizationIdentifier = "OrganizationIdentifier",
        OrganizationUnit = "OrganizationUnit",
        OrganizationName = "OrganizationName",
        Country = "Country",
        Locality = "Locality",
        State = "State",
        SerialNumberPresent = "SerialNumberPresent",
        NotRevoked = "NotRevoked",
        NotOnHold = "NotOnHold",
        RevocationIssuerNotExpired = "RevocationIssuerNotExpired",
        SelfSigned = "SelfSigned",
        NotSelfSigned = "NotSelfSigned",
        PolicyIds = "PolicyIds",
        PolicyQualificationIds = "PolicyQualificationIds",
        PolicySupportedByQSCDIds = "PolicySupportedByQSCDIds",
        QcCompliance = "QcCompliance",
        QcEuLimitValueCurrency = "QcEuLimitValueCurrency",
        MinQcEuLimitValue = "MinQcEuLimitValue",
        MinQcEuRetentionPeriod = "MinQcEuRetentionPeriod",
        QcSSCD = "QcSSCD",
        QcEuPDSLocation = "QcEuPDSLocation",
        QcType = "QcType",
        QcLegislationCountryCodes = "QcLegislationCountryCodes",
        IssuedToNaturalPerson = "IssuedToNaturalPerson",
        IssuedToLegalPerson = "IssuedToLegalPerson",
        SemanticsIdentifier = "SemanticsIdentifier",
        PSD2QcTypeRolesOfPSP = "PSD2QcTypeRolesOfPSP",
        PSD2QcCompetentAuthorityName = "PSD2QcCompetentAuthorityName",
        PSD2QcCompetentAuthorityId = "PSD2QcCompetentAuthorityId",
        QcQSCDLegislation = "QcQSCDLegislation",
        QcIdentificationMethod = "QcIdentificationMethod",
        UsePseudonym = "UsePseudonym",
        TLFreshness = "TLFreshness",
        TLNotExpired = "TLNotExpired",
        /// Not a rule of DSS.
        TLNotInFuture = "TLNotInFuture",
        TLWellSigned = "TLWellSigned",
        TLVersion = "TLVersion",
        TLStructure = "TLStructure",
        X509UrlPresent = "X509UrlPresent",
        X509UrlMatch = "X509UrlMatch",
        SignatureType = "SignatureType",
        AttestationSignatureUnicity = "AttestationSignatureUnicity",
        AttestationSignatureValid = "AttestationSignatureValid",
        DisclosurePresent = "DisclosurePresent",
        DisclosureFound = "DisclosureFound",
        DisclosureIntact = "DisclosureIntact",
        DisclosureListExhaustive = "DisclosureListExhaustive",
        KeyBindingSignaturePresent = "KeyBindingSignaturePresent",
        KeyBindingSignatureValid = "KeyBindingSignatureValid",
        ETSI194721Conformance = "ETSI194721Conformance",
        AttestationType = "AttestationType",
        AttestationTypeIntegrityPresent = "AttestationTypeIntegrityPresent",
        IdentifierPresent = "IdentifierPresent",
        IssuanceDatePresent = "IssuanceDatePresent",
        NotBeforePresent = "NotBeforePresent",
        ExpirationPresent = "ExpirationPresent",
        AdministrativeIssuanceDatePresent = "AdministrativeIssuanceDatePresent",
        AdministrativeExpirationDatePresent = "AdministrativeExpirationDatePresent",
        AdministrativePeriodNotExpired = "AdministrativePeriodNotExpired",
        Category = "Category",
        Subject = "Subject",
        IssuingCountry = "IssuingCountry",
        IssuingAuthority = "IssuingAuthority",
        IssuingAuthorityRegistrationIdentifier = "IssuingAuthorityRegistrationIdentifier",
        OneTimeUse = "OneTimeUse",
        ShortLived = "ShortLived",
        RevocationPresent = "RevocationPresent",
        RevocationAvailable = "RevocationAvailable",
        AcceptableRevocationFound = "AcceptableRevocationFound",
        Claims = "Claims",
        SupportedClaims = "SupportedClaims",
        SupportedNamespaces = "SupportedNamespaces",
        Type = "Type",
        IssuanceTime = "IssuanceTime",
        ExpirationTime = "ExpirationTime",
        SubjectMatch = "SubjectMatch",
        IssuerValidAtIssuanceTime = "IssuerValidAtIssuanceTime",
        QcPSBCountryOfLegislation = "QcPSBCountryOfLegislation",
        QcPSBAuthSourceIdentification = "QcPSBAuthSourceIdentification",
        QcPSBLegislationIdentification = "QcPSBLegislationIdentification",
        LoTEFreshness = "LoTEFreshness",
        LoTENotExpired = "LoTENotExpired",
        LoTEWellSigned = "LoTEWellSigned",
        LoTEVersion = "LoTEVersion",
        LoTEStructure = "LoTEStructure",
        // Not rules of DSS: one for each kind of irregularity.
        UncoveredOctets = "UncoveredOctets",
        SecondFileType = "SecondFileType",
        AmbiguousFileNames = "AmbiguousFileNames",
        ConfusableFileNames = "ConfusableFileNames",
        UnexpectedContainerEntry = "UnexpectedContainerEntry",
        PackageManifestMismatch = "PackageManifestMismatch",
        EncryptedContent = "EncryptedContent",
        UnreadableSignature = "UnreadableSignature",
        DigestComparable = "DigestComparable",
        UnreferencedContent = "UnreferencedContent",
        OtherSignedFile = "OtherSignedFile",
        PartlySignedContent = "PartlySignedContent",
        EmptySignedContent = "EmptySignedContent",
        UnsignedObject = "UnsignedObject",
        JoinedContents = "JoinedContents",
        ContentTypeMismatch = "ContentTypeMismatch",
        SignerIdentifierMismatch = "SignerIdentifierMismatch",
        MalformedHeader = "MalformedHeader",
        FormatViolation = "FormatViolation",
        PageNotCompared = "PageNotCompared",
        BudgetExceeded = "BudgetExceeded",
        CaSigner = "CaSigner",
        UnnamedSigner = "UnnamedSigner",
        DeceptiveName = "DeceptiveName",
        TimestampingPurpose = "TimestampingPurpose",
        /// Not a rule of DSS.
        CoarseTime = "CoarseTime",
        EvidenceRecordOrder = "EvidenceRecordOrder",
    }
}

string_enum! {
    /// Which kind of token a rule is about.
    pub enum Context {
        Signature = "SIGNATURE",
        CounterSignature = "COUNTER_SIGNATURE",
        Timestamp = "TIMESTAMP",
        Revocation = "REVOCATION",
        EvidenceRecord = "EVIDENCE_RECORD",
        Certificate = "CERTIFICATE",
        KeyBindingSignature = "KEY_BINDING_SIGNATURE",
        Attestation = "ATTESTATION",
        AttestationRevocation = "ATTESTATION_REVOCATION",
    }
}

string_enum! {
    /// Whose certificate a rule is about.
    pub enum SubContext {
        SigningCertificate = "SIGNING_CERT",
        CaCertificate = "CA_CERTIFICATE",
    }
}

impl SubContext {
    /// Returns whose rules apply to the certificate at that depth of a chain, from the signing certificate upwards.
    pub fn at_depth(depth: usize) -> Self {
        if depth == 0 { Self::SigningCertificate } else { Self::CaCertificate }
    }
}

/// The section of a policy in which a rule stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PolicySection {
    /// `ContainerConstraints`.
    Container,
    /// `PDFAConstraints`.
    PdfA,
    /// Directly below `SignatureConstraints`, `CounterSignatureConstraints`, `Timestamp`,
    /// `Revocation` or `EvidenceRecord`.
    Token(Context),
    /// `BasicSignatureConstraints` of that context.
    Basic(Context),
    /// `SigningCertificate` or `CACertificate` of that context.
    Certificate(Context, SubContext),
    /// `SignedAttributes` of that context.
    SignedAttributes(Context),
    /// `UnsignedAttributes` of that context.
    UnsignedAttributes(Context),
    /// `eIDAS`.
    Eidas,
}

impl Context {
    /// Returns where the rules stand: a certificate judged for itself follows those for signatures.
    pub(crate) fn canonical(self) -> Self {
        if self == Self::Certificate { Self::Signature } else { self }
    }
}

impl PolicySection {
    /// Returns where the rules stand: a certificate judged for itself follows those for signatures.
    pub(crate) fn canonical(self) -> Self {
        match self {
            Self::Token(context) => Self::Token(context.canonical()),
            Self::Basic(context) => Self::Basic(context.canonical()),
            Self::Certificate(context, sub) => Self::Certificate(context.canonical(), sub),
            Self::SignedAttributes(context) => Self::SignedAttributes(context.canonical()),
            Self::UnsignedAttributes(context) => Self::UnsignedAttributes(context.canonical()),
            Self::Container | Self::PdfA | Self::Eidas => self,
        }
    }
}

/// One rule: how strict it is, and what it compares with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// What follows when the check fails.
    pub level: Level,
    /// The accepted (or forbidden, or required) values: the `Id` children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// `RevocationDataSkip`: extension OIDs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certificate_extensions: Vec<String>,
    /// `RevocationDataSkip`: certificate policy OIDs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certificate_policies: Vec<String>,
    /// `QcEuLimitValueCurrency`, `MinQcEuLimitValue`, `MinQcEuRetentionPeriod`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// `TimestampDelay`, `RevocationFreshness`, `TLFreshness`: milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_millis: Option<i64>,
}

impl Rule {
    /// Returns a rule without values.
    pub fn new(level: Level) -> Self {
        Self {
            level,
            values: vec![],
            certificate_extensions: vec![],
            certificate_policies: vec![],
            value: None,
            duration_millis: None,
        }
    }

    /// Returns whether `value` is among the accepted ones; `*` accepts everything.
    pub fn accepts(&self, value: &str) -> bool {
        self.values.iter().any(|v| v == "*" || v == value)
    }
}
