//! CAdES-BASELINE-B signatures: by a key at hand, or in two steps around a value that is made elsewhere.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, handle_mut, out_param, run};
use crate::keys::{algorithm_of, lacre_key, public_key_of};
use crate::random::{generator, lacre_random_callback};
use crate::text::lacre_buffer;
use crate::time::stated;
use lacre::{
    Document, Time, decode_pem,
    issuance::Certificate,
    signing::{Prepared, SignatureAlgorithm, SignatureParameters, Signer, SigningError, cades},
};
use std::ffi::c_void;

/// A CAdES signature (EN 319 122-1) that is being made.
///
/// Made by lacre_cades_new(), given its content by lacre_cades_set_content() or lacre_cades_set_content_hash(), freed
/// with lacre_cades_free(). Then either lacre_cades_sign() with a key, or lacre_cades_hash(), the value over that hash
/// from wherever the key is, and lacre_cades_assemble().
///
/// @ingroup signing
pub struct lacre_cades {
    signer: Certificate,
    chain: Vec<Certificate>,
    algorithm: SignatureAlgorithm,
    time: Time,
    content: Content,
}

impl Handle for lacre_cades {
    const NAME: &'static str = "lacre_cades";
}

enum Content {
    None,
    /// In the signature.
    Enveloped(Vec<u8>),
    /// Beside it, by its digest.
    Detached(Vec<u8>),
}

impl From<SigningError> for Failure {
    fn from(error: SigningError) -> Self {
        Self::of(LACRE_ERROR_SIGNING, &error)
    }
}

impl lacre_cades {
    fn prepared(&self) -> Result<Prepared, Failure> {
        let content = match &self.content {
            Content::None => {
                let message = "the signature has no content, expected lacre_cades_set_content() before";
                return Err(Failure::new(LACRE_ERROR_SIGNING, message));
            }
            Content::Enveloped(bytes) => cades::Content::Enveloped(bytes),
            Content::Detached(hash) => cades::Content::Digest(hash),
        };
        let signer = Signer::new(self.signer.clone(), self.algorithm)?.with_chain(self.chain.clone());
        let parameters = SignatureParameters::new(self.time);
        Ok(cades::prepare(&content, &parameters, &cades::Options::default(), &signer)?)
    }

    /// The signature with this value, which must be one of the signer's.
    fn finish(&self, value: &[u8]) -> Result<lacre_buffer, Failure> {
        let content = match &self.content {
            Content::Enveloped(bytes) => &bytes[..],
            _ => &[],
        };
        let signature = self.prepared()?.finish(&Document::new(content), value)?;
        Ok(lacre_buffer::bytes(signature.to_vec(content)))
    }
}

pub(crate) fn certificate_of(bytes: &[u8]) -> Result<Certificate, Failure> {
    Certificate::from_der(&decode_pem(bytes)).map_err(|error| Failure::of(LACRE_ERROR_EVIDENCE, &error))
}

/// Begins a signature.
///
/// Thread safety: any thread.
///
/// @param      certificate      The signer's certificate (DER or PEM), borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param      scheme           One of lacre_scheme.
/// @param      digest           One of lacre_digest: the function for content and signature.
/// @param      time             When it is signed, as the signer claims: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] cades_out        On LACRE_OK owned by the caller, freed with lacre_cades_free(). Otherwise NULL.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE or
///         LACRE_ERROR_KEY.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_new(
    certificate: *const u8,
    certificate_len: usize,
    scheme: i32,
    digest: i32,
    time: i64,
    cades_out: *mut *mut lacre_cades,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(cades_out, "cades_out")?;
            let signer = certificate_of(bytes(certificate, certificate_len, "certificate")?)?;
            let key = public_key_of(signer.der())?;
            let algorithm = algorithm_of(key.algorithm(), scheme, digest)?;
            let time = stated(time)?;
            place.set(lacre_cades { signer, chain: vec![], algorithm, time, content: Content::None });
            Ok(())
        })
    }
}

/// Adds a certificate above the signer's, for those who validate without it.
///
/// Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
///
/// @param      cades            The signature.
/// @param      certificate      DER or PEM, borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_add_certificate(
    cades: *mut lacre_cades,
    certificate: *const u8,
    certificate_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let cades = handle_mut(cades, "cades")?;
            let certificate = certificate_of(bytes(certificate, certificate_len, "certificate")?)?;
            cades.chain.push(certificate);
            Ok(())
        })
    }
}

/// The signature holds its content. It is copied.
///
/// Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
///
/// @param      cades        The signature.
/// @param      content      Borrowed for the call; NULL only if content_len is 0.
/// @param      content_len  How many bytes it has.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_set_content(
    cades: *mut lacre_cades,
    content: *const u8,
    content_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let cades = handle_mut(cades, "cades")?;
            cades.content = Content::Enveloped(bytes(content, content_len, "content")?.to_vec());
            Ok(())
        })
    }
}

/// The signature stands beside its content, of which it needs only the digest.
///
/// Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
///
/// @param      cades      The signature.
/// @param      hash       The content's digest by the function of lacre_cades_new(), borrowed for the call.
/// @param      hash_len   How many bytes it has.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_set_content_hash(
    cades: *mut lacre_cades,
    hash: *const u8,
    hash_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let cades = handle_mut(cades, "cades")?;
            let hash = bytes(hash, hash_len, "hash")?;
            let expected = cades.algorithm.digest.map_or(0, |function| function.length());
            if hash.len() != expected {
                return Err(Failure::argument(format!("hash has {} bytes, expected {expected}", hash.len())));
            }
            cades.content = Content::Detached(hash.to_vec());
            Ok(())
        })
    }
}

/// What the signer's key has to sign: a digest, for a service that signs hashes.
///
/// Thread safety: any number of threads, also with the same signature.
///
/// @param      cades      The signature, with its content.
/// @param[out] hash_out   On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_hash(
    cades: *const lacre_cades,
    hash_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(hash_out, "hash_out")?;
            place.set(lacre_buffer::bytes(handle(cades, "cades")?.prepared()?.digest()));
            Ok(())
        })
    }
}

/// Puts a signature together with the value over lacre_cades_hash(). A value that is not the signer's is refused.
///
/// Thread safety: any number of threads, also with the same signature.
///
/// @param      cades          The signature, with its content.
/// @param      value          The value, borrowed for the call.
/// @param      value_len      How many bytes it has.
/// @param[out] signature_out  The bytes of a .p7s or .p7m file. On LACRE_OK owned by the caller, freed with
///                            lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_assemble(
    cades: *const lacre_cades,
    value: *const u8,
    value_len: usize,
    signature_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(signature_out, "signature_out")?;
            let cades = handle(cades, "cades")?;
            place.set(cades.finish(bytes(value, value_len, "value")?)?);
            Ok(())
        })
    }
}

/// Signs with a key: the signer's, in memory or behind a callback.
///
/// Thread safety: any number of threads, also with the same signature and the same key.
///
/// @param      cades          The signature, with its content.
/// @param      key            The key of the signer's certificate.
/// @param      random         Where randomness comes from; NULL: the system.
/// @param      random_data    Handed to the callback.
/// @param[out] signature_out  The bytes of a .p7s or .p7m file. On LACRE_OK owned by the caller, freed with
///                            lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_SIGNING or LACRE_ERROR_CALLBACK.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_sign(
    cades: *const lacre_cades,
    key: *const lacre_key,
    random: lacre_random_callback,
    random_data: *mut c_void,
    signature_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(signature_out, "signature_out")?;
            let (cades, key) = (handle(cades, "cades")?, handle(key, "key")?.0.signing());
            if key.public_key().spki() != cades.signer.spki() {
                let message = "the key is not the one of the signer's certificate";
                return Err(Failure::new(LACRE_ERROR_SIGNING, message));
            }
            let hash = cades.prepared()?.digest();
            let value = key.sign(&cades.algorithm, &hash, &mut generator(random, random_data)?)?;
            place.set(cades.finish(&value)?);
            Ok(())
        })
    }
}

/// Frees a signature that was being made. What was made of it lives on.
///
/// Thread safety: any thread, as long as no other uses it.
///
/// @param cades  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_cades_free(cades: *mut lacre_cades) -> lacre_status {
    // SAFETY: `cades` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(cades) }
}
