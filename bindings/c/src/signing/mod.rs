//! Signatures of the profiles CAdES-BASELINE-B and PAdES-BASELINE-B, and with a time-stamp of level T: by a key at
//! hand, or in two steps around a value that is made elsewhere.

mod options;
mod prepared;

pub use prepared::lacre_prepared;

use crate::document::lacre_document;
use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, handle_mut, out_param, run, text};
use crate::keys::{algorithm_of, digest_of, lacre_key, public_key_of};
use crate::output::Place;
use crate::random::{generator, lacre_random_callback};
use crate::text::lacre_buffer;
use crate::time::stated;
use crate::timestamp::{Authority, lacre_timestamp_callback};
use lacre::signing::{
    DigestAlgorithm, Packaging, Prepared, SignatureParameters, Signer, SigningError, SigningErrorCode, cades, digest,
    pades,
};
use lacre::{Budget, Document, Syntax, decode_pem, issuance::Certificate};
use options::{Order, refused};
use std::ffi::{c_char, c_void};

/// A signature to be made: who signs, what the signer states, how it is made. The document is handed in when it is
/// prepared, so that one of these serves many documents.
///
/// Made by lacre_signing_new(), changed by the functions that begin with lacre_signing_set or lacre_signing_add, freed
/// with lacre_signing_free(). Then lacre_signing_sign() with a key at hand; or lacre_signing_prepare(), the value from
/// wherever the key is, and lacre_prepared_finish().
///
/// @ingroup signing
pub struct lacre_signing {
    signer: Signer,
    chain: Vec<Certificate>,
    order: Order,
}

impl Handle for lacre_signing {
    const NAME: &'static str = "lacre_signing";
}

impl From<SigningError> for Failure {
    fn from(error: SigningError) -> Self {
        Self::of_signing(&error, LACRE_ERROR_SIGNING)
    }
}

impl lacre_signing {
    /// Prepares the signature of a document; of none, where only the content's digest is known. With room for a
    /// time-stamp, where one is to be in it.
    fn prepared(&self, document: Option<&lacre_document>, stamped: bool) -> Result<Prepared, Failure> {
        let signer = self.signer.clone().with_chain(self.chain.clone());
        let parameters = self.order.parameters()?;
        let digest = self.order.content_digest.as_deref();
        let document = document.map(lacre_document::document);
        let packaging = self.packaging(document.as_ref());
        if packaging == Packaging::Pdf {
            let mut options = self.order.pades()?;
            if stamped && options.timestamp.is_none() {
                options = options.with_timestamp();
            }
            let document = needed(document.as_ref())?;
            return Ok(pades::prepare(document, &parameters, &options, &signer, &Budget::default())?);
        }
        let options = self.order.cades()?;
        let conflict = |message: String| Err(refused(SigningErrorCode::ParametersConflict, message));
        let content = match (packaging, digest, &self.order.counter_signed) {
            (Packaging::Counter, None, Some(id)) => cades::Content::Signature(needed(document.as_ref())?, id),
            (Packaging::Counter, _, None) => {
                let message = "found no id of the signature that is counter-signed, expected the option signature";
                return Err(refused(SigningErrorCode::SignatureNotFound, message));
            }
            (_, _, Some(_)) => {
                return conflict(format!("found the option signature, expected none: the packaging is {packaging}"));
            }
            (Packaging::Detached, Some(digest), None) => cades::Content::Digest(digest),
            (Packaging::Parallel, Some(digest), None) => {
                cades::Content::ParallelDigest(needed(document.as_ref())?, digest)
            }
            (_, Some(_), _) => {
                return conflict(format!(
                    "found the option content-digest, expected none: the packaging is {packaging}"
                ));
            }
            (Packaging::Detached, None, None) => cades::Content::Detached(needed(document.as_ref())?.bytes()),
            (Packaging::Parallel, None, None) => cades::Content::Parallel(needed(document.as_ref())?),
            _ => cades::Content::Enveloped(needed(document.as_ref())?.bytes()),
        };
        Ok(cades::prepare(&content, &parameters, options, &signer)?)
    }

    /// Returns where the signature goes.
    fn packaging(&self, document: Option<&Document<'_>>) -> Packaging {
        let is_pdf = document.is_some_and(|document| document.syntax() == Some(Syntax::Pdf));
        let by_digest = self.order.content_digest.is_some();
        let by_itself = match () {
            () if by_digest => Packaging::Detached,
            () if self.order.counter_signed.is_some() => Packaging::Counter,
            () if is_pdf => Packaging::Pdf,
            () => Packaging::Enveloping,
        };
        self.order.packaging.unwrap_or(by_itself)
    }

    /// Returns the digest of what the signature is over: what a content time-stamp stamps.
    fn content_digest(&self, document: &lacre_document, function: DigestAlgorithm) -> Result<Vec<u8>, Failure> {
        let document = document.document();
        if self.packaging(Some(&document)) == Packaging::Pdf {
            let signer = self.signer.clone().with_chain(self.chain.clone());
            let (parameters, options) = (self.order.parameters()?, self.order.pades()?);
            let budget = Budget::default();
            return Ok(pades::content_digest(&document, &parameters, &options, &signer, &budget, function)?);
        }
        digest(function, document.bytes()).ok_or_else(|| Failure::argument(format!("digest is {function}")))
    }
}

fn needed<'a, 'd>(document: Option<&'a Document<'d>>) -> Result<&'a Document<'d>, Failure> {
    let message = "document is NULL, expected something: only a signature over content-digest needs none";
    document.ok_or_else(|| Failure::new(LACRE_ERROR_NULL_ARGUMENT, message).because(SigningErrorCode::ContentNeeded))
}

/// Returns a document that may be left out.
///
/// # Safety
///
/// As [`handle`].
unsafe fn optional<'a>(document: *const lacre_document) -> Result<Option<&'a lacre_document>, Failure> {
    match document.is_null() {
        true => Ok(None),
        // SAFETY: the contract of this function.
        false => Ok(Some(unsafe { handle(document, "document") }?)),
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
/// @param      digest           One of lacre_digest: the function for content and signature; left aside for EdDSA and
///                              ML-DSA.
/// @param      time             When it is signed, as the signer claims: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] signing_out      On LACRE_OK owned by the caller, freed with lacre_signing_free(). Otherwise NULL.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE, LACRE_ERROR_KEY or
///         LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_new(
    certificate: *const u8,
    certificate_len: usize,
    scheme: i32,
    digest: i32,
    time: i64,
    signing_out: *mut *mut lacre_signing,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(signing_out, "signing_out")?;
            let certificate = certificate_of(bytes(certificate, certificate_len, "certificate")?)?;
            let algorithm = algorithm_of(&public_key_of(certificate.der())?, scheme, digest)?;
            let order = Order::new(SignatureParameters::new(stated(time)?));
            place.set(lacre_signing { signer: Signer::new(certificate, algorithm)?, chain: vec![], order });
            Ok(())
        })
    }
}

/// Adds a certificate above the signer's, for those who validate without it.
///
/// Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
///
/// @param      signing          The signature.
/// @param      certificate      DER or PEM, borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_add_certificate(
    signing: *mut lacre_signing,
    certificate: *const u8,
    certificate_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let signing = handle_mut(signing, "signing")?;
            signing.chain.push(certificate_of(bytes(certificate, certificate_len, "certificate")?)?);
            Ok(())
        })
    }
}

/// Sets an option by its name. What is marked with + may be set several times, and each time adds one; of others the
/// last counts.
///
/// In every format:
/// - `packaging`: "pdf", in the PDF that is signed; "enveloping", in a new file around the document (.p7m); "detached",
///   in one beside it (.p7s); "parallel", beside the signatures of a CMS file; "counter", within one of them. Without
///   it: "pdf" for a PDF, "detached" where content-digest is set, "counter" where signature is, otherwise "enveloping".
/// - `role` +: a role that the signer claims
/// - `signed-assertion` +: an assertion that somebody else signed
/// - `commitment` +: "origin", "receipt", "delivery", "sender", "approval", "creation", or an object identifier
/// - `country`: where it is signed: two capital letters of ISO 3166-1
/// - `locality`: the city
/// - `postal-address` +: a line of an address, six at most
/// - `policy`: the object identifier of the signature policy, or "implied"
/// - `policy-digest`: the digest of its document, as in "SHA256:0123..."
/// - `policy-uri`: where its document can be had
/// - `policy-user-notice`: what users are to be shown of it
/// - `policy-document-specification`: the syntax of its document, an object identifier or a URI
/// - `certificates`: which ones are embedded: "signer", "chain" (without a self-signed one), "chain-with-root". Without
///   it: "chain".
/// - `certificate-digest`: the function by which the signing certificate is named. Without it: SHA256.
/// - `allow-weak-algorithms`: "true": also what TS 119 312 does not allow. Without it: "false".
/// - `timestamp-digest`: the function of the imprint that lacre_signing_sign_with_timestamp() has stamped. Without it:
///   SHA256.
/// - `timestamp-policy`: the policy under which it is to be stamped, an object identifier
/// - `timestamp-nonce`: "false" for an authority that knows none. Without it: "true".
///
/// CAdES alone:
/// - `signature`: the id, as in a report, of the signature that is counter-signed
/// - `mime-type`: the media type of the content. Without it and a description: application/octet-stream.
/// - `description`: a description of the content, instead of a media type
///
/// PAdES alone:
/// - `field`: the name of the empty signature field that is signed. Without any of the next seven: a new field that is
///   not seen.
/// - `only-empty-field`: "true": the only empty signature field that there is
/// - `new-field`: the name of a new field
/// - `tooltip`: what is read out of it to those who do not see
/// - `page`: its page, from 1 on; from -1 on counted from the last. Without it: 1.
/// - `box`: where it is seen, as the page is displayed: left,top,width,height, in points
/// - `rectangle`: the same in the coordinates of the page: left,bottom,right,top
/// - `allow-overlap`: "true": also on top of other fields and annotations
/// - `text`: what is seen, in lines; {name}, {time}, {reason} and {place} stand for what the signature states
/// - `font-size`: in points. Without it: the largest that fits, up to 16.
/// - `colour`: of text and border, as in "#1a73e8"
/// - `background`: the colour behind
/// - `border`: the width of a border, in points
/// - `padding`: the distance of everything from the edges, in points
/// - `arrangement`: where the picture is: "left", "right", "above" or "behind" the text
/// - `scaling`: how the picture fills its place: "fit" or "stretch"
/// - `alignment`: how lines stand: "left", "centre" or "right"
/// - `rotation`: "upright", "as-page", "quarter", "half" or "three-quarters", counter-clockwise
/// - `reason`: why it is signed; not beside a commitment or a policy
/// - `contact-info`: how the signer can be reached
/// - `signer-name`: the name that viewers show instead of the certificate's
/// - `application`: the application that signs
/// - `certify`: what is permitted afterwards: "1", nothing; "2", filling in and signing; "3", comments, too
/// - `lock`: which fields nobody may change afterwards: "all", "include" those of lock-field, "exclude" them
/// - `lock-field` +: the name of a field
/// - `obey-seed-values`: "false": what the field asks of its signer is left aside. Without it: "true".
/// - `reserved`: how many bytes are kept free for the signature. Without it: as many as it can need.
/// - `timestamp-room`: how many bytes a time-stamp in the signature may have. Without it:
///   lacre_signing_sign_with_timestamp() has 32,768, lacre_signing_prepare() none.
/// - `utc-offset`: by how many minutes the time that is stated is ahead of universal time
/// - `allow-hybrid`: "false": not in files with cross-reference tables and streams side by side. Without it: "true".
/// - `extensions`: which extensions to PDF 1.7 are stated: "automatic", "none", "etsi" or "adobe"
///
/// Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
///
/// @param      signing    The signature.
/// @param      key        The name of the option: NUL-terminated UTF-8, borrowed for the call.
/// @param      value      NUL-terminated UTF-8, borrowed for the call.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free(). Of an
///                        unknown name it lists those that are known.
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_set(
    signing: *mut lacre_signing,
    key: *const c_char,
    value: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let signing = handle_mut(signing, "signing")?;
            signing.order.set(text(key, "key")?, text(value, "value")?)
        })
    }
}

/// Sets an option that is no text by its name. The bytes are copied.
///
/// - `content-digest`: the digest of a content that is not at hand, by the function of lacre_signing_new(): for
///   detached signatures, and parallel ones. CAdES alone.
/// - `content-timestamp` +: a time-stamp token over the content, made before signing: lacre_signing_content_digest()
/// - `policy-document`: the document of the signature policy, to be held by the signature
/// - `content-identifier`: by which other signatures may refer to this one. CAdES alone.
/// - `content-reference`: a CMS file with one signature, which has a content-identifier, and which this one is about. CAdES
///   alone.
/// - `certified-attributes` +: an attribute certificate of the signer (RFC 5755; DER or PEM)
/// - `picture`: what is seen: PNG or JPEG. PAdES alone.
/// - `font`: the typeface of the text: TrueType. PAdES alone.
///
/// Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
///
/// @param      signing    The signature.
/// @param      key        The name of the option: NUL-terminated UTF-8, borrowed for the call.
/// @param      value      Borrowed for the call; NULL only if value_len is 0.
/// @param      value_len  How many bytes it has.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free(). Of an
///                        unknown name it lists those that are known.
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_set_bytes(
    signing: *mut lacre_signing,
    key: *const c_char,
    value: *const u8,
    value_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let signing = handle_mut(signing, "signing")?;
            signing.order.set_bytes(text(key, "key")?, bytes(value, value_len, "value")?)
        })
    }
}

/// Gives the digest of what the signature is over: the imprint of a content time-stamp. In a PDF the options have to be
/// set before, `reserved` among them, and may not change afterwards, but for `content-timestamp`.
///
/// Thread safety: any number of threads, also with the same signature and document.
///
/// @param      signing     The signature.
/// @param      document    The document.
/// @param      digest      One of lacre_digest.
/// @param[out] digest_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_content_digest(
    signing: *const lacre_signing,
    document: *const lacre_document,
    digest: i32,
    digest_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(digest_out, "digest_out")?;
            let (signing, document) = (handle(signing, "signing")?, handle(document, "document")?);
            place.set(lacre_buffer::bytes(signing.content_digest(document, digest_of(digest)?)?));
            Ok(())
        })
    }
}

/// Prepares the signature of a document: the same bytes each time. What earlier signatures in it forbid, what a form
/// asks of its signer, and what readers would read differently is refused with the reason.
///
/// Thread safety: any number of threads, also with the same signature and document.
///
/// @param      signing       The signature.
/// @param      document      The document; NULL where the option content-digest stands for it.
/// @param[out] prepared_out  On LACRE_OK owned by the caller, freed with lacre_prepared_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_prepare(
    signing: *const lacre_signing,
    document: *const lacre_document,
    prepared_out: *mut *mut lacre_prepared,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(prepared_out, "prepared_out")?;
            let signing = handle(signing, "signing")?;
            place.set(lacre_prepared(signing.prepared(optional(document)?, false)?));
            Ok(())
        })
    }
}

/// Signs a document with a key, in memory or behind a callback: level B.
///
/// Thread safety: any number of threads, also with the same signature, document and key.
///
/// @param      signing      The signature.
/// @param      document     The document; NULL where the option content-digest stands for it.
/// @param      key          The key of the signer's certificate.
/// @param      random       Where randomness comes from; NULL: the system.
/// @param      random_data  Handed to the callback.
/// @param[out] file_out     The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                          Otherwise NULL.
/// @param[out] kept_out     May be NULL. Otherwise with how many bytes of the document the new file begins: of a PDF
///                          all of them, so that a copy of it needs no more than what follows.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_SIGNING, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_sign(
    signing: *const lacre_signing,
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
            let (signing, document) = (handle(signing, "signing")?, optional(document)?);
            let key = handle(key, "key")?;
            let prepared = signing.prepared(document, false)?;
            let value = prepared::value(&prepared, key, &mut generator(random, random_data)?)?;
            let original = prepared::original(document);
            place.set(&prepared.finish(&original, &value)?, original.bytes());
            Ok(())
        })
    }
}

/// Signs a document with a key, and has the value time-stamped at once: level T.
///
/// The time-stamp has to be of within five minutes of the signing time. Its response is checked: imprint, nonce,
/// policy, the authority's certificate and signature; whether the authority is trusted, an extension or a validation
/// says.
///
/// Thread safety: any number of threads, also with the same signature, document and key; the callback is called from
/// this one.
///
/// @param      signing         The signature.
/// @param      document        The document; NULL where the option content-digest stands for it.
/// @param      key             The key of the signer's certificate.
/// @param      timestamp       Asks an authority; may not be NULL.
/// @param      timestamp_data  Handed to the callback.
/// @param      random          Where randomness comes from; NULL: the system.
/// @param      random_data     Handed to the callback.
/// @param[out] file_out        The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                             Otherwise NULL.
/// @param[out] kept_out        May be NULL. Otherwise with how many bytes of the document the new file begins.
/// @param[out] error_out       May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_SIGNING, LACRE_ERROR_TIMESTAMP, LACRE_ERROR_RANDOM or
///         LACRE_ERROR_CALLBACK.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_sign_with_timestamp(
    signing: *const lacre_signing,
    document: *const lacre_document,
    key: *const lacre_key,
    timestamp: lacre_timestamp_callback,
    timestamp_data: *mut c_void,
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
            let (signing, document) = (handle(signing, "signing")?, optional(document)?);
            let key = handle(key, "key")?;
            let order = &signing.order;
            let authority = Authority {
                callback: timestamp,
                user_data: timestamp_data,
                policy: order.timestamp_policy.as_deref(),
                nonce: order.timestamp_nonce,
            };
            authority.check()?;
            let prepared = signing.prepared(document, true)?;
            let random = &mut generator(random, random_data)?;
            let value = prepared::value(&prepared, key, random)?;
            let function = order.timestamp_digest;
            let imprint = prepared.timestamp_imprint(&value, function)?;
            let token = authority.token(function, &imprint, order.parameters.signing_time, random)?;
            let original = prepared::original(document);
            place.set(&prepared.finish_with_timestamp(&original, &value, &token)?, original.bytes());
            Ok(())
        })
    }
}

/// Frees a signature that was being made. What was made of it lives on.
///
/// Thread safety: any thread, as long as no other uses it.
///
/// @param signing  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signing_free(signing: *mut lacre_signing) -> lacre_status {
    // SAFETY: `signing` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(signing) }
}
