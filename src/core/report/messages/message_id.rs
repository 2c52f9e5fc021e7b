//! The fixed texts of reports, beside the sentences of checks.
//!
//! Every text has a key `list.word` in the message files. The list is `phrase` or `common` for the texts that are ours, else a
//! closed list of the standards, whose words people need explained.

use crate::facts::TimestampType;
use crate::qualification::{CertificateQualification, SignatureQualification, TimestampQualification};
use crate::validation::engine::BlockKind;
use crate::validation::outcome::{Indication, SubIndication};
use crate::vocabulary::string_enum;

string_enum! {
    /// A fixed text that every report says, JSON, too: what a finding is about, and what is not known.
    pub enum CommonId {
        SubjectSignature = "subject-signature",
        SubjectTimestamp = "subject-timestamp",
        SubjectEvidenceRecord = "subject-evidence-record",
        SubjectCertificate = "subject-certificate",
        SubjectCrl = "subject-crl",
        SubjectOcsp = "subject-ocsp",
        SubjectReference = "subject-reference",
        SignerUnknown = "signer-unknown",
        NotStated = "not-stated",
        Shortened = "shortened",
        ListOfCountry = "list-of-country",
        ListOfLists = "list-of-lists",
        NotDeterminedOverdue = "not-determined-overdue",
    }
}

string_enum! {
    /// A fixed text of a report for people. Its `{places}` are filled by [`fill`](super::fill).
    pub enum MessageId {
        Title = "title",
        TitleOf = "title-of",
        Valid = "valid",
        NotValid = "not-valid",
        Undecided = "undecided",
        NothingSigned = "nothing-signed",
        OneValid = "one-valid",
        OneNotValid = "one-not-valid",
        OneUndecided = "one-undecided",
        AllValid = "all-valid",
        NoneValid = "none-valid",
        AllUndecided = "all-undecided",
        Mixed = "mixed",
        NoSignature = "no-signature",
        ProofsValid = "proofs-valid",
        ProofsNotValid = "proofs-not-valid",
        ProofsUndecided = "proofs-undecided",
        MeansValid = "means-valid",
        MeansValidInPart = "means-valid-in-part",
        MeansNotValid = "means-not-valid",
        MeansUndecided = "means-undecided",
        MeansNothing = "means-nothing",
        MeansProofs = "means-proofs",
        CountSignatures = "count-signatures",
        CountValid = "count-valid",
        CountNotValid = "count-not-valid",
        CountUndecided = "count-undecided",
        CountQualified = "count-qualified",
        CountProofs = "count-proofs",
        File = "file",
        Size = "size",
        Bytes = "bytes",
        Sha256 = "sha256",
        Format = "format",
        JudgedFor = "judged-for",
        Rules = "rules",
        SignatureOf = "signature-of",
        SignatureBy = "signature-by",
        CounterSignatureBy = "counter-signature-by",
        TimestampNumber = "timestamp-number",
        EvidenceRecordNumber = "evidence-record-number",
        ThisValid = "this-valid",
        ThisNotValid = "this-not-valid",
        ThisUndecided = "this-undecided",
        ProofValid = "proof-valid",
        ProofNotValid = "proof-not-valid",
        ProofUndecided = "proof-undecided",
        FindingLine = "finding-line",
        FindingWith = "finding-with",
        EvidenceRecords = "evidence-records",
        TimestampLine = "timestamp-line",
        EvidenceRecordLine = "evidence-record-line",
        EvidenceRecordWithoutProof = "evidence-record-without-proof",
        VerdictIs = "verdict-is",
        ValidityIs = "validity-is",
        AdviceTimestampsFail = "advice-timestamps-fail",
        Identifier = "identifier",
        IdentifierPassport = "identifier-passport",
        IdentifierCard = "identifier-card",
        IdentifierPerson = "identifier-person",
        IdentifierTax = "identifier-tax",
        IdentifierVat = "identifier-vat",
        IdentifierRegister = "identifier-register",
        IdentifierPayment = "identifier-payment",
        IdentifierEntity = "identifier-entity",
        Signer = "signer",
        Pseudonym = "pseudonym",
        For = "for",
        Role = "role",
        RoleClaimed = "role-claimed",
        RoleCertified = "role-certified",
        Place = "place",
        Reason = "reason",
        Commitment = "commitment",
        CommitmentApproval = "commitment-approval",
        CommitmentCreation = "commitment-creation",
        CommitmentDelivery = "commitment-delivery",
        CommitmentOrigin = "commitment-origin",
        CommitmentReceipt = "commitment-receipt",
        CommitmentSender = "commitment-sender",
        Claims = "claims",
        CertificateOf = "certificate-of",
        CertificateGood = "certificate-good",
        CertificateBad = "certificate-bad",
        CertificateUndecided = "certificate-undecided",
        SerialNumber = "serial-number",
        Revocation = "revocation",
        LegallyAtIssuance = "legally-at-issuance",
        LegallyAtTime = "legally-at-time",
        ForWebsite = "for-website",
        IssuedBy = "issued-by",
        TrustedBecause = "trusted-because",
        TrustGiven = "trust-given",
        TrustListed = "trust-listed",
        TrustListedSomewhere = "trust-listed-somewhere",
        TrustNone = "trust-none",
        TrustNobody = "trust-nobody",
        TrustNoUsableList = "trust-no-usable-list",
        TrustPacked = "trust-packed",
        TrustServiceIs = "trust-service-is",
        StatusGranted = "status-granted",
        StatusRecognised = "status-recognised",
        StatusForeign = "status-foreign",
        StatusSupervised = "status-supervised",
        StatusEnded = "status-ended",
        StatusNational = "status-national",
        TrustService = "trust-service",
        Legally = "legally",
        SignedAt = "signed-at",
        Claimed = "claimed",
        ClaimedNone = "claimed-none",
        NoLaterThan = "no-later-than",
        ProvenByTimestamp = "proven-by-timestamp",
        ProvenByRecord = "proven-by-record",
        ProvenNow = "proven-now",
        Covers = "covers",
        CoversWhole = "covers-whole",
        CoversWholeFile = "covers-whole-file",
        CoversRevision = "covers-revision",
        CoversPart = "covers-part",
        CoversDigest = "covers-digest",
        CoversArchived = "covers-archived",
        CoversSignature = "covers-signature",
        CoversNothing = "covers-nothing",
        ChangedSince = "changed-since",
        ChangedForms = "changed-forms",
        ChangedAnnotations = "changed-annotations",
        ChangedObjects = "changed-objects",
        ChangedPages = "changed-pages",
        ChangedLooks = "changed-looks",
        ChangedExtension = "changed-extension",
        Field = "field",
        HeldIn = "held-in",
        Algorithm = "algorithm",
        AlgorithmOf = "algorithm-of",
        AlgorithmOfKey = "algorithm-of-key",
        MadeBy = "made-by",
        MadeAt = "made-at",
        Kind = "kind",
        Proves = "proves",
        ProvesSince = "proves-since",
        ProvesCount = "proves-count",
        Why = "why",
        WhatWouldHelp = "what-would-help",
        Findings = "findings",
        Error = "error",
        Warning = "warning",
        Info = "info",
        QualificationFindings = "qualification-findings",
        QualificationSteps = "qualification-steps",
        LegallyAtSigning = "legally-at-signing",
        OverdueList = "overdue-list",
        OverdueListOfLists = "overdue-list-of-lists",
        UpdateLists = "update-lists",
        WantedCurrentList = "wanted-current-list",
        ListClosed = "list-closed",
        ListAccepted = "list-accepted",
        ListNotAccepted = "list-not-accepted",
        StepList = "step-list",
        StepService = "step-service",
        StepServiceUntil = "step-service-until",
        StepNoService = "step-no-service",
        StepQualifiers = "step-qualifiers",
        StepNoQualifiers = "step-no-qualifiers",
        WantedHeading = "wanted-heading",
        WantedOcsp = "wanted-ocsp",
        WantedCrl = "wanted-crl",
        WantedIssuer = "wanted-issuer",
        WantedTrustedList = "wanted-trusted-list",
        WantedContent = "wanted-content",
        WantedFrom = "wanted-from",
        More = "more",
        TimeLine = "time-line",
        TimeLineAlt = "time-line-alt",
        TimeLineEvent = "time-line-event",
        TimeLineSpan = "time-line-span",
        EventClaimed = "event-claimed",
        EventProven = "event-proven",
        EventJudged = "event-judged",
        EventRevoked = "event-revoked",
        SpanCertificate = "span-certificate",
        SpanCrl = "span-crl",
        SpanOcsp = "span-ocsp",
        When = "when",
        What = "what",
        Evidence = "evidence",
        Certificates = "certificates",
        RevocationData = "revocation-data",
        Timestamps = "timestamps",
        TrustedLists = "trusted-lists",
        Subject = "subject",
        ValidFromTo = "valid-from-to",
        FromTo = "from-to",
        TrustAnchor = "trust-anchor",
        IssuedByName = "issued-by-name",
        SerialIs = "serial-is",
        MadeByName = "made-by-name",
        IssuedAndNext = "issued-and-next",
        About = "about",
        StatusGood = "status-good",
        StatusRevoked = "status-revoked",
        StatusRevokedAt = "status-revoked-at",
        StatusRevokedFor = "status-revoked-for",
        StatusInvalidSince = "status-invalid-since",
        StatusStatedBy = "status-stated-by",
        StatusOf = "status-of",
        StatusUnknown = "status-unknown",
        StatusNotKnown = "status-not-known",
        Country = "country",
        Number = "number",
        Source = "source",
        Judged = "judged",
        JudgedBy = "judged-by",
        JudgedSoftware = "judged-software",
        JudgedLists = "judged-lists",
        JudgedNoLists = "judged-no-lists",
        NotJudged = "not-judged",
        Attached = "attached",
        Checks = "checks",
        Question = "question",
        Answer = "answer",
        AnswerYes = "answer-yes",
        AnswerNo = "answer-no",
        Glossary = "glossary",
        Code = "code",
        Meaning = "meaning",
        Page = "page",
        ReportOfFile = "report-of-file",
        QrNote = "qr-note",
        LevelB = "level-b",
        LevelT = "level-t",
        LevelLt = "level-lt",
        LevelLta = "level-lta",
        LevelNotEtsi = "level-not-etsi",
        LevelOther = "level-other",
    }
}

/// Advice on what would help against a sub-indication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice(pub SubIndication);

/// The key of a text in the message files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The list of words, with the point that ends its name.
    pub list: &'static str,
    /// The word.
    pub word: &'static str,
}

#[cfg(test)]
impl Key {
    /// Returns the keys of every text, in the order of the lists.
    pub fn all() -> impl Iterator<Item = Self> {
        fn of<T: Copy + Into<Key>>(words: &'static [T]) -> impl Iterator<Item = Key> {
            words.iter().map(|word| (*word).into())
        }
        of(MessageId::ALL)
            .chain(of(CommonId::ALL))
            .chain(of(Indication::ALL))
            .chain(of(SubIndication::ALL))
            .chain(SubIndication::ALL.iter().map(|sub| Advice(*sub).into()))
            .chain(of(BlockKind::ALL))
            .chain(of(TimestampType::ALL))
            .chain(of(CertificateQualification::ALL))
            .chain(of(SignatureQualification::ALL))
            .chain(of(TimestampQualification::ALL))
    }
}

/// The lists and their names in the message files.
macro_rules! lists {
    ($($list:literal: $kind:ty,)+) => {
        $(impl From<$kind> for Key {
            fn from(word: $kind) -> Self {
                Self { list: $list, word: word.as_str() }
            }
        })+
    };
}

lists! {
    "common.": CommonId,
    "phrase.": MessageId,
    "indication.": Indication,
    "sub-indication.": SubIndication,
    "block.": BlockKind,
    "time-stamp-type.": TimestampType,
    "certificate.": CertificateQualification,
    "signature.": SignatureQualification,
    "time-stamp.": TimestampQualification,
}

impl From<Advice> for Key {
    fn from(Advice(sub): Advice) -> Self {
        Self { list: "advice.", word: sub.as_str() }
    }
}
