//! What an extension would take, without doing it.

use super::{Task, lacre_extension, lacre_want, refused};
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, free, handle, out_param, read, read_part, run};
use crate::text::{Text, lacre_str};
use crate::time::stated;
use lacre::augmentation::{SignatureOutlook, outlook};
use std::ptr;

/// What it would take to extend a document. Immutable; freed with lacre_outlook_free().
///
/// @ingroup extending
pub struct lacre_outlook(Vec<lacre_signature_outlook>);

impl Handle for lacre_outlook {
    const NAME: &'static str = "lacre_outlook";
}

/// What it would take to extend a signature. It belongs to its outlook, and is never freed.
///
/// @ingroup extending
pub struct lacre_signature_outlook {
    id: Text,
    level: Text,
    cause: Text,
    message: Text,
    hint: Text,
    timestamps: usize,
    wants: Vec<lacre_want>,
}

impl lacre_signature_outlook {
    fn of(signature: &SignatureOutlook) -> Self {
        let obstacle = signature.obstacle.as_ref();
        Self {
            id: Text::new(signature.id.as_str()),
            level: Text::maybe(signature.level.map(|level| level.as_str())),
            cause: Text::maybe(obstacle.map(|error| error.code().as_str())),
            message: Text::maybe(obstacle.map(|error| error.to_string())),
            hint: Text::maybe(obstacle.and_then(|error| error.hint())),
            timestamps: signature.timestamps,
            wants: signature.evidence.iter().map(lacre_want::of_evidence).collect(),
        }
    }
}

/// Says what it would take to extend the signatures of the document, with what was handed in so far. Nothing is asked of
/// anybody, and the extension stays as it is.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension    One of lacre_extension_new().
/// @param      time         This moment: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] outlook_out  On LACRE_OK owned by the caller, freed with lacre_outlook_free(); it outlives the extension.
///                          Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EXTENSION.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_outlook(
    extension: *const lacre_extension,
    time: i64,
    outlook_out: *mut *mut lacre_outlook,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks; the document is the caller's word at lacre_extension_new().
    unsafe {
        run(error_out, || {
            let place = out_param(outlook_out, "outlook_out")?;
            let extension = handle(extension, "extension")?;
            if !matches!(extension.task, Task::Extend) {
                return Err(Failure::argument("extension is not one of lacre_extension_new(), expected one"));
            }
            let (validator, document, time) = (&extension.validator, extension.document()?, stated(time)?);
            let found = outlook(validator, &document, &extension.target, &extension.material, time).map_err(refused)?;
            place.set(lacre_outlook(found.signatures.iter().map(lacre_signature_outlook::of).collect()));
            Ok(())
        })
    }
}

/// Returns how many signatures were chosen.
///
/// Thread safety: any thread.
///
/// @param outlook  May be NULL: 0 comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_outlook_count(outlook: *const lacre_outlook) -> usize {
    // SAFETY: `outlook` is NULL or a live handle, as the header asks.
    unsafe { read(outlook, 0, |outlook| outlook.0.len()) }
}

/// Returns what a signature would take, in the order of the document.
///
/// Thread safety: any thread.
///
/// @param outlook  May be NULL: NULL comes back.
/// @param index    From 0; past the last NULL comes back.
/// @return Borrowed from the outlook.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_outlook_signature(
    outlook: *const lacre_outlook,
    index: usize,
) -> *const lacre_signature_outlook {
    // SAFETY: `outlook` is NULL or a live handle, as the header asks.
    unsafe { read(outlook, ptr::null(), |outlook| outlook.0.get(index).map_or(ptr::null(), ptr::from_ref)) }
}

/// Frees an outlook.
///
/// Thread safety: any thread, as long as no other uses the outlook.
///
/// @param outlook  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_outlook_free(outlook: *mut lacre_outlook) -> lacre_status {
    // SAFETY: `outlook` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(outlook) }
}

/// Returns its id, as in a report.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the outlook.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_id(signature: *const lacre_signature_outlook) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.id.borrow()) }
}

/// Returns the profile that it fulfils, such as "PAdES-BASELINE-B"; empty where none is known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the outlook.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_level(signature: *const lacre_signature_outlook) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.level.borrow()) }
}

/// Returns what is in the way, as a word like those of lacre_error_cause(); empty where nothing is.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the outlook.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_cause(signature: *const lacre_signature_outlook) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.cause.borrow()) }
}

/// Returns what is in the way: what was found and what was expected, in English.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the outlook.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_message(signature: *const lacre_signature_outlook) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.message.borrow()) }
}

/// Returns what the user could do about it; empty where there is no advice.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the outlook.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_hint(signature: *const lacre_signature_outlook) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.hint.borrow()) }
}

/// Returns how many time-stamps it would get; in a PDF the same ones serve all signatures.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_timestamp_count(signature: *const lacre_signature_outlook) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.timestamps) }
}

/// Returns how many pieces of evidence are missing, as far as they are known: what time-stamps to come need is not.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_want_count(signature: *const lacre_signature_outlook) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.wants.len()) }
}

/// Returns a piece of evidence that is missing, to be read with the functions that begin with lacre_want.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the outlook, also where those functions say: from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_outlook_want(
    signature: *const lacre_signature_outlook,
    index: usize,
) -> *const lacre_want {
    // SAFETY: `signature` is NULL or borrowed from a live outlook, as the header asks.
    unsafe {
        read_part(signature, ptr::null(), |signature| signature.wants.get(index).map_or(ptr::null(), ptr::from_ref))
    }
}
