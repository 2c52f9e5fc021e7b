//! Evidence bundles: everything that a verdict rests on, in one file, and its replay.

use crate::document::lacre_document;
use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, out_param, read, run};
use crate::report::lacre_report;
use crate::text::{Text, lacre_buffer, lacre_str};
use crate::time::{LACRE_NO_TIME, millis, stated};
use crate::validator::lacre_validator;
use crate::words::language_of;
use lacre::{
    Bundle,
    bundle::{BundleError, Difference},
};
use std::ffi::c_char;

/// An evidence bundle: facts, policy, report, and everything that was handed in, but the document, of which it states
/// the digest. Immutable; freed with lacre_bundle_free().
///
/// @ingroup bundles
pub struct lacre_bundle {
    bundle: Bundle,
    name: Text,
    sha256: Text,
    report: Text,
}

impl Handle for lacre_bundle {
    const NAME: &'static str = "lacre_bundle";
}

impl lacre_bundle {
    fn new(bundle: Bundle) -> Self {
        let document = bundle.document();
        let name = Text::maybe(document.name.as_deref());
        let sha256 = Text::new(document.sha256.as_str());
        let report = Text::new(String::from_utf8_lossy(bundle.report()));
        Self { bundle, name, sha256, report }
    }
}

/// What is wrong with a bundle, or with the document that it should be about.
impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::Document(error) => error.into(),
            error => Self::of(LACRE_ERROR_BUNDLE, &error),
        }
    }
}

/// Returns a line for each difference.
fn told(differences: &[Difference]) -> String {
    differences.iter().map(|difference| format!("{difference}\n")).collect()
}

/// Validates as lacre_validate() does, and keeps everything that the report rests on.
///
/// Thread safety: any number of threads, also with the same validator and the same document.
///
/// @param      validator   The policy, and who is trusted.
/// @param      document    The document.
/// @param      time        Milliseconds since 1970-01-01T00:00:00Z; lacre_time_parse() reads a date.
/// @param      language    The language of the report in the bundle, as for lacre_report_write(). NULL: English.
/// @param[out] report_out  The report. On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
/// @param[out] bundle_out  The bytes of a ZIP file, which the same validation gives again. On LACRE_OK owned by the
///                         caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_INVALID_UTF8,
///         LACRE_ERROR_UNKNOWN_FORMAT or LACRE_ERROR_UNREADABLE.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validate_bundled(
    validator: *const lacre_validator,
    document: *const lacre_document,
    time: i64,
    language: *const c_char,
    report_out: *mut *mut lacre_report,
    bundle_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let (report_place, bundle_place) =
                (out_param(report_out, "report_out"), out_param(bundle_out, "bundle_out"));
            let (report_place, bundle_place) = (report_place?, bundle_place?);
            let (validator, document) = (handle(validator, "validator")?, handle(document, "document")?);
            let (time, language) = (stated(time)?, language_of(language)?);
            let (report, bundle) = Bundle::record(&validator.0, &document.document(), time, language)?;
            let bundle = lacre_buffer::bytes(bundle.to_zip());
            report_place.set(lacre_report::new(report));
            bundle_place.set(bundle);
            Ok(())
        })
    }
}

/// Reads a bundle. One in which any byte is another than was written is refused.
///
/// Thread safety: any thread.
///
/// @param      bundle      The bytes of the ZIP file, borrowed for the call.
/// @param      bundle_len  How many there are.
/// @param[out] bundle_out  On LACRE_OK owned by the caller, freed with lacre_bundle_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_BUNDLE.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_from_memory(
    bundle: *const u8,
    bundle_len: usize,
    bundle_out: *mut *mut lacre_bundle,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(bundle_out, "bundle_out")?;
            place.set(lacre_bundle::new(Bundle::from_zip(bytes(bundle, bundle_len, "bundle")?)?));
            Ok(())
        })
    }
}

/// Returns the name of the document that was judged; empty where it had none.
///
/// Thread safety: any thread.
///
/// @param bundle  May be NULL: an empty text.
/// @return Borrowed from the bundle.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_document_name(bundle: *const lacre_bundle) -> lacre_str {
    // SAFETY: `bundle` is NULL or a live handle, as the header asks.
    unsafe { read(bundle, lacre_str::EMPTY, |bundle| bundle.name.borrow()) }
}

/// Returns the SHA-256 of the document that was judged, in lower-case hexadecimal.
///
/// Thread safety: any thread.
///
/// @param bundle  May be NULL: an empty text.
/// @return Borrowed from the bundle.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_document_sha256(bundle: *const lacre_bundle) -> lacre_str {
    // SAFETY: `bundle` is NULL or a live handle, as the header asks.
    unsafe { read(bundle, lacre_str::EMPTY, |bundle| bundle.sha256.borrow()) }
}

/// Returns the moment that was judged for, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Thread safety: any thread.
///
/// @param bundle  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_validation_time(bundle: *const lacre_bundle) -> i64 {
    // SAFETY: `bundle` is NULL or a live handle, as the header asks.
    unsafe { read(bundle, LACRE_NO_TIME, |bundle| millis(Some(bundle.bundle.validation_time()))) }
}

/// Returns the report as it was written then, as JSON.
///
/// Thread safety: any thread.
///
/// @param bundle  May be NULL: an empty text.
/// @return Borrowed from the bundle.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_report(bundle: *const lacre_bundle) -> lacre_str {
    // SAFETY: `bundle` is NULL or a live handle, as the header asks.
    unsafe { read(bundle, lacre_str::EMPTY, |bundle| bundle.report.borrow()) }
}

/// Judges again, by the policy and for the moment of the bundle, and says what differs from then.
///
/// Without the document the facts of the bundle are judged; with it, it is read again, with the trust anchors, the
/// trusted lists and the evidence of the bundle, under the name that it had.
///
/// Thread safety: any number of threads, also with the same bundle and the same document.
///
/// @param      bundle           The bundle.
/// @param      document         The document that was judged, with its detached contents. May be NULL.
/// @param[out] report_out       The report of today. On LACRE_OK owned by the caller, freed with lacre_report_free().
///                              Otherwise NULL.
/// @param[out] differences_out  A text: a line for each of the first hundred differences, empty where there is none. On
///                              LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_UNREADABLE or LACRE_ERROR_BUNDLE, which is also that of
///         another document.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_replay(
    bundle: *const lacre_bundle,
    document: *const lacre_document,
    report_out: *mut *mut lacre_report,
    differences_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let (report_place, place) =
                (out_param(report_out, "report_out"), out_param(differences_out, "differences_out"));
            let (report_place, place) = (report_place?, place?);
            let bundle = &handle(bundle, "bundle")?.bundle;
            let replay = match document.is_null() {
                true => bundle.replay()?,
                false => {
                    let document = handle(document, "document")?;
                    bundle.replay_with(&document.document_named(bundle.document().name.as_deref()))?
                }
            };
            let differences = lacre_buffer::text(told(&replay.differences));
            report_place.set(lacre_report::new(replay.report));
            place.set(differences);
            Ok(())
        })
    }
}

/// Frees a bundle, and with it all that was borrowed from it.
///
/// Thread safety: any thread, as long as no other uses the bundle.
///
/// @param bundle  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup bundles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_bundle_free(bundle: *mut lacre_bundle) -> lacre_status {
    // SAFETY: `bundle` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(bundle) }
}
