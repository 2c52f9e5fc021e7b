//! Status codes, and errors as handles.

use crate::ffi::{Handle, free, read};
use crate::text::{Text, lacre_str};
use lacre::signing::{SigningError, SigningErrorCode};
use std::borrow::Cow;
use std::error::Error;
use std::ffi::c_char;

/// How a call ended. A number that was given out once never means anything else.
///
/// @ingroup errors
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_status {
    /// The function did what it says.
    LACRE_OK = 0,
    /// A pointer was NULL that may not be.
    LACRE_ERROR_NULL_ARGUMENT = 1,
    /// A number is not in its list, a length is not possible, an index or a text is not one of those allowed.
    LACRE_ERROR_INVALID_ARGUMENT = 2,
    /// A text is not UTF-8.
    LACRE_ERROR_INVALID_UTF8 = 3,
    /// Debug builds only: the handle was freed already, or is of another type.
    LACRE_ERROR_INVALID_HANDLE = 4,
    /// A file could not be opened or read.
    LACRE_ERROR_FILE = 5,
    /// The document is of no format that can hold a signature.
    LACRE_ERROR_UNKNOWN_FORMAT = 6,
    /// The document is of a known format, and damaged, or holds nothing that is supported.
    LACRE_ERROR_UNREADABLE = 7,
    /// A trust anchor, certificate, CRL or OCSP response is not what it should be.
    LACRE_ERROR_EVIDENCE = 8,
    /// A validation policy or cryptographic suite cannot be read.
    LACRE_ERROR_POLICY = 9,
    /// Stored facts cannot be read, or state no time where one is needed.
    LACRE_ERROR_FACTS = 10,
    /// A private or public key cannot be read or made.
    LACRE_ERROR_KEY = 11,
    /// A signature could not be prepared, made or finished; lacre_error_cause() says why in a word.
    LACRE_ERROR_SIGNING = 12,
    /// A certificate could not be issued.
    LACRE_ERROR_ISSUANCE = 13,
    /// A callback said that it failed, or gave back what it may not.
    LACRE_ERROR_CALLBACK = 14,
    /// The report could not be written in that format.
    LACRE_ERROR_REPORT = 15,
    /// An evidence bundle was changed or cannot be read, or the document is not the one that it is about.
    LACRE_ERROR_BUNDLE = 16,
    /// A snapshot of trusted lists was changed or cannot be read.
    LACRE_ERROR_TRUSTED_LISTS = 17,
    /// The system gives no randomness.
    LACRE_ERROR_RANDOM = 18,
    /// A signature value is not of the form of its algorithm, or not one of the signer's key over what was to be
    /// signed.
    LACRE_ERROR_SIGNATURE_VALUE = 19,
    /// A prepared signature was changed, cannot be read, or is of another version or document.
    LACRE_ERROR_PREPARED = 20,
    /// A time-stamp, or the response of a time-stamping authority, is not what was asked for.
    LACRE_ERROR_TIMESTAMP = 21,
    /// A document could not be extended or time-stamped; lacre_error_cause() says why in a word.
    LACRE_ERROR_EXTENSION = 22,
    /// A defect of lacre. Everything handed in is as it was before; please report it.
    LACRE_ERROR_INTERNAL = 100,
}

use lacre_status::*;

/// Every code and its name in C.
const STATUSES: [(lacre_status, &std::ffi::CStr); 24] = [
    (LACRE_OK, c"LACRE_OK"),
    (LACRE_ERROR_NULL_ARGUMENT, c"LACRE_ERROR_NULL_ARGUMENT"),
    (LACRE_ERROR_INVALID_ARGUMENT, c"LACRE_ERROR_INVALID_ARGUMENT"),
    (LACRE_ERROR_INVALID_UTF8, c"LACRE_ERROR_INVALID_UTF8"),
    (LACRE_ERROR_INVALID_HANDLE, c"LACRE_ERROR_INVALID_HANDLE"),
    (LACRE_ERROR_FILE, c"LACRE_ERROR_FILE"),
    (LACRE_ERROR_UNKNOWN_FORMAT, c"LACRE_ERROR_UNKNOWN_FORMAT"),
    (LACRE_ERROR_UNREADABLE, c"LACRE_ERROR_UNREADABLE"),
    (LACRE_ERROR_EVIDENCE, c"LACRE_ERROR_EVIDENCE"),
    (LACRE_ERROR_POLICY, c"LACRE_ERROR_POLICY"),
    (LACRE_ERROR_FACTS, c"LACRE_ERROR_FACTS"),
    (LACRE_ERROR_KEY, c"LACRE_ERROR_KEY"),
    (LACRE_ERROR_SIGNING, c"LACRE_ERROR_SIGNING"),
    (LACRE_ERROR_ISSUANCE, c"LACRE_ERROR_ISSUANCE"),
    (LACRE_ERROR_CALLBACK, c"LACRE_ERROR_CALLBACK"),
    (LACRE_ERROR_REPORT, c"LACRE_ERROR_REPORT"),
    (LACRE_ERROR_BUNDLE, c"LACRE_ERROR_BUNDLE"),
    (LACRE_ERROR_TRUSTED_LISTS, c"LACRE_ERROR_TRUSTED_LISTS"),
    (LACRE_ERROR_RANDOM, c"LACRE_ERROR_RANDOM"),
    (LACRE_ERROR_SIGNATURE_VALUE, c"LACRE_ERROR_SIGNATURE_VALUE"),
    (LACRE_ERROR_PREPARED, c"LACRE_ERROR_PREPARED"),
    (LACRE_ERROR_TIMESTAMP, c"LACRE_ERROR_TIMESTAMP"),
    (LACRE_ERROR_EXTENSION, c"LACRE_ERROR_EXTENSION"),
    (LACRE_ERROR_INTERNAL, c"LACRE_ERROR_INTERNAL"),
];

/// What went wrong, in words. Immutable; freed with lacre_error_free().
///
/// @ingroup errors
pub struct lacre_error {
    code: lacre_status,
    cause: Text,
    message: Text,
    hint: Text,
}

impl Handle for lacre_error {
    const NAME: &'static str = "lacre_error";
}

/// Why a function does not end in `LACRE_OK`.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: lacre_status,
    cause: Option<SigningErrorCode>,
    message: String,
    hint: Option<Cow<'static, str>>,
}

impl Failure {
    /// Makes a failure of its sentence: what was found and what was expected, lower case, no full stop.
    pub(crate) fn new(code: lacre_status, message: impl Into<String>) -> Self {
        Self { code, cause: None, message: message.into(), hint: None }
    }

    /// Makes a failure of an error of the library; its causes follow after colons.
    pub(crate) fn of(code: lacre_status, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self::new(code, message)
    }

    /// Makes a failure: something handed in is not in the list of what may be.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(LACRE_ERROR_INVALID_ARGUMENT, message)
    }

    /// Puts the name of what it is about before the message.
    pub(crate) fn about(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Returns what was found and what was expected.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Adds what keeps a signature from being made or extended.
    pub(crate) fn because(mut self, cause: SigningErrorCode) -> Self {
        self.cause = Some(cause);
        self
    }

    /// Makes a failure of what keeps a signature from being made or extended; `otherwise` is its code where it has none
    /// of its own.
    pub(crate) fn of_signing(error: &SigningError, otherwise: lacre_status) -> Self {
        use SigningErrorCode::*;
        let code = match error.code() {
            ValueForm | ValueDoesNotVerify => LACRE_ERROR_SIGNATURE_VALUE,
            ContentDiffers | StateUnreadable | StateOfOtherVersion | StateTampered => LACRE_ERROR_PREPARED,
            TsaReplyUnreadable | TsaRejected | TsaImprint | TsaNonce | TsaPolicy | TsaCertificate | TsaTime => {
                LACRE_ERROR_TIMESTAMP
            }
            EvidenceUnreadable => LACRE_ERROR_EVIDENCE,
            _ => otherwise,
        };
        let hint = error.hint().map(|hint| Cow::Owned(hint.to_owned()));
        Self { hint, ..Self::of(code, error).because(error.code()) }
    }

    /// Returns the error as the caller gets it.
    pub(crate) fn into_error(self) -> lacre_error {
        let cause = Text::maybe(self.cause.map(SigningErrorCode::as_str));
        let (message, hint) = (Text::new(self.message), Text::new(self.hint.unwrap_or_default()));
        lacre_error { code: self.code, cause, message, hint }
    }
}

/// What the library says of a document or of evidence.
impl From<lacre::Error> for Failure {
    fn from(error: lacre::Error) -> Self {
        use lacre_core::formats;
        let code = match &error {
            lacre::Error::Document(formats::Error::Unknown { .. }) => LACRE_ERROR_UNKNOWN_FORMAT,
            lacre::Error::Document(_) | lacre::Error::Budget { .. } => LACRE_ERROR_UNREADABLE,
            _ => LACRE_ERROR_EVIDENCE,
        };
        Self { hint: error.hint().map(Cow::Borrowed), ..Self::of(code, &error) }
    }
}

/// Returns the code of an error; LACRE_OK for NULL.
///
/// Thread safety: any thread.
///
/// @param error  May be NULL.
/// @ingroup errors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_error_code(error: *const lacre_error) -> lacre_status {
    // SAFETY: `error` is NULL or a live handle, as the header asks.
    unsafe { read(error, LACRE_OK, |error| error.code) }
}

/// Returns what keeps a signature from being made or extended, as a word that programs compare, such as
/// "value-does-not-verify", "field-signed" or "revocation-missing"; empty for other errors. They are those of the Rust
/// library (SigningErrorCode) and of the command.
///
/// Thread safety: any thread.
///
/// @param error  May be NULL: an empty text.
/// @return Borrowed from the error.
/// @ingroup errors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_error_cause(error: *const lacre_error) -> lacre_str {
    // SAFETY: `error` is NULL or a live handle, as the header asks.
    unsafe { read(error, lacre_str::EMPTY, |error| error.cause.borrow()) }
}

/// Returns what went wrong: what was found and what was expected, with the causes after colons. In English.
///
/// Thread safety: any thread.
///
/// @param error  May be NULL: an empty text.
/// @return Borrowed from the error.
/// @ingroup errors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_error_message(error: *const lacre_error) -> lacre_str {
    // SAFETY: `error` is NULL or a live handle, as the header asks.
    unsafe { read(error, lacre_str::EMPTY, |error| error.message.borrow()) }
}

/// Returns what the user could do about it; empty where there is no advice. In English.
///
/// Thread safety: any thread.
///
/// @param error  May be NULL: an empty text.
/// @return Borrowed from the error.
/// @ingroup errors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_error_hint(error: *const lacre_error) -> lacre_str {
    // SAFETY: `error` is NULL or a live handle, as the header asks.
    unsafe { read(error, lacre_str::EMPTY, |error| error.hint.borrow()) }
}

/// Frees an error.
///
/// Thread safety: any thread, as long as no other uses the error.
///
/// @param error  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup errors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_error_free(error: *mut lacre_error) -> lacre_status {
    // SAFETY: `error` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(error) }
}

/// Returns the name of a code as it is written in C, such as "LACRE_ERROR_FILE".
///
/// Thread safety: any thread.
///
/// @param status  Any number; for one that is no code the name is "LACRE_ERROR_UNKNOWN".
/// @return Static, NUL-terminated.
/// @ingroup errors
#[unsafe(no_mangle)]
pub extern "C" fn lacre_status_name(status: i32) -> *const c_char {
    let known = STATUSES.iter().find(|(code, _)| *code as i32 == status);
    known.map_or(c"LACRE_ERROR_UNKNOWN", |(_, name)| name).as_ptr()
}
