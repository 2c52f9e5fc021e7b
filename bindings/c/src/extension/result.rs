//! What an extension ends in: the new file, its report, and what became of each signature.

use super::lacre_extension;
use crate::error::{lacre_error, lacre_status};
use crate::ffi::{handle, out_param, read, read_part, run};
use crate::output::Place;
use crate::report::lacre_report;
use crate::text::{Text, lacre_buffer, lacre_str};
use crate::words::lacre_indication;
use lacre::augmentation::ExtendedSignature;
use std::ptr;

/// What became of a signature. It belongs to its extension, and is never freed.
///
/// @ingroup extending
pub struct lacre_extended_signature {
    id: Text,
    new_id: Text,
    level_before: Text,
    level_after: Text,
    indication_before: lacre_indication,
    indication_after: lacre_indication,
    cause: Text,
    message: Text,
    hint: Text,
}

impl lacre_extended_signature {
    pub(super) fn of(signature: &ExtendedSignature) -> Self {
        let obstacle = signature.obstacle.as_ref();
        Self {
            id: Text::new(signature.id.as_str()),
            new_id: Text::new(signature.new_id.as_str()),
            level_before: Text::maybe(signature.before.map(|level| level.as_str())),
            level_after: Text::maybe(signature.after.map(|level| level.as_str())),
            indication_before: signature.indication_before.into(),
            indication_after: signature.indication_after.into(),
            cause: Text::maybe(obstacle.map(|error| error.code().as_str())),
            message: Text::maybe(obstacle.map(|error| error.to_string())),
            hint: Text::maybe(obstacle.and_then(|error| error.hint())),
        }
    }
}

/// Gives the new file, once the extension is done.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension  The extension.
/// @param[out] file_out   The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                        Otherwise NULL.
/// @param[out] kept_out   May be NULL. Otherwise with how many bytes of the document the new file begins: of a PDF all
///                        of them, so that a copy of it needs no more than what follows.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_file(
    extension: *const lacre_extension,
    file_out: *mut *mut lacre_buffer,
    kept_out: *mut usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks; the document is the caller's word at lacre_extension_new().
    unsafe {
        run(error_out, || {
            let place = Place::of(file_out, kept_out)?;
            let extension = handle(extension, "extension")?;
            let document = extension.document()?;
            place.set(&extension.done()?.extended.output, document.bytes());
            Ok(())
        })
    }
}

/// Gives the judgement of the new file, once the extension is done.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension   The extension.
/// @param[out] report_out  On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_report(
    extension: *const lacre_extension,
    report_out: *mut *mut lacre_report,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(report_out, "report_out")?;
            place.set(lacre_report::new(handle(extension, "extension")?.done()?.extended.report.clone()));
            Ok(())
        })
    }
}

/// Returns how many signatures the document has; 0 as long as the extension is not done.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param extension  May be NULL: 0 comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_signature_count(extension: *const lacre_extension) -> usize {
    // SAFETY: `extension` is NULL or a live handle, as the header asks.
    unsafe { read(extension, 0, |extension| extension.done.as_ref().map_or(0, |done| done.signatures.len())) }
}

/// Returns what became of a signature, in the order of the document.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param extension  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_signature(
    extension: *const lacre_extension,
    index: usize,
) -> *const lacre_extended_signature {
    // SAFETY: `extension` is NULL or a live handle, as the header asks.
    unsafe {
        read(extension, ptr::null(), |extension| {
            let signatures = extension.done.as_ref().map_or(&[][..], |done| &done.signatures);
            signatures.get(index).map_or(ptr::null(), ptr::from_ref)
        })
    }
}

/// Returns its id in the document as it was.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_id(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.id.borrow()) }
}

/// Returns its id in the new file.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_new_id(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.new_id.borrow()) }
}

/// Returns the profile that it fulfilled, such as "PAdES-BASELINE-B"; empty where none is known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_level_before(
    signature: *const lacre_extended_signature,
) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.level_before.borrow()) }
}

/// Returns the profile that it fulfils in the new file, such as "PAdES-BASELINE-LTA"; empty where none is known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_level_after(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.level_after.borrow()) }
}

/// Returns the verdict on it before.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_indication_before(
    signature: *const lacre_extended_signature,
) -> lacre_indication {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_indication::LACRE_INDICATION_NONE, |signature| signature.indication_before) }
}

/// Returns the verdict on it in the new file.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_indication_after(
    signature: *const lacre_extended_signature,
) -> lacre_indication {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_indication::LACRE_INDICATION_NONE, |signature| signature.indication_after) }
}

/// Returns why it was not extended, as a word like those of lacre_error_cause(); empty where it was, and where it was
/// not chosen.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_cause(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.cause.borrow()) }
}

/// Returns why it was not extended: what was found and what was expected, in English.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_message(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.message.borrow()) }
}

/// Returns what the user could do about it; empty where there is no advice.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_hint(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.hint.borrow()) }
}
