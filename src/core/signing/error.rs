//! Why a signature could not be prepared, finished or extended.

use crate::vocabulary::string_enum;
use std::fmt;

string_enum! {
    /// The cause of a [`SigningError`], as a code that programs compare.
    pub enum SigningErrorCode {
        /// A parameter has no place in the format.
        ParameterNotInFormat = "parameter-not-in-format",
        /// A parameter is not of the form that the standard asks for.
        ParameterInvalid = "parameter-invalid",
        /// Two parameters exclude each other.
        ParametersConflict = "parameters-conflict",
        /// TS 119 312 does not allow the algorithm for new signatures, or it ends before the claimed time.
        AlgorithmNotAllowed = "algorithm-not-allowed",
        /// The algorithm is for another kind of key than the certificate's.
        AlgorithmKeyMismatch = "algorithm-key-mismatch",
        /// The private key is not the one of the certificate.
        CertificateKeyMismatch = "certificate-key-mismatch",
        /// The key usage of the certificate (RFC 5280 §4.2.1.3) does not allow signing.
        CertificateNotForSigning = "certificate-not-for-signing",
        /// The claimed signing time is outside the validity of the certificate.
        CertificateOutsideValidity = "certificate-outside-validity",
        /// A digest does not have the length of its function.
        DigestLength = "digest-length",
        /// The format or level needs the content, and only its digest was given.
        ContentNeeded = "content-needed",
        /// The document is not the one that the signature was prepared for.
        ContentDiffers = "content-differs",
        /// The value does not have the form of the algorithm.
        ValueForm = "value-form",
        /// The value is not one of the signer's key over the data to be signed.
        ValueDoesNotVerify = "value-does-not-verify",
        /// The keeper of the key did not sign.
        KeyRefused = "key-refused",
        /// The prepared signature cannot be read.
        StateUnreadable = "state-unreadable",
        /// The prepared signature was written by another version.
        StateOfOtherVersion = "state-of-other-version",
        /// The prepared signature was changed after it was written.
        StateTampered = "state-tampered",
        /// The document cannot be read as the format asks for.
        DocumentUnreadable = "document-unreadable",
        /// The cross-references of the PDF had to be rebuilt.
        PdfNeedsRepair = "pdf-needs-repair",
        /// Something follows the end of the PDF.
        PdfTrailingData = "pdf-trailing-data",
        /// Something precedes the header of the PDF.
        PdfLeadingBytes = "pdf-leading-bytes",
        /// The PDF is encrypted in a way that is not written.
        PdfEncryption = "pdf-encryption",
        /// The PDF is encrypted, and no password was given.
        PasswordNeeded = "password-needed",
        /// The password does not open the PDF.
        PasswordWrong = "password-wrong",
        /// The permissions of the encrypted PDF do not allow to sign.
        PermissionDenied = "permission-denied",
        /// The form is a dynamic XFA form.
        XfaDynamic = "xfa-dynamic",
        /// No field has the name.
        FieldNotFound = "field-not-found",
        /// The field is signed already.
        FieldSigned = "field-signed",
        /// The field is no signature field.
        FieldNotSignature = "field-not-signature",
        /// A field cannot have the name.
        FieldNameInvalid = "field-name-invalid",
        /// The page does not exist, or the box lies outside of it.
        FieldOutsidePage = "field-outside-page",
        /// The field lies on top of another one, or on a note.
        FieldOverlaps = "field-overlaps",
        /// An earlier certification forbids changes (ISO 32000-2 §12.8.2.2).
        CertifiedNoChanges = "certified-no-changes",
        /// An earlier signature locks the field (ISO 32000-2 §12.8.2.4).
        LockedByField = "locked-by-field",
        /// A certification is to be the first signature.
        CertificationNotFirst = "certification-not-first",
        /// A required seed value of the field is not met (ISO 32000-2 §12.7.5.5).
        SeedValueUnmet = "seed-value-unmet",
        /// The signature or time-stamp is longer than the bytes reserved for it.
        ContentsTooSmall = "contents-too-small",
        /// A text cannot be drawn with the font.
        FontMissingGlyph = "font-missing-glyph",
        /// A picture cannot be read, or has no place in the document's profile.
        PictureUnreadable = "picture-unreadable",
        /// The file has this very signature: the same key over the same content, with the same statements.
        AlreadySigned = "already-signed",
        /// The file is signed in another packaging.
        PackagingDiffers = "packaging-differs",
        /// An older archive time-stamp covers what would have to be changed.
        CoveredByArchiveTimestamp = "covered-by-archive-timestamp",
        /// An evidence record covers what would have to be changed.
        EvidenceRecordInside = "evidence-record-inside",
        /// The file has no signature.
        NoSignature = "no-signature",
        /// No signature has the identifier.
        SignatureNotFound = "signature-not-found",
        /// The signature is of a format or profile that is not extended.
        NotExtendable = "not-extendable",
        /// The signature has the level, or a higher one.
        AlreadyAtLevel = "already-at-level",
        /// The judgement of the signature forbids to extend it.
        SignatureInvalid = "signature-invalid",
        /// A time-stamp of the signature is broken.
        TimestampInvalid = "timestamp-invalid",
        /// The signing certificate had expired.
        CertificateExpired = "certificate-expired",
        /// The signing certificate was revoked.
        CertificateRevoked = "certificate-revoked",
        /// Nothing that is still trusted covers the signature.
        TooLate = "too-late",
        /// A chain ends at no trust anchor.
        ChainNotTrusted = "chain-not-trusted",
        /// Revocation data is missing, and none can be asked for.
        RevocationMissing = "revocation-missing",
        /// No time-stamping authority could be reached.
        TsaUnreachable = "tsa-unreachable",
        /// The time-stamping authority was asked more often than it allows.
        TsaQuota = "tsa-quota",
        /// Revocation data is older than what it is needed for, and none that is newer can be asked for.
        RevocationTooOld = "revocation-too-old",
        /// A piece of evidence is neither a certificate nor revocation data.
        EvidenceUnreadable = "evidence-unreadable",
        /// The response to a time-stamp request cannot be read.
        TsaReplyUnreadable = "tsa-reply-unreadable",
        /// The authority rejected the time-stamp request.
        TsaRejected = "tsa-rejected",
        /// The time-stamp is over another imprint.
        TsaImprint = "tsa-imprint",
        /// The time-stamp has another nonce, or none.
        TsaNonce = "tsa-nonce",
        /// The time-stamp is of another policy than the requested.
        TsaPolicy = "tsa-policy",
        /// The certificate of the authority is missing, or not for time-stamping, or its signature does not verify.
        TsaCertificate = "tsa-certificate",
        /// The time of the time-stamp is not plausible.
        TsaTime = "tsa-time",
        /// What was written did not validate as expected: nothing is returned.
        ExtensionMadeItWorse = "extension-made-it-worse",
    }
}

/// Why a signature could not be prepared, finished or extended: a code, what was found and expected, and what can be
/// done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningError {
    code: SigningErrorCode,
    message: String,
    hint: Option<String>,
}

impl SigningError {
    /// Makes an error that says what was found and what was expected.
    pub(crate) fn new(code: SigningErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// Adds what the user could do.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the cause as a code.
    pub fn code(&self) -> SigningErrorCode {
        self.code
    }

    /// Says what the user could do about it.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for SigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SigningError {}
