//! The checks that validation and qualification make, with the keys by which reports speak of them.
//!
//! A key is EU DSS's where DSS makes the same check, so that two validators can be compared check by check. Each check
//! has two: one of the question, one of the failure, which is the question's key and `_ANS` unless the table gives
//! another. A question that can fail in several ways is a check for each.

/// Defines [`CheckId`]: a row is a check, the key of its question, and the key of its failure where that differs.
macro_rules! checks {
    ($($variant:ident = $question:literal $(, $failure:literal)?;)+) => {
        /// A check, named for what holds where it passes; an irregularity's for what must not be there.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum CheckId { $(#[doc = concat!("`", $question, "`")] $variant,)+ }

        impl CheckId {
            /// Every check, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the key of the question.
            pub const fn question(self) -> &'static str {
                match self { $(Self::$variant => $question,)+ }
            }

            /// Returns the key of the failure.
            pub const fn failure(self) -> &'static str {
                match self { $(Self::$variant => failure_key!($question $(, $failure)?),)+ }
            }
        }
    };
}

/// Makes the key of a failure from a row of the table.
macro_rules! failure_key {
    ($question:literal) => {
        concat!($question, "_ANS")
    };
    ($question:literal, $failure:literal) => {
        $failure
    };
}

checks! {
    // Format checking: EN 319 102-1 §5.2.2.
    FormatAccepted = "BBB_FC_IEFF";
    SignatureIdUnique = "BBB_FC_ISD";
    ReferencesUnambiguous = "BBB_FC_ISRIA";
    FullScope = "BBB_FC_ICFD";
    FormatMaintained = "BBB_FC_IFSK";
    CurveDigestKnown = "BBB_FC_IECKSCDA", "BBB_FC_IECKSCDA_ANS2";
    CurveForDigestKnown = "BBB_FC_IECKSCDA", "BBB_FC_IECKSCDA_ANS4";
    CurveFitsDigest = "BBB_FC_IECKSCDA", "BBB_FC_IECKSCDA_ANS5";
    HashIndexValid = "BBB_FC_IAHIV";
    OneSigner = "BBB_FC_IOSIP";
    ByteRangeValid = "BBB_FC_IBRV";
    ByteRangesApart = "BBB_FC_DBTOOST";
    AllByteRangesValid = "BBB_FC_DASTHVBR";
    SignatureDictionaryConsistent = "BBB_FC_ISDC";
    PagesSame = "BBB_FC_DSFREAP";
    AnnotationsApart = "BBB_FC_IAOD";
    PagesLookSame = "BBB_FC_IVDBSFR";
    DocMdpRespected = "BBB_FC_ISVADMDPD";
    FieldMdpRespected = "BBB_FC_ISVAFMDPD";
    SigFieldLockRespected = "BBB_FC_ISVASFLD";
    FormFieldsUnchanged = "BBB_FC_DSCNFFSM";
    AnnotationsUnchanged = "BBB_FC_DSCNACMDM";
    NoUndefinedChanges = "BBB_FC_DSCNUOM";
    PdfAProfileAccepted = "BBB_FC_DDAPDFAF";
    PdfACompliant = "BBB_FC_IDPDFAC";
    ContainerTypeAccepted = "BBB_FC_IECTF";
    ZipCommentPresent = "BBB_FC_ITZCP";
    ZipCommentAccepted = "BBB_FC_ITEZCF";
    MimeTypePresent = "BBB_FC_ITMFP";
    MimeTypeAccepted = "BBB_FC_IEMCF";
    ManifestPresent = "BBB_FC_IMFP_ASICE";
    SignedFilePresent = "BBB_FC_ISFP_ASICE";
    ExactlyOneSignedFile = "BBB_FC_ISFP_ASICS";
    CoveredFilesCovered = "BBB_FC_ISFP_ASTFORAMC";
    SignatureFileName = "BBB_FC_ISFCS";
    ManifestFileName = "BBB_FC_IMFCS";
    AllFilesSigned = "BBB_CV_IAFS";

    // Irregularities of the file and of the token, each named for what must not be there.
    UncoveredOctets = "BBB_FC_UNCOVERED_OCTETS";
    SecondFileType = "BBB_FC_SECOND_FILE_TYPE";
    AmbiguousFileNames = "BBB_FC_AMBIGUOUS_NAMES";
    ConfusableFileNames = "BBB_FC_CONFUSABLE_NAMES";
    UnexpectedContainerEntry = "BBB_FC_UNEXPECTED_ENTRY";
    PackageManifestMismatch = "BBB_FC_PACKAGE_MANIFEST";
    EncryptedContent = "BBB_FC_ENCRYPTED_CONTENT";
    UnreadableSignature = "BBB_FC_UNREADABLE_SIGNATURE";
    UnreferencedContent = "BBB_CV_UNREFERENCED_CONTENT";
    OtherSignedFile = "BBB_CV_OTHER_SIGNED_FILE";
    PartlySignedContent = "BBB_CV_PARTLY_SIGNED";
    EmptySignedContent = "BBB_CV_NOTHING_SIGNED";
    UnsignedObject = "BBB_CV_UNSIGNED_OBJECT";
    JoinedContents = "BBB_CV_JOINED_CONTENTS";
    ContentTypeMismatch = "BBB_FC_CONTENT_TYPE";
    SignerIdentifierMismatch = "BBB_ICS_SIGNER_IDENTIFIERS";
    MalformedHeader = "BBB_FC_MALFORMED_HEADER";
    FormatViolation = "BBB_FC_FORMAT_VIOLATION";
    PageNotCompared = "BBB_FC_PAGE_NOT_COMPARED";
    BudgetExceeded = "BBB_FC_BUDGET_EXCEEDED";
    CaSigner = "BBB_XCV_CA_SIGNER";
    UnnamedSigner = "BBB_XCV_UNNAMED_SIGNER";
    DeceptiveName = "BBB_XCV_DECEPTIVE_NAME";
    TimestampingPurpose = "BBB_XCV_TIMESTAMPING_PURPOSE";
    CoarseTime = "BBB_TAV_COARSE_TIME";
    EvidenceRecordOrder = "BBB_ER_ORDER";

    // Identification of the signing certificate: EN 319 102-1 §5.2.3.
    SigningCertificateFound = "BBB_ICS_ISCI";
    CertDigestPresent = "BBB_ICS_ISACDP";
    CertDigestMatch = "BBB_ICS_ICDVV";
    IssuerSerialMatch = "BBB_ICS_AIDNASNE";

    // Validation context initialization: EN 319 102-1 §5.2.4.
    SignaturePolicyAccepted = "BBB_VCI_ISPK";
    SignaturePolicyAvailable = "BBB_VCI_ISPA";
    SignaturePolicyStorePresent = "BBB_VCI_ISPSUPP";
    SignaturePolicyZeroHash = "BBB_VCI_IZHSP";
    SignaturePolicyDigestMatch = "BBB_VCI_ISPM";

    // Revocation freshness checker: EN 319 102-1 §5.2.5.
    NextUpdatePresent = "BBB_RFC_NUP";
    YoungerThanMaximumAge = "BBB_RFC_IRIF";
    YoungerThanIssuingInterval = "BBB_RFC_IRIF_TUNU", "BBB_RFC_IRIF_ANS";

    // X.509 certificate validation: EN 319 102-1 §5.2.6.
    ProspectiveChain = "BBB_XCV_CCCBB";
    ProspectiveChainOfSignature = "BBB_XCV_CCCBB", "BBB_XCV_CCCBB_SIG_ANS";
    ProspectiveChainOfTimestamp = "BBB_XCV_CCCBB", "BBB_XCV_CCCBB_TSP_ANS";
    ProspectiveChainOfRevocation = "BBB_XCV_CCCBB", "BBB_XCV_CCCBB_REV_ANS";
    BeforeSunset = "BBB_XCV_IVTBCTSD";
    OtherAnchorAbove = "BBB_XCV_IOTAA";
    AnchorInTime = "BBB_XCV_HPCCVVT";
    TrustInForce = "BBB_XCV_TRUST_IN_FORCE";
    TrustServiceType = "XCV_TSL_ETIP";
    TrustServiceTypeOfSignature = "XCV_TSL_ETIP", "XCV_TSL_ETIP_SIG_ANS";
    TrustServiceTypeOfTimestamp = "XCV_TSL_ETIP", "XCV_TSL_ETIP_TSP_ANS";
    TrustServiceTypeOfRevocation = "XCV_TSL_ETIP", "XCV_TSL_ETIP_REV_ANS";
    TrustServiceStatus = "XCV_TSL_ESP";
    TrustServiceStatusOfSignature = "XCV_TSL_ESP", "XCV_TSL_ESP_SIG_ANS";
    TrustServiceStatusOfTimestamp = "XCV_TSL_ESP", "XCV_TSL_ESP_TSP_ANS";
    TrustServiceStatusOfRevocation = "XCV_TSL_ESP", "XCV_TSL_ESP_REV_ANS";
    CertificateInPathValid = "BBB_XCV_SUB";
    FormerAnchorValid = "BBB_XCV_SUB", "BBB_XCV_SUB_ANS_2";

    // One certificate of the path: EN 319 102-1 §5.2.6.4 4), RFC 5280 §6.1.
    CertificateSignatureValid = "BBB_XCV_ICSI";
    CaCertificate = "BBB_XCV_ICAC";
    IssuerNameMatch = "BBB_XCV_DCIDNMSDNIC";
    PathLengthRespected = "BBB_XCV_ICPDV";
    KeyUsage = "BBB_XCV_ISCGKU";
    KeyUsageOfCertificate = "BBB_XCV_ISCGKU", "BBB_XCV_ISCGKU_ANS_CERT";
    ExtendedKeyUsage = "BBB_XCV_ISCGEKU";
    ExtendedKeyUsageOfCertificate = "BBB_XCV_ISCGEKU", "BBB_XCV_ISCGEKU_ANS_CERT";
    SigningKeyUsage = "BBB_XCV_SIGNING_KEY_USAGE";
    SigningPurpose = "BBB_XCV_SIGNING_PURPOSE";
    AuthorityInfoAccessPresent = "BBB_XCV_AIA_PRES";
    PolicyTreeValid = "BBB_XCV_ICPTV";
    NameConstraintsRespected = "BBB_XCV_DCSBSINC";
    AuthorityKeyIdentifierPresent = "BBB_XCV_IAKIP";
    SubjectKeyIdentifierPresent = "BBB_XCV_ISKIP";
    NoRevAvailConsistent = "BBB_XCV_ICNRAEV";
    CriticalExtensionsSupported = "BBB_XCV_DCCUCE";
    CertificateProfile = "BBB_XCV_PROFILE";
    NoForbiddenExtension = "BBB_XCV_DCCFCE";
    NotExpired = "BBB_XCV_ICTIVRSC";
    ChainNotExpired = "BBB_XCV_CHAIN_NOT_EXPIRED";

    // Constraints on the subject and the QC statements: TS 119 172-4 annex A, EN 319 412-5, TS 119 495.
    SerialNumberPresent = "QUAL_UNIQUE_CERT";
    SurnameAccepted = "BBB_XCV_ISCGSURN";
    GivenNameAccepted = "BBB_XCV_ISCGGIVEN";
    CommonNameAccepted = "BBB_XCV_ISCGCOMMONN";
    NoPseudonym = "BBB_XCV_PSEUDO_USE";
    PseudonymAccepted = "BBB_XCV_ISCGPSEUDO";
    TitleAccepted = "BBB_XCV_ISCGTITLE";
    EmailAccepted = "BBB_XCV_ISCGEMAIL";
    CountryAccepted = "BBB_XCV_ISCGCOUN";
    LocalityAccepted = "BBB_XCV_ISCGLOC";
    StateAccepted = "BBB_XCV_ISCGST";
    OrganizationIdentifierAccepted = "BBB_XCV_ISCGORGAI";
    OrganizationUnitAccepted = "BBB_XCV_ISCGORGAU";
    OrganizationNameAccepted = "BBB_XCV_ISCGORGAN";
    SelfSigned = "BBB_XCV_ISSSC";
    NotSelfSigned = "BBB_XCV_ISNSSC";
    CertificatePolicyAccepted = "BBB_XCV_CMDCIPI";
    QualifiedPolicy = "BBB_XCV_CMDCIQC";
    QscdPolicy = "BBB_XCV_CMDCIQSCD";
    QcCompliance = "BBB_XCV_CMDCICQCC";
    LimitCurrencyAccepted = "BBB_XCV_CMDCICQCLVHAC";
    LimitValueSufficient = "BBB_XCV_CMDCICQCLVA";
    RetentionPeriodSufficient = "BBB_XCV_CMDCICQCERPA";
    QcSscd = "BBB_XCV_CMDCICSQCSSCD";
    PdsLocationAccepted = "BBB_XCV_CMDCICQCPDSLA";
    QcTypeAccepted = "BBB_XCV_CMDCICQCTA";
    LegislationCountryAccepted = "BBB_XCV_CMDCDCQCCLCEC";
    EuLegislation = "BBB_XCV_CMDCDCQCCLCEC", "BBB_XCV_CMDCDCQCCLCEC_ANS_EU";
    IssuedToNaturalPerson = "BBB_XCV_CMDCIITNP";
    IssuedToLegalPerson = "BBB_XCV_CMDCIITLP";
    SemanticsIdentifierAccepted = "BBB_XCV_CMDCSCSIA";
    Psd2RoleAccepted = "BBB_XCV_CMDCICQCRA";
    Psd2AuthorityNameAccepted = "BBB_XCV_CMDCICQCNA";
    Psd2AuthorityIdAccepted = "BBB_XCV_CMDCICQCIA";
    QscdLegislationAccepted = "BBB_XCV_CMDCDCQCQSCDLSA";
    IdentificationMethodAccepted = "BBB_XCV_CMDCDCQCIMSA";

    // Revocation status of a certificate: EN 319 102-1 §5.2.6.4.
    RevocationDataRequired = "BBB_XCV_IRDCSFC";
    RevocationInfoAccessPresent = "BBB_XCV_REVOC_PRES";
    RevocationDataAvailable = "BBB_XCV_IRDPFC";
    RevocationDataAvailableForIssuer = "BBB_XCV_IRDPFRC";
    AcceptableRevocationDataFound = "BBB_XCV_IARDPFC";
    NotRevoked = "BBB_XCV_ISCR";
    NotOnHold = "BBB_XCV_ISCOH";
    RevocationDataFresh = "BBB_XCV_RFC";
    RevocationCurrentAtUse = "BBB_XCV_REVOC_CURRENT";
    RevocationIssuerNotExpired = "BBB_XCV_ICTIVRCIRI";

    // Revocation acceptance checker: EN 319 102-1 §5.2.6.4, RFC 5280 §6.3, RFC 6960 §3.2.
    RevocationDataAcceptable = "BBB_XCV_RAC";
    StatusKnown = "BBB_XCV_ISCUKN";
    RevocationIssuerKnown = "BBB_XCV_REVOC_ISSUER_KNOWN";
    ThisUpdatePresent = "BBB_XCV_REVOC_THIS_UPDATE_PRESENT";
    RevocationIssuerValidAtProductionTime = "BBB_XCV_REVOC_ISSUER_VALID_AT_PROD";
    OcspResponderIdMatch = "BBB_XCV_REVOC_RESPID_MATCH";
    OcspResponderAuthorized = "BBB_XCV_REVOC_RESP_AUTH";
    OcspCertHashPresent = "BBB_XCV_REVOC_CERT_HASH_PRESENT";
    OcspCertHashMatch = "BBB_XCV_REVOC_CERT_HASH_MATCH";
    RevocationIndependent = "BBB_XCV_REVOC_SELF_ISSUED_OCSP";
    RevocationAfterCertificateIssuance = "BBB_XCV_REVOC_AFTER_CERT_NOT_BEFORE";
    RevocationHasInformationAboutCertificate = "BBB_XCV_REVOC_HAS_CERT_INFO";
    RevocationNotInFuture = "BBB_XCV_REVOC_NOT_IN_FUTURE";
    RevocationIssuerNotRevoked = "BBB_XCV_REVOC_ISSUER_NOT_REVOKED";

    // Cryptographic verification: EN 319 102-1 §5.2.7.
    ReferencedDataFound = "BBB_CV_IRDOF";
    ReferencedDataIntact = "BBB_CV_IRDOI";
    DigestComparable = "BBB_CV_DIGEST_KNOWN";
    ReferencedNameMatch = "BBB_CV_DRNMND";
    ImprintDataFound = "BBB_CV_TSP_IRDOF";
    ImprintIntact = "BBB_CV_TSP_IRDOI";
    CountersignedValueFound = "BBB_CV_CS_CSSVF";
    CountersignedValueIntact = "BBB_CV_CS_CSPS";
    ManifestEntryFound = "BBB_CV_IMEOF";
    ManifestEntryIntact = "BBB_CV_IMEDOI";
    ManifestEntryNameMatch = "BBB_CV_DMENMND";
    ManifestHasEntry = "BBB_CV_ISMEC";
    ManifestHasEntryWithData = "BBB_CV_ISMEC", "BBB_CV_ISMEC_ANS_2";
    AllManifestEntriesFound = "BBB_CV_AAMEF";
    SignatureIntact = "BBB_CV_ISI";
    CertificateSignatureIntact = "BBB_CV_ISIC", "BBB_CV_ISI_ANS";
    RevocationSignatureIntact = "BBB_CV_ISIR", "BBB_CV_ISI_ANS";
    TimestampSignatureIntact = "BBB_CV_ISIT", "BBB_CV_ISI_ANS";

    // Signature acceptance validation: EN 319 102-1 §5.2.8.
    StructureValid = "BBB_SAV_ISSV";
    SigningCertificatePresent = "BBB_ICS_ISASCP";
    SigningCertificateUnique = "BBB_ICS_ISASCPU";
    ReferencesWithinChain = "BBB_SAV_DSCACRCC";
    WholeChainReferenced = "BBB_SAV_ACPCCRSCA";
    KeyIdentifierPresent = "BBB_ICS_ISAKIDP";
    KeyIdentifierMatch = "BBB_ICS_DKIDVM";
    SigningTimePresent = "BBB_SAV_ISQPSTP";
    SigningTimeInCertificateValidity = "BBB_SAV_ISQPSTWSCVR";
    ContentTypeAccepted = "BBB_SAV_ISQPCTP";
    ContentHintsAccepted = "BBB_SAV_ISQPCHP";
    ContentIdentifierAccepted = "BBB_SAV_ISQPCIP";
    MessageDigestOrSignedPropertiesPresent = "BBB_SAV_ISQPMDOSPP";
    CommitmentTypeAccepted = "BBB_SAV_ISQPXTIP";
    SignerLocationPresent = "BBB_SAV_ISQPSLP";
    ClaimedRoleAccepted = "BBB_SAV_ICRM";
    CertifiedRoleAccepted = "BBB_SAV_ICERRM";
    ContentTimestampPresent = "BBB_SAV_ISQPCTSIP";
    ContentTimestampValid = "BBB_SAV_ICTVS";
    TimestampImprintMatch = "BBB_SAV_DMICTSTMCMI";
    CounterSignaturePresent = "BBB_SAV_IUQPCSP";
    SignatureTimestampPresent = "BBB_SAV_IUQPSTSP";
    ValidationDataTimestampPresent = "BBB_SAV_IUQPVDTSP";
    ValidationDataRefsTimestampPresent = "BBB_SAV_IUQPVDROTSP";
    ArchiveTimestampPresent = "BBB_SAV_IUQPATSP";
    DocumentTimestampPresent = "BBB_SAV_IDTSP";
    ValidTLevelTimestampPresent = "BBB_SAV_IVTTSTP";
    ValidLtaLevelTimestampPresent = "BBB_SAV_IVLTATSTP";
    TimestampNotInFuture = "BBB_TAV_NOT_IN_FUTURE";
    TimestampInCertificateValidity = "BBB_TAV_IN_CERT_VALIDITY";
    TsaNamePresent = "BBB_TAV_ITSAP";
    TsaNameMatch = "BBB_TAV_DTSAVM";
    TsaNameOrderMatch = "BBB_TAV_DTSAOM";

    // Algorithms: EN 319 102-1 §5.2.8.4.1, TS 119 312.
    AlgorithmsReliable = "ACCM";
    SignatureAlgorithmAccepted = "ASCCM_CAA";
    KeySizeKnown = "ASCCM_PKSK";
    KeySizeSufficient = "ASCCM_APKSA";
    SignatureAlgorithmNotExpired = "ASCCM_AR", "ASCCM_AR_ANS_AKSNR";
    SignatureAlgorithmReliable = "ASCCM_AR", "ASCCM_AR_ANS_AKSNR_2";
    DigestKnown = "ASCCM_DAA", "ASCCM_DAA_ANS_2";
    DigestAccepted = "ASCCM_DAA";
    DigestNotExpired = "ASCCM_AR", "ASCCM_AR_ANS_ANR";
    DigestReliable = "ASCCM_AR", "ASCCM_AR_ANS_ANR_2";

    // Validation process for basic signatures: EN 319 102-1 §5.3.
    FormatCheckingPassed = "BSV_IFCRC";
    IdentificationPassed = "BSV_IISCRC";
    ContextInitializationPassed = "BSV_IVCIRC";
    CertificateValidationPassed = "BSV_IXCVRC";
    NotRevokedAtValidationTime = "BSV_ISCRAVTC";
    ContentTimestampBeforeRevocation = "BSV_ICTGTNASCRT";
    NotExpiredAtValidationTime = "BSV_IVTAVRSC";
    ContentTimestampBeforeExpiry = "BSV_ICTGTNASCET";
    CryptographicVerificationPassed = "BSV_ICVRC";
    SignatureAcceptancePassed = "BSV_ISAVRC";
    ContentTimestampBeforeAlgorithmEnd = "BSV_ICTGTNACCET";
    BasicResultPassed = "ADEST_ROBVPIIC";
    TimestampValid = "ADEST_IBSVPTC";

    // Signatures with time and with long-term validation material: EN 319 102-1 §5.5.
    BasicResultAllowsLongTerm = "LTV_ABSV";
    SigningTimePresentForDelay = "BBB_SAV_ISQPSTP", "ADEST_VFDTAOCST_ANS";
    TimestampWithinDelay = "ADEST_ISTPTDABST";
    TimestampsCoherent = "TSV_ASTPTCT";
    RevokedAfterBestSignatureTime = "ADEST_IRTPTBST";
    SuspendedAfterBestSignatureTime = "ADEST_ISTPTBST";
    BestSignatureTimeAfterIssuance = "TSV_IBSTAIDOSC";
    BestSignatureTimeBeforeExpiry = "TSV_IBSTBCEC";
    CertificateKnownNotRevoked = "LTV_ISCKNR", "LTV_ISCKNR_ANS1";
    RevocationDataUsable = "ADEST_RORPIIC";

    // Signatures with archival data, past validation: EN 319 102-1 §5.6.
    LongTermResultAllowsArchival = "ARCH_LTVV";
    LongTermMaterialPresent = "ARCH_LTAIVMP";
    TimestampValidWithArchivalData = "ADEST_IBSVPTADC";
    TimestampResultAllowsPast = "ARCH_IRTVBBA";
    ImprintDigestReliableAtProof = "ARCH_ICHFCRLPOET";
    EvidenceRecordValid = "ADEST_IRERVPC";
    PastSignatureValidationPassed = "PSV_IPSVC";
    PastTimestampValidationPassed = "PSV_IPTVC";
    PastCertificateValidationAllowsPast = "PSV_IPCVA";
    SignatureExistedByControlTime = "PSV_ITPOSVAOBCT";
    CurrentStatusExplainedByPast = "PSV_IPCVC";
    ValidAtBestSignatureTime = "TSV_ISCNVABST";
    StatusKnownBeforeCaRevocation = "PSV_ITPRISCNARTCAC";
    RevocationDataConclusive = "PSV_DIURDSCHPVR";
    RevocationIssuerTrusted = "PSV_ICRDIT";
    RevocationIssuerExisted = "PSV_IPCRIAIDBEDC";
    RevocationIssuedBeforeControlTime = "PSV_HRDBIBCT";
    CertificateExistedByControlTime = "PSV_ITPOCOBCT", "PSV_ITPOOBCT_ANS";
    RevocationDataExistedByControlTime = "PSV_ITPORDAOBCT", "PSV_ITPOOBCT_ANS";
    SlidingPassed = "PCV_IVTSC";
    SlidingReachedControlTime = "PCV_ICCSVTSF";
    AnchorHasSunset = "PSV_ISDDTA";
    ControlTimeDetermined = "PSV_ICTD";
    RevocationDataForSliding = "BBB_VTS_IRDPFC";

    // Evidence records: EN 319 102-1 §5.6.2.5, RFC 4998 §5.3.
    DataObjectFound = "BBB_CV_ER_IODOF";
    DataObjectGroupComplete = "BBB_CV_ER_DFHVLCDOG";
    SignedFilesCovered = "BBB_CV_ER_HASSDOC";
    RenewedTimestampFound = "BBB_CV_ER_ATSRF";
    RenewedTimestampIntact = "BBB_CV_ER_ATSRI";
    RenewedSequenceFound = "BBB_CV_ER_ATSSRF";
    RenewedSequenceIntact = "BBB_CV_ER_ATSSRI";
    HashTreeRenewalComplete = "BBB_CV_ER_TST_RN", "BBB_CV_ER_TST_RN_ANS_1";
    HashTreeRenewalMatches = "BBB_CV_ER_TST_RN", "BBB_CV_ER_TST_RN_ANS_2";

    // Trusted lists: TS 119 615 §4.1, §4.2.
    TrustedListFresh = "QUAL_TL_FRESH";
    TrustedListNotExpired = "QUAL_TL_EXP";
    TrustedListNotInFuture = "QUAL_TL_BEGUN";
    TrustedListVersionAccepted = "QUAL_TL_VERSION";
    TrustedListStructureValid = "QUAL_TL_SV";
    TrustedListWellSigned = "QUAL_TL_WS";
    TrustedListOfUnion = "QUAL_TL_IMRA";
    TrustedListReached = "QUAL_CERT_TRUSTED_LIST_REACHED";
    ListOfTrustedListsAccepted = "QUAL_LIST_OF_TRUSTED_LISTS_ACCEPT";
    TrustedListAccepted = "QUAL_TRUSTED_LIST_ACCEPT";
    AcceptedTrustedListPresent = "QUAL_VALID_TRUSTED_LIST_PRESENT";

    // Trust services: TS 119 615 §4.4, §4.5.
    ServiceRecognised = "QUAL_HAS_METS";
    EquivalenceApplied = "QUAL_HAS_METS_HCCECBA", "QUAL_HAS_METS_HCCECBA_ANS_1";
    EquivalenceComplete = "QUAL_HAS_METS_HCCECBA", "QUAL_HAS_METS_HCCECBA_ANS_2";
    ServiceAtTime = "QUAL_HAS_ATTIME";
    ServiceIssuesQualified = "QUAL_HAS_CAQC";
    ServiceForType = "QUAL_HAS_TS_CERT_TYPE";
    ServiceConsistent = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS0";
    ServiceQualifiedOrNot = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS1";
    ServiceLegalOrNatural = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS2";
    ServiceDeviceOrNot = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS3";
    ServiceDeviceOrAsStated = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS3A";
    ServiceDeviceQualifiersOfItsTime = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS3B";
    ServiceQualifiersKnown = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS3C";
    ServiceOnePurpose = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS4";
    ServiceStatusOfItsTime = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS5";
    ServicePurposeOfItsTime = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS6";
    ServicePurposeAnnounced = "QUAL_TL_SERV_CONS", "QUAL_TL_SERV_CONS_ANS7";
    ServicesAgree = "QUAL_HAS_CONF";
    ServiceGranted = "QUAL_HAS_GRANTED";
    SomeServiceStatusOfItsTime = "QUAL_HAS_GRANTED", "QUAL_HAS_GRANTED_ANS_2";
    OneService = "QUAL_HAS_ONLY_ONE";
    ServiceCertificateNamesOrganization = "QUAL_IS_TRUST_CERT_MATCH_SERVICE", "QUAL_IS_TRUST_CERT_MATCH_SERVICE_ANS1";
    ServiceCertificateMatchesProvider = "QUAL_IS_TRUST_CERT_MATCH_SERVICE", "QUAL_IS_TRUST_CERT_MATCH_SERVICE_ANS2";
    QualifiedServiceFound = "QUAL_HAS_VALID_CAQC";
    ServiceConsistentOnQualification = "QUAL_HAS_CONSISTENT_BY_QC";
    ServiceConsistentOnType = "QUAL_HAS_CERT_TYPE_COVERAGE";
    ServiceConsistentOnDevice = "QUAL_HAS_CONSISTENT_BY_QSCD";
    TimestampingService = "QUAL_HAS_QTST";
    ServiceGrantedAtTime = "QUAL_HAS_GRANTED_AT";

    // Qualification of certificates and signatures: TS 119 615 §4.4, eIDAS article 32.
    QualifiedAtIssuance = "QUAL_QC_AT_CC";
    QualifiedAtSigning = "QUAL_QC_AT_ST";
    QualifiedAtValidation = "QUAL_QC_AT_VT";
    TypeKnownAtIssuance = "QUAL_CERT_TYPE_AT_CC";
    TypeKnownAtSigning = "QUAL_CERT_TYPE_AT_ST";
    TypeKnownAtValidation = "QUAL_CERT_TYPE_AT_VT";
    InDeviceAtIssuance = "QUAL_QSCD_AT_CC";
    InDeviceAtSigning = "QUAL_QSCD_AT_ST";
    InDeviceAtValidation = "QUAL_QSCD_AT_VT";
    AdvancedSignatureKnown = "QUAL_IS_ADES", "QUAL_IS_ADES_IND";
    AdvancedSignature = "QUAL_IS_ADES", "QUAL_IS_ADES_INV";

    // Qualified website certificates: TS 119 411-5.
    WebsiteCertificateValid = "QWAC_VALID";
    WebsiteQualificationConclusive = "QWAC_CERT_QUAL_CONCLUSIVE";
    QualifiedForWebsites = "QWAC_IS_WSA_AT_TIME";
    WebsiteCertificatePolicy = "QWAC_CERT_POLICY";
    WebsiteValidityPeriod = "QWAC_VAL_PERIOD";
    WebsiteNamed = "QWAC_DOMAIN_NAME";
    BindingUrlPresent = "TLS_CERT_BINDING_URL";
    BindingSignaturePresent = "TLS_CERT_BINDING_SIG";
    BindingSignatureIsJades = "TLS_CERT_BINDING_SIG_FORM";
    BindingSignatureIsCompact = "TLS_CERT_BINDING_SIG_SER";
    BindingExpiryPresent = "TLS_CERT_BINDING_SIG_EXP";
    BindingNotExpired = "TLS_CERT_BINDING_SIG_EXPIRY_DATE";
    BindingIdentifiesCertificate = "TLS_CERT_BINDING_CERT_IDENTIFIED";
    BindingSignatureValid = "TLS_CERT_BINDING_SIG_VALID";
    BindingCertificateFound = "TLS_CERT_BINDING_QWAC2";
    BindingExtendedKeyUsage = "QWAC2_EXT_KEY_USAGE";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_checks_are_the_same() {
        let keys: BTreeSet<_> = CheckId::ALL.iter().map(|check| (check.question(), check.failure())).collect();
        assert_eq!(keys.len(), CheckId::ALL.len());
    }

    #[test]
    fn failure_keys_are_not_question_keys() {
        let questions: BTreeSet<_> = CheckId::ALL.iter().map(|check| check.question()).collect();
        let both: Vec<_> = CheckId::ALL.iter().filter(|check| questions.contains(check.failure())).collect();
        assert!(both.is_empty(), "{both:?}");
    }
}
