//! Prepared signatures: what is to be signed, and the file once its value is known.

use super::optional;
use crate::document::lacre_document;
use crate::error::{Failure, lacre_error, lacre_status, lacre_status::*};
use crate::ffi::{Handle, bytes, free, handle, out_param, read, run};
use crate::keys::{digest_of, lacre_digest, lacre_key, lacre_scheme, number_of, scheme_of};
use crate::output::Place;
use crate::random::{Generator, generator, lacre_random_callback};
use crate::text::lacre_buffer;
use lacre::Document;
use lacre::signing::{Packaging, Prepared, SigningErrorCode};
use std::ffi::{c_char, c_void};

/// A signature that lacks only its value. Immutable; freed with lacre_prepared_free().
///
/// It does not depend on the process that made it: lacre_prepared_to_json() and lacre_prepared_from_json().
///
/// @ingroup signing
pub struct lacre_prepared(pub(super) Prepared);

impl Handle for lacre_prepared {
    const NAME: &'static str = "lacre_prepared";
}

/// Makes the value with a key, which must be the signer's.
pub(super) fn value(prepared: &Prepared, key: &lacre_key, random: &mut Generator) -> Result<Vec<u8>, Failure> {
    let key = key.0.signing();
    if key.public_key().spki() != prepared.certificate().spki() {
        let message = "the key is another one, expected that of the signer's certificate";
        let failure = Failure::new(LACRE_ERROR_SIGNING, message);
        return Err(failure.because(SigningErrorCode::CertificateKeyMismatch));
    }
    let value = key.sign(prepared.algorithm(), &prepared.digest(), random);
    value.map_err(|error| Failure::from(error).because(SigningErrorCode::KeyRefused))
}

/// Returns the document that was prepared; where only a digest was, nothing is looked at.
pub(super) fn original(document: Option<&lacre_document>) -> Document<'_> {
    document.map_or_else(|| Document::new(&[]), lacre_document::document)
}

/// Gives what is to be signed: the signed attributes, for a key that digests what it gets.
///
/// Thread safety: any number of threads, also with the same prepared signature.
///
/// @param      prepared   The prepared signature.
/// @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_to_be_signed(
    prepared: *const lacre_prepared,
    bytes_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(bytes_out, "bytes_out")?;
            place.set(lacre_buffer::bytes(handle(prepared, "prepared")?.0.to_be_signed().to_vec()));
            Ok(())
        })
    }
}

/// Gives what a service gets that signs digests: the digest of what is to be signed; for EdDSA and ML-DSA that itself.
///
/// Thread safety: any number of threads, also with the same prepared signature.
///
/// @param      prepared   The prepared signature.
/// @param[out] hash_out   On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_hash(
    prepared: *const lacre_prepared,
    hash_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(hash_out, "hash_out")?;
            place.set(lacre_buffer::bytes(handle(prepared, "prepared")?.0.digest()));
            Ok(())
        })
    }
}

/// Returns whether the key signs the message itself, and not a digest of it: EdDSA and ML-DSA.
///
/// Thread safety: any thread.
///
/// @param prepared  May be NULL: false comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_needs_message(prepared: *const lacre_prepared) -> bool {
    // SAFETY: `prepared` is NULL or a live handle, as the header asks.
    unsafe { read(prepared, false, |prepared| prepared.0.needs_message()) }
}

/// Returns how the value is to be made.
///
/// Thread safety: any thread.
///
/// @param prepared  May be NULL: LACRE_SCHEME_USUAL comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_scheme(prepared: *const lacre_prepared) -> lacre_scheme {
    let usual = lacre_scheme::LACRE_SCHEME_USUAL;
    // SAFETY: `prepared` is NULL or a live handle, as the header asks.
    unsafe { read(prepared, usual, |prepared| scheme_of(prepared.0.algorithm().key).unwrap_or(usual)) }
}

/// Returns the digest function of the value.
///
/// Thread safety: any thread.
///
/// @param prepared  May be NULL: LACRE_DIGEST_NONE comes back, as for EdDSA and ML-DSA.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_digest(prepared: *const lacre_prepared) -> lacre_digest {
    // SAFETY: `prepared` is NULL or a live handle, as the header asks.
    unsafe {
        read(prepared, lacre_digest::LACRE_DIGEST_NONE, |prepared| {
            number_of(prepared.0.algorithm().digest.filter(|_| !prepared.0.needs_message()))
        })
    }
}

/// Returns where the signature goes: "pdf", "enveloping" (.p7m), "detached" (.p7s), "parallel" or "counter".
///
/// Thread safety: any thread.
///
/// @param prepared  May be NULL: an empty text comes back.
/// @return Static, NUL-terminated.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_packaging(prepared: *const lacre_prepared) -> *const c_char {
    // SAFETY: `prepared` is NULL or a live handle, as the header asks.
    unsafe {
        read(prepared, c"", |prepared| match prepared.0.packaging() {
            Packaging::Pdf => c"pdf",
            Packaging::Enveloping => c"enveloping",
            Packaging::Detached => c"detached",
            Packaging::Parallel => c"parallel",
            Packaging::Counter => c"counter",
            _ => c"",
        })
        .as_ptr()
    }
}

/// Writes it down as JSON, without the document: for another process, machine or day. It holds no secret; a change is
/// noticed, but not one by who calculates its digest anew.
///
/// Thread safety: any number of threads, also with the same prepared signature.
///
/// @param      prepared   The prepared signature.
/// @param[out] json_out   A text. On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_to_json(
    prepared: *const lacre_prepared,
    json_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(json_out, "json_out")?;
            let json = handle(prepared, "prepared")?.0.to_json();
            place.set(lacre_buffer::text(String::from_utf8_lossy(&json).into_owned()));
            Ok(())
        })
    }
}

/// Reads what lacre_prepared_to_json() wrote.
///
/// Thread safety: any thread.
///
/// @param      json          Borrowed for the call.
/// @param      json_len      How many bytes it has.
/// @param[out] prepared_out  On LACRE_OK owned by the caller, freed with lacre_prepared_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_PREPARED.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_from_json(
    json: *const u8,
    json_len: usize,
    prepared_out: *mut *mut lacre_prepared,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(prepared_out, "prepared_out")?;
            place.set(lacre_prepared(Prepared::from_json(bytes(json, json_len, "json")?)?));
            Ok(())
        })
    }
}

/// Writes the signature with its value, once the value verifies with the signer's key and the document is the one that
/// was prepared. Values of ECDSA may be a SEQUENCE of two integers, or the two one after the other.
///
/// Thread safety: any number of threads, also with the same prepared signature and document.
///
/// @param      prepared   The prepared signature, which stays good for another value.
/// @param      document   The document that was prepared; NULL where only the digest of a content was.
/// @param      value      The value, borrowed for the call.
/// @param      value_len  How many bytes it has.
/// @param[out] file_out   The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                        Otherwise NULL.
/// @param[out] kept_out   May be NULL. Otherwise with how many bytes of the document the new file begins: of a PDF all
///                        of them, so that a copy of it needs no more than what follows.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_SIGNATURE_VALUE,
///         LACRE_ERROR_PREPARED or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_finish(
    prepared: *const lacre_prepared,
    document: *const lacre_document,
    value: *const u8,
    value_len: usize,
    file_out: *mut *mut lacre_buffer,
    kept_out: *mut usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = Place::of(file_out, kept_out)?;
            let prepared = &handle(prepared, "prepared")?.0;
            let document = original(optional(document)?);
            place.set(&prepared.finish(&document, bytes(value, value_len, "value")?)?, document.bytes());
            Ok(())
        })
    }
}

/// Gives what a time-stamp over this value stamps: the imprint for lacre_timestamp_request().
///
/// Thread safety: any number of threads, also with the same prepared signature.
///
/// @param      prepared     The prepared signature.
/// @param      value        The value, borrowed for the call.
/// @param      value_len    How many bytes it has.
/// @param      digest       One of lacre_digest.
/// @param[out] imprint_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_SIGNATURE_VALUE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_timestamp_imprint(
    prepared: *const lacre_prepared,
    value: *const u8,
    value_len: usize,
    digest: i32,
    imprint_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(imprint_out, "imprint_out")?;
            let prepared = &handle(prepared, "prepared")?.0;
            let imprint = prepared.timestamp_imprint(bytes(value, value_len, "value")?, digest_of(digest)?)?;
            place.set(lacre_buffer::bytes(imprint));
            Ok(())
        })
    }
}

/// Writes the signature with its value and a time-stamp over it: level T at once. In a PDF, room for the time-stamp was
/// set before: the option timestamp-room of lacre_signing_set().
///
/// Thread safety: any number of threads, also with the same prepared signature and document.
///
/// @param      prepared   The prepared signature.
/// @param      document   The document that was prepared; NULL where only the digest of a content was.
/// @param      value      The value, borrowed for the call.
/// @param      value_len  How many bytes it has.
/// @param      token      The time-stamp token, as lacre_timestamp_token() gives it; borrowed for the call.
/// @param      token_len  How many bytes it has.
/// @param[out] file_out   The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                        Otherwise NULL.
/// @param[out] kept_out   May be NULL. Otherwise with how many bytes of the document the new file begins.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_SIGNATURE_VALUE,
///         LACRE_ERROR_TIMESTAMP, LACRE_ERROR_PREPARED or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_finish_with_timestamp(
    prepared: *const lacre_prepared,
    document: *const lacre_document,
    value: *const u8,
    value_len: usize,
    token: *const u8,
    token_len: usize,
    file_out: *mut *mut lacre_buffer,
    kept_out: *mut usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = Place::of(file_out, kept_out)?;
            let prepared = &handle(prepared, "prepared")?.0;
            let document = original(optional(document)?);
            let (value, token) = (bytes(value, value_len, "value")?, bytes(token, token_len, "token")?);
            place.set(&prepared.finish_with_timestamp(&document, value, token)?, document.bytes());
            Ok(())
        })
    }
}

/// Makes the value with a key, in memory or behind a callback, and writes the signature: the last step where it was
/// prepared by somebody else.
///
/// Thread safety: any number of threads, also with the same prepared signature, document and key.
///
/// @param      prepared     The prepared signature.
/// @param      document     The document that was prepared; NULL where only the digest of a content was.
/// @param      key          The key of the signer's certificate.
/// @param      random       Where randomness comes from; NULL: the system.
/// @param      random_data  Handed to the callback.
/// @param[out] file_out     The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                          Otherwise NULL.
/// @param[out] kept_out     May be NULL. Otherwise with how many bytes of the document the new file begins.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_PREPARED, LACRE_ERROR_SIGNING, LACRE_ERROR_RANDOM or
///         LACRE_ERROR_CALLBACK.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_sign(
    prepared: *const lacre_prepared,
    document: *const lacre_document,
    key: *const lacre_key,
    random: lacre_random_callback,
    random_data: *mut c_void,
    file_out: *mut *mut lacre_buffer,
    kept_out: *mut usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = Place::of(file_out, kept_out)?;
            let prepared = &handle(prepared, "prepared")?.0;
            let (document, key) = (original(optional(document)?), handle(key, "key")?);
            let value = value(prepared, key, &mut generator(random, random_data)?)?;
            place.set(&prepared.finish(&document, &value)?, document.bytes());
            Ok(())
        })
    }
}

/// Frees a prepared signature.
///
/// Thread safety: any thread, as long as no other uses it.
///
/// @param prepared  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_prepared_free(prepared: *mut lacre_prepared) -> lacre_status {
    // SAFETY: `prepared` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(prepared) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// lacre_prepared_packaging() has a word for each.
    #[test]
    fn every_packaging_has_its_word() {
        let source = include_str!("prepared.rs");
        for packaging in Packaging::ALL {
            assert!(source.contains(&format!("=> c\"{packaging}\"")), "{packaging} has no word");
        }
    }
}
