//! Closed word lists as numbers. Enums are returned only; a function takes an `int32_t`, which is looked up here.

use crate::error::Failure;
use crate::ffi;
use lacre::report::{Indication, Language, Severity, SubIndication, WantedKind};
use lacre_core::vocabulary::UnknownWord;
use std::ffi::{CStr, c_char};

/// The result of a judgement: EN 319 102-1 table 5.
///
/// @ingroup reports
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_indication {
    /// There is none.
    LACRE_INDICATION_NONE = 0,
    /// The signature is valid under the policy.
    LACRE_INDICATION_TOTAL_PASSED = 1,
    /// The signature is not valid.
    LACRE_INDICATION_TOTAL_FAILED = 2,
    /// What is at hand does not decide.
    LACRE_INDICATION_INDETERMINATE = 3,
    /// Of a time-stamp or evidence record: it is valid.
    LACRE_INDICATION_PASSED = 4,
    /// Of a time-stamp or evidence record: it is not valid.
    LACRE_INDICATION_FAILED = 5,
    /// Of a document: nothing in it is signed.
    LACRE_INDICATION_NO_SIGNATURE_FOUND = 6,
}

use lacre_indication::*;

const INDICATIONS: [(Indication, lacre_indication, &CStr); 6] = [
    (Indication::TotalPassed, LACRE_INDICATION_TOTAL_PASSED, c"TOTAL-PASSED"),
    (Indication::TotalFailed, LACRE_INDICATION_TOTAL_FAILED, c"TOTAL-FAILED"),
    (Indication::Indeterminate, LACRE_INDICATION_INDETERMINATE, c"INDETERMINATE"),
    (Indication::Passed, LACRE_INDICATION_PASSED, c"PASSED"),
    (Indication::Failed, LACRE_INDICATION_FAILED, c"FAILED"),
    (Indication::NoSignatureFound, LACRE_INDICATION_NO_SIGNATURE_FOUND, c"NO_SIGNATURE_FOUND"),
];

impl From<Indication> for lacre_indication {
    fn from(word: Indication) -> Self {
        INDICATIONS.iter().find(|row| row.0 == word).map_or(LACRE_INDICATION_NONE, |row| row.1)
    }
}

/// Why a result is not passed: EN 319 102-1 table 6.
///
/// @ingroup reports
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_sub_indication {
    /// There is none.
    LACRE_SUB_INDICATION_NONE = 0,
    /// A signature is not as its format demands.
    LACRE_SUB_INDICATION_FORMAT_FAILURE = 1,
    /// What is signed was changed.
    LACRE_SUB_INDICATION_HASH_FAILURE = 2,
    /// The signature value does not verify.
    LACRE_SUB_INDICATION_SIG_CRYPTO_FAILURE = 3,
    /// The signing certificate was revoked before the signature is known to exist.
    LACRE_SUB_INDICATION_REVOKED = 4,
    /// The signature is known to exist only after its certificate's end.
    LACRE_SUB_INDICATION_EXPIRED = 5,
    /// The signature was made before its certificate's beginning.
    LACRE_SUB_INDICATION_NOT_YET_VALID = 6,
    /// An attribute of the signature is not as the policy demands.
    LACRE_SUB_INDICATION_SIG_CONSTRAINTS_FAILURE = 7,
    /// The certificates are not as the policy demands.
    LACRE_SUB_INDICATION_CHAIN_CONSTRAINTS_FAILURE = 8,
    /// The certificates could not be judged to the end; often revocation data is missing.
    LACRE_SUB_INDICATION_CERTIFICATE_CHAIN_GENERAL_FAILURE = 9,
    /// An algorithm is too weak for the policy.
    LACRE_SUB_INDICATION_CRYPTO_CONSTRAINTS_FAILURE = 10,
    /// An algorithm is too weak by now, and nothing proves an earlier time.
    LACRE_SUB_INDICATION_CRYPTO_CONSTRAINTS_FAILURE_NO_POE = 11,
    /// The signature's policy cannot be processed.
    LACRE_SUB_INDICATION_POLICY_PROCESSING_ERROR = 12,
    /// The signature's policy is not at hand.
    LACRE_SUB_INDICATION_SIGNATURE_POLICY_NOT_AVAILABLE = 13,
    /// Time-stamps contradict each other.
    LACRE_SUB_INDICATION_TIMESTAMP_ORDER_FAILURE = 14,
    /// The signing certificate is not there.
    LACRE_SUB_INDICATION_NO_SIGNING_CERTIFICATE_FOUND = 15,
    /// No chain leads to a trust anchor.
    LACRE_SUB_INDICATION_NO_CERTIFICATE_CHAIN_FOUND = 16,
    /// The trust anchor is trusted no more, and nothing proves an earlier time.
    LACRE_SUB_INDICATION_NO_CERTIFICATE_CHAIN_FOUND_NO_POE = 17,
    /// The signing certificate was revoked, and nothing proves an earlier time.
    LACRE_SUB_INDICATION_REVOKED_NO_POE = 18,
    /// An authority's certificate was revoked, and nothing proves an earlier time.
    LACRE_SUB_INDICATION_REVOKED_CA_NO_POE = 19,
    /// The certificate is out of its validity, and was not revoked.
    LACRE_SUB_INDICATION_OUT_OF_BOUNDS_NOT_REVOKED = 20,
    /// The certificate is out of its validity, and nothing proves an earlier time.
    LACRE_SUB_INDICATION_OUT_OF_BOUNDS_NO_POE = 21,
    /// As the one before, for who signed revocation data.
    LACRE_SUB_INDICATION_REVOCATION_OUT_OF_BOUNDS_NO_POE = 22,
    /// Nothing proves that something existed in time.
    LACRE_SUB_INDICATION_NO_POE = 23,
    /// Newer revocation data is needed.
    LACRE_SUB_INDICATION_TRY_LATER = 24,
    /// What is signed is not at hand.
    LACRE_SUB_INDICATION_SIGNED_DATA_NOT_FOUND = 25,
}

use lacre_sub_indication::*;

const SUB_INDICATIONS: [(SubIndication, lacre_sub_indication, &CStr); 25] = [
    (SubIndication::FormatFailure, LACRE_SUB_INDICATION_FORMAT_FAILURE, c"FORMAT_FAILURE"),
    (SubIndication::HashFailure, LACRE_SUB_INDICATION_HASH_FAILURE, c"HASH_FAILURE"),
    (SubIndication::SigCryptoFailure, LACRE_SUB_INDICATION_SIG_CRYPTO_FAILURE, c"SIG_CRYPTO_FAILURE"),
    (SubIndication::Revoked, LACRE_SUB_INDICATION_REVOKED, c"REVOKED"),
    (SubIndication::Expired, LACRE_SUB_INDICATION_EXPIRED, c"EXPIRED"),
    (SubIndication::NotYetValid, LACRE_SUB_INDICATION_NOT_YET_VALID, c"NOT_YET_VALID"),
    (SubIndication::SigConstraintsFailure, LACRE_SUB_INDICATION_SIG_CONSTRAINTS_FAILURE, c"SIG_CONSTRAINTS_FAILURE"),
    (
        SubIndication::ChainConstraintsFailure,
        LACRE_SUB_INDICATION_CHAIN_CONSTRAINTS_FAILURE,
        c"CHAIN_CONSTRAINTS_FAILURE",
    ),
    (
        SubIndication::CertificateChainGeneralFailure,
        LACRE_SUB_INDICATION_CERTIFICATE_CHAIN_GENERAL_FAILURE,
        c"CERTIFICATE_CHAIN_GENERAL_FAILURE",
    ),
    (
        SubIndication::CryptoConstraintsFailure,
        LACRE_SUB_INDICATION_CRYPTO_CONSTRAINTS_FAILURE,
        c"CRYPTO_CONSTRAINTS_FAILURE",
    ),
    (
        SubIndication::CryptoConstraintsFailureNoPoe,
        LACRE_SUB_INDICATION_CRYPTO_CONSTRAINTS_FAILURE_NO_POE,
        c"CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
    ),
    (SubIndication::PolicyProcessingError, LACRE_SUB_INDICATION_POLICY_PROCESSING_ERROR, c"POLICY_PROCESSING_ERROR"),
    (
        SubIndication::SignaturePolicyNotAvailable,
        LACRE_SUB_INDICATION_SIGNATURE_POLICY_NOT_AVAILABLE,
        c"SIGNATURE_POLICY_NOT_AVAILABLE",
    ),
    (SubIndication::TimestampOrderFailure, LACRE_SUB_INDICATION_TIMESTAMP_ORDER_FAILURE, c"TIMESTAMP_ORDER_FAILURE"),
    (
        SubIndication::NoSigningCertificateFound,
        LACRE_SUB_INDICATION_NO_SIGNING_CERTIFICATE_FOUND,
        c"NO_SIGNING_CERTIFICATE_FOUND",
    ),
    (
        SubIndication::NoCertificateChainFound,
        LACRE_SUB_INDICATION_NO_CERTIFICATE_CHAIN_FOUND,
        c"NO_CERTIFICATE_CHAIN_FOUND",
    ),
    (
        SubIndication::NoCertificateChainFoundNoPoe,
        LACRE_SUB_INDICATION_NO_CERTIFICATE_CHAIN_FOUND_NO_POE,
        c"NO_CERTIFICATE_CHAIN_FOUND_NO_POE",
    ),
    (SubIndication::RevokedNoPoe, LACRE_SUB_INDICATION_REVOKED_NO_POE, c"REVOKED_NO_POE"),
    (SubIndication::RevokedCaNoPoe, LACRE_SUB_INDICATION_REVOKED_CA_NO_POE, c"REVOKED_CA_NO_POE"),
    (
        SubIndication::OutOfBoundsNotRevoked,
        LACRE_SUB_INDICATION_OUT_OF_BOUNDS_NOT_REVOKED,
        c"OUT_OF_BOUNDS_NOT_REVOKED",
    ),
    (SubIndication::OutOfBoundsNoPoe, LACRE_SUB_INDICATION_OUT_OF_BOUNDS_NO_POE, c"OUT_OF_BOUNDS_NO_POE"),
    (
        SubIndication::RevocationOutOfBoundsNoPoe,
        LACRE_SUB_INDICATION_REVOCATION_OUT_OF_BOUNDS_NO_POE,
        c"REVOCATION_OUT_OF_BOUNDS_NO_POE",
    ),
    (SubIndication::NoPoe, LACRE_SUB_INDICATION_NO_POE, c"NO_POE"),
    (SubIndication::TryLater, LACRE_SUB_INDICATION_TRY_LATER, c"TRY_LATER"),
    (SubIndication::SignedDataNotFound, LACRE_SUB_INDICATION_SIGNED_DATA_NOT_FOUND, c"SIGNED_DATA_NOT_FOUND"),
];

impl From<Option<SubIndication>> for lacre_sub_indication {
    fn from(word: Option<SubIndication>) -> Self {
        let row = word.and_then(|word| SUB_INDICATIONS.iter().find(|row| row.0 == word));
        row.map_or(LACRE_SUB_INDICATION_NONE, |row| row.1)
    }
}

/// How much a finding weighs.
///
/// @ingroup findings
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_severity {
    /// There is none.
    LACRE_SEVERITY_NONE = 0,
    /// It keeps the token from passing.
    LACRE_SEVERITY_ERROR = 1,
    /// The policy only warns of it.
    LACRE_SEVERITY_WARNING = 2,
    /// It may be good to know.
    LACRE_SEVERITY_INFO = 3,
}

impl From<Severity> for lacre_severity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::LACRE_SEVERITY_ERROR,
            Severity::Warning => Self::LACRE_SEVERITY_WARNING,
            Severity::Info => Self::LACRE_SEVERITY_INFO,
            _ => Self::LACRE_SEVERITY_NONE,
        }
    }
}

/// A kind of evidence that could change a verdict, or that an extension wants.
///
/// @ingroup wanted
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_evidence_kind {
    /// There is none.
    LACRE_EVIDENCE_NONE = 0,
    /// An OCSP response.
    LACRE_EVIDENCE_OCSP = 1,
    /// A CRL.
    LACRE_EVIDENCE_CRL = 2,
    /// The certificate of an issuer.
    LACRE_EVIDENCE_ISSUER = 3,
    /// A trusted list.
    LACRE_EVIDENCE_TRUSTED_LIST = 4,
    /// A detached content.
    LACRE_EVIDENCE_CONTENT = 5,
    /// A time-stamp; only an extension wants one.
    LACRE_EVIDENCE_TIMESTAMP = 6,
}

impl From<WantedKind> for lacre_evidence_kind {
    fn from(word: WantedKind) -> Self {
        match word {
            WantedKind::Ocsp => Self::LACRE_EVIDENCE_OCSP,
            WantedKind::Crl => Self::LACRE_EVIDENCE_CRL,
            WantedKind::Issuer => Self::LACRE_EVIDENCE_ISSUER,
            WantedKind::TrustedList => Self::LACRE_EVIDENCE_TRUSTED_LIST,
            WantedKind::Content => Self::LACRE_EVIDENCE_CONTENT,
            _ => Self::LACRE_EVIDENCE_NONE,
        }
    }
}

/// Looks up a number handed in, in the list of what it may be.
pub(crate) fn one_of<T: Copy>(number: i32, list: &[(i32, T)], name: &str) -> Result<T, Failure> {
    list.iter().find(|(known, _)| *known == number).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<String> = list.iter().map(|(known, _)| known.to_string()).collect();
        Failure::argument(format!("{name} is {number}, expected one of {}", known.join(", ")))
    })
}

/// Reads a language handed in; English for NULL.
///
/// # Safety
///
/// `language` is NULL or points to a NUL-terminated text that nothing changes meanwhile.
pub(crate) unsafe fn language_of(language: *const c_char) -> Result<Language, Failure> {
    if language.is_null() {
        return Ok(Language::default());
    }
    // SAFETY: the contract of this function.
    let word = unsafe { ffi::text(language, "language") }?;
    word.parse().map_err(|error: UnknownWord| Failure::argument(error.to_string()))
}

/// Returns the word of an indication as ETSI writes it, such as "TOTAL-PASSED".
///
/// Thread safety: any thread.
///
/// @param indication  Any number; for one that is no indication the word is empty.
/// @return Static, NUL-terminated.
/// @ingroup reports
#[unsafe(no_mangle)]
pub extern "C" fn lacre_indication_name(indication: i32) -> *const c_char {
    let known = INDICATIONS.iter().find(|row| row.1 as i32 == indication);
    known.map_or(c"", |row| row.2).as_ptr()
}

/// Returns the word of a sub-indication as ETSI writes it, such as "NO_CERTIFICATE_CHAIN_FOUND".
///
/// Thread safety: any thread.
///
/// @param sub_indication  Any number; for one that is no sub-indication the word is empty.
/// @return Static, NUL-terminated.
/// @ingroup reports
#[unsafe(no_mangle)]
pub extern "C" fn lacre_sub_indication_name(sub_indication: i32) -> *const c_char {
    let known = SUB_INDICATIONS.iter().find(|row| row.1 as i32 == sub_indication);
    known.map_or(c"", |row| row.2).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_number_and_its_name() {
        for word in Indication::ALL {
            let number = lacre_indication::from(*word);
            let name = INDICATIONS.iter().find(|row| row.1 == number).map(|row| row.2.to_bytes());
            assert_eq!(name, Some(word.as_str().as_bytes()));
        }
        for word in SubIndication::ALL {
            let number = lacre_sub_indication::from(Some(*word));
            let name = SUB_INDICATIONS.iter().find(|row| row.1 == number).map(|row| row.2.to_bytes());
            assert_eq!(name, Some(word.as_str().as_bytes()));
        }
        for word in WantedKind::ALL {
            assert_ne!(lacre_evidence_kind::from(*word), lacre_evidence_kind::LACRE_EVIDENCE_NONE, "{word}");
        }
    }

    #[test]
    fn unknown_numbers_are_refused() {
        let list = [(1, "a"), (2, "b")];
        assert_eq!(one_of(2, &list, "x").map_err(|f| f.code), Ok("b"));
        for number in [0, 3, -1, i32::MIN, i32::MAX] {
            let refused = one_of(number, &list, "x").map_err(|f| f.code);
            assert_eq!(refused, Err(crate::error::lacre_status::LACRE_ERROR_INVALID_ARGUMENT));
        }
    }
}
