//! What an extension wants, and the answers to it.

use super::{lacre_extension, lacre_want};
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{bytes, handle_mut, out_param, read, run, text};
use crate::text::lacre_buffer;
use crate::time::stated;
use crate::timestamp::{self, optional_text};
use std::ffi::c_char;
use std::ptr;

/// Returns how many things are wanted.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param extension  May be NULL: 0 comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_want_count(extension: *const lacre_extension) -> usize {
    // SAFETY: `extension` is NULL or a live handle, as the header asks.
    unsafe { read(extension, 0, |extension| extension.wants.len()) }
}

/// Returns something that is wanted: a time-stamp, or a piece of evidence. Of several about one certificate one is
/// enough.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param extension  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the extension, until its next step.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_want(extension: *const lacre_extension, index: usize) -> *const lacre_want {
    // SAFETY: `extension` is NULL or a live handle, as the header asks.
    unsafe { read(extension, ptr::null(), |extension| extension.wants.get(index).map_or(ptr::null(), ptr::from_ref)) }
}

/// Hands in a piece of evidence that is wanted: a certificate, CRL or OCSP response (DER or PEM); of issuers, also a
/// "certs-only" message (.p7c). It is copied. What cannot be read is refused, and may be asked for elsewhere.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension     The extension.
/// @param      index         Which of what is wanted.
/// @param      evidence      Borrowed for the call.
/// @param      evidence_len  How many bytes it has.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_answer(
    extension: *mut lacre_extension,
    index: usize,
    evidence: *const u8,
    evidence_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let extension = handle_mut(extension, "extension")?;
            extension.answer(index, bytes(evidence, evidence_len, "evidence")?, None)
        })
    }
}

/// Gives the request for a time-stamp that is wanted: a TimeStampReq (RFC 3161), for lacre_extension_timestamp().
/// Another one about the same takes its place.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension    The extension.
/// @param      index        Which of what is wanted.
/// @param      nonce        8 to 16 random bytes, by which the response is known to be new; borrowed for the call. NULL
///                          with a length of 0: none.
/// @param      nonce_len    How many bytes it has.
/// @param      policy       The policy to stamp under, an object identifier: NUL-terminated, borrowed for the call.
///                          NULL: that of the option timestamp-policy, or the authority's choice.
/// @param[out] request_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_timestamp_request(
    extension: *mut lacre_extension,
    index: usize,
    nonce: *const u8,
    nonce_len: usize,
    policy: *const c_char,
    request_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(request_out, "request_out")?;
            let extension = handle_mut(extension, "extension")?;
            let (nonce, policy) = (bytes(nonce, nonce_len, "nonce")?.to_vec(), optional_text(policy, "policy")?);
            place.set(lacre_buffer::bytes(extension.request(index, nonce, policy)?));
            Ok(())
        })
    }
}

/// Hands in the response to lacre_extension_timestamp_request(), which is checked as lacre_timestamp_token() does. One
/// that is refused leaves the extension as it was: another authority may be asked.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension     The extension.
/// @param      index         Which of what is wanted.
/// @param      response      The TimeStampResp, borrowed for the call.
/// @param      response_len  How many bytes it has.
/// @param      time          When it was received: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_TIMESTAMP.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_timestamp(
    extension: *mut lacre_extension,
    index: usize,
    response: *const u8,
    response_len: usize,
    time: i64,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let extension = handle_mut(extension, "extension")?;
            let response = bytes(response, response_len, "response")?;
            extension.want(index)?.imprint()?;
            let missing = "found no request, expected lacre_extension_timestamp_request() before";
            let request = extension.requests.get(&index).ok_or_else(|| Failure::argument(missing))?;
            let token = timestamp::token(request, response, stated(time)?)?;
            extension.stamp(index, token)
        })
    }
}

/// Says that a piece of evidence was looked for in vain: it is not wanted there again, and the reason stands in the
/// error if nothing else helps. There is no going on without a time-stamp.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension  The extension.
/// @param      index      Which of what is wanted.
/// @param      url        One of its addresses: NUL-terminated UTF-8, borrowed for the call. NULL: all of them.
/// @param      reason     A sentence: NUL-terminated UTF-8, borrowed for the call.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_failed(
    extension: *mut lacre_extension,
    index: usize,
    url: *const c_char,
    reason: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let extension = handle_mut(extension, "extension")?;
            extension.failed(index, optional_text(url, "url")?, text(reason, "reason")?)
        })
    }
}
