//! Private keys: in memory, or behind a callback of the caller.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, out_param, run};
use crate::random::{generator, lacre_random_callback};
use crate::text::lacre_buffer;
use crate::words::one_of;
use lacre::{
    decode_pem,
    issuance::Certificate,
    signing::{
        CryptoRng, DigestAlgorithm, KeyAlgorithm, KeyKind, PublicKey, SignError, SignatureAlgorithm, SigningKey,
        SoftwareKey,
    },
};
use lacre_core::crypto::{Signed, verify};
use std::ffi::c_void;

/// Bytes that the longest signature value has that a callback may give back: ML-DSA-87 (FIPS 204 table 2).
pub const LACRE_SIGNATURE_MAX: usize = 4627;

/// A digest function. A function takes it as int32_t.
///
/// @ingroup signing
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_digest {
    /// None, or one that is not in this list. Never handed in.
    LACRE_DIGEST_NONE = 0,
    /// SHA-256.
    LACRE_DIGEST_SHA256 = 1,
    /// SHA-384.
    LACRE_DIGEST_SHA384 = 2,
    /// SHA-512.
    LACRE_DIGEST_SHA512 = 3,
}

use lacre_digest::*;

const DIGESTS: [(i32, DigestAlgorithm); 3] = [
    (LACRE_DIGEST_SHA256 as i32, DigestAlgorithm::Sha256),
    (LACRE_DIGEST_SHA384 as i32, DigestAlgorithm::Sha384),
    (LACRE_DIGEST_SHA512 as i32, DigestAlgorithm::Sha512),
];

pub(crate) fn digest_of(number: i32) -> Result<DigestAlgorithm, Failure> {
    one_of(number, &DIGESTS, "digest")
}

/// Returns the number of a digest function.
pub(crate) fn number_of(function: Option<DigestAlgorithm>) -> lacre_digest {
    match function {
        Some(DigestAlgorithm::Sha256) => LACRE_DIGEST_SHA256,
        Some(DigestAlgorithm::Sha384) => LACRE_DIGEST_SHA384,
        Some(DigestAlgorithm::Sha512) => LACRE_DIGEST_SHA512,
        _ => LACRE_DIGEST_NONE,
    }
}

/// How a key signs. A function takes it as int32_t.
///
/// @ingroup signing
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_scheme {
    /// As is usual for the kind of key: ECDSA, EdDSA, ML-DSA, or RSA with PKCS #1 v1.5. Never handed to a callback.
    LACRE_SCHEME_USUAL = 0,
    /// ECDSA; the value is the SEQUENCE of two integers of RFC 3279.
    LACRE_SCHEME_ECDSA = 1,
    /// RSA with PKCS #1 v1.5.
    LACRE_SCHEME_RSA_PKCS1 = 2,
    /// RSASSA-PSS with the digest function also in the mask, and a salt as long as the digest.
    LACRE_SCHEME_RSA_PSS = 3,
    /// Ed25519 or Ed448 (RFC 8032), over the message itself; the digest function is the curve's own.
    LACRE_SCHEME_EDDSA = 4,
    /// ML-DSA (FIPS 204), over the message itself.
    LACRE_SCHEME_ML_DSA = 5,
}

use lacre_scheme::*;

/// Returns the algorithm that a key signs with. Where it signs messages, the digest function is left aside.
pub(crate) fn algorithm_of(key: &PublicKey, scheme: i32, digest: i32) -> Result<SignatureAlgorithm, Failure> {
    use KeyAlgorithm::{EdDsa, MlDsa44, MlDsa65, MlDsa87, Rsa, RsassaPss};
    let kind = key.algorithm();
    let ml_dsa = if matches!(kind, MlDsa44 | MlDsa65 | MlDsa87) { kind } else { MlDsa44 };
    let known = [
        (LACRE_SCHEME_USUAL as i32, kind),
        (LACRE_SCHEME_ECDSA as i32, KeyAlgorithm::Ecdsa),
        (LACRE_SCHEME_RSA_PKCS1 as i32, Rsa),
        (LACRE_SCHEME_RSA_PSS as i32, RsassaPss),
        (LACRE_SCHEME_EDDSA as i32, EdDsa),
        (LACRE_SCHEME_ML_DSA as i32, ml_dsa),
    ];
    let by = one_of(scheme, &known, "scheme")?;
    if by != kind && (kind, by) != (Rsa, RsassaPss) {
        return Err(Failure::argument(format!("scheme is {scheme}, which a key of {kind} does not sign with")));
    }
    let digest = match by {
        // RFC 8419 §3.1.
        EdDsa if key.curve() == Some("Ed448") => Some(DigestAlgorithm::Shake256_512),
        EdDsa => Some(DigestAlgorithm::Sha512),
        MlDsa44 | MlDsa65 | MlDsa87 => None,
        _ => Some(digest_of(digest)?),
    };
    Ok(SignatureAlgorithm::new(by, digest))
}

/// Returns the number of how an algorithm signs; `None` where it is not in the list.
pub(crate) fn scheme_of(key: KeyAlgorithm) -> Option<lacre_scheme> {
    Some(match key {
        KeyAlgorithm::Ecdsa => LACRE_SCHEME_ECDSA,
        KeyAlgorithm::Rsa => LACRE_SCHEME_RSA_PKCS1,
        KeyAlgorithm::RsassaPss => LACRE_SCHEME_RSA_PSS,
        KeyAlgorithm::EdDsa => LACRE_SCHEME_EDDSA,
        KeyAlgorithm::MlDsa44 | KeyAlgorithm::MlDsa65 | KeyAlgorithm::MlDsa87 => LACRE_SCHEME_ML_DSA,
        _ => return None,
    })
}

/// Makes a signature value over a digest, wherever the key is kept: in a token, on a card, behind a network.
///
/// The digest is signed as it is, and not digested again; EdDSA and ML-DSA sign a message. The value is checked with
/// the public key afterwards. A callback must return: no exception and no longjmp may leave it.
///
/// @param      user_data       What was handed in with the callback.
/// @param      scheme          One of lacre_scheme, but LACRE_SCHEME_USUAL.
/// @param      digest          One of lacre_digest: the function that made the digest; LACRE_DIGEST_NONE for EdDSA and
///                             ML-DSA.
/// @param      hash            The digest, or the message for EdDSA and ML-DSA; borrowed for the call.
/// @param      hash_len        How many bytes it has.
/// @param[out] value           Where the value goes.
/// @param      value_capacity  How many bytes it may have: LACRE_SIGNATURE_MAX.
/// @param[out] value_len       How many bytes it has.
/// @return 0 when the value was made; any other number is a failure, and stands in the error.
/// @ingroup signing
pub type lacre_sign_callback = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        scheme: i32,
        digest: i32,
        hash: *const u8,
        hash_len: usize,
        value: *mut u8,
        value_capacity: usize,
        value_len: *mut usize,
    ) -> i32,
>;

/// Is told once that user_data is not needed any more. As a callback for signing, it must return.
///
/// @param user_data  What was handed in with the callback.
/// @ingroup signing
pub type lacre_release_callback = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A private key, wherever it is kept. Immutable; freed with lacre_key_free().
///
/// @ingroup signing
pub struct lacre_key(pub(crate) Key);

impl Handle for lacre_key {
    const NAME: &'static str = "lacre_key";
}

pub(crate) enum Key {
    Software(Box<SoftwareKey>),
    External(External),
}

impl Key {
    pub(crate) fn signing(&self) -> &dyn SigningKey {
        match self {
            Self::Software(key) => &**key,
            Self::External(key) => key,
        }
    }
}

/// A key behind a callback.
pub(crate) struct External {
    public: PublicKey,
    sign: unsafe extern "C" fn(*mut c_void, i32, i32, *const u8, usize, *mut u8, usize, *mut usize) -> i32,
    release: lacre_release_callback,
    user_data: *mut c_void,
}

// SAFETY: the header asks that the callback, with its user_data, may be called from any thread that uses the key.
unsafe impl Send for External {}
// SAFETY: as above, also from several at once.
unsafe impl Sync for External {}

impl Drop for External {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it does as its documentation says, and is called this one time.
            unsafe { release(self.user_data) };
        }
    }
}

impl SigningKey for External {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }

    fn sign(&self, algorithm: &SignatureAlgorithm, digest: &[u8], _: &mut dyn CryptoRng) -> Result<Vec<u8>, SignError> {
        let other = || SignError::Algorithm { key: self.public.algorithm(), algorithm: algorithm.to_string() };
        let scheme = scheme_of(algorithm.key).ok_or_else(other)?;
        let (number, signed) = match algorithm.needs_message() {
            true => (LACRE_DIGEST_NONE as i32, Signed::Message(digest)),
            false => {
                let function = algorithm.digest.ok_or_else(other)?;
                let number = DIGESTS.iter().find(|row| row.1 == function).ok_or_else(other)?.0;
                if digest.len() != function.length() {
                    return Err(SignError::DigestLength { found: digest.len(), expected: function.length(), function });
                }
                (number, Signed::Digest(digest))
            }
        };
        let mut value = vec![0; LACRE_SIGNATURE_MAX];
        let mut len = 0;
        // SAFETY: it does as its documentation says; every pointer is to memory that lives for the call.
        let code = unsafe {
            let value = value.as_mut_ptr();
            let hash = digest.as_ptr();
            let room = LACRE_SIGNATURE_MAX;
            (self.sign)(self.user_data, scheme as i32, number, hash, digest.len(), value, room, &raw mut len)
        };
        if code != 0 {
            return Err(SignError::Keeper(format!("the callback returned {code}, expected 0")));
        }
        if len > LACRE_SIGNATURE_MAX {
            let message = format!("the callback states a value of {len} bytes, expected at most {LACRE_SIGNATURE_MAX}");
            return Err(SignError::Keeper(message));
        }
        value.truncate(len);
        verify(&self.public, algorithm, signed, &value)
            .map_err(|error| SignError::Keeper(format!("the callback gave back a value that is wrong: {error}")))?;
        Ok(value)
    }
}

/// What goes wrong with a key, as it goes out.
impl From<SignError> for Failure {
    fn from(error: SignError) -> Self {
        let code = match error {
            SignError::Keeper(_) => LACRE_ERROR_CALLBACK,
            _ => LACRE_ERROR_SIGNING,
        };
        Self::of(code, &error)
    }
}

/// Reads a public key: a SubjectPublicKeyInfo, or the certificate that holds it.
pub(crate) fn public_key_of(bytes: &[u8]) -> Result<PublicKey, Failure> {
    let der = decode_pem(bytes);
    let key = match Certificate::from_der(&der) {
        Ok(certificate) => PublicKey::from_spki(certificate.spki()),
        Err(_) => PublicKey::from_spki(&der),
    };
    key.map_err(|error| Failure::of(LACRE_ERROR_KEY, &error))
}

/// Reads a private key: PKCS #8 (RFC 5958), DER or PEM, encrypted or not; RSA of 2,048 bits or more, ECDSA on P-256,
/// P-384, P-521 and the brainpool curves of 256 and 384 bits, Ed25519, Ed448, ML-DSA.
///
/// Thread safety: any thread.
///
/// @param      key           Borrowed for the call.
/// @param      key_len       How many bytes it has.
/// @param      password      Opens an encrypted key, and is not looked at otherwise; borrowed for the call. NULL with a
///                           length of 0: none.
/// @param      password_len  How many bytes it has.
/// @param[out] key_out       On LACRE_OK owned by the caller, freed with lacre_key_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_from_pkcs8(
    key: *const u8,
    key_len: usize,
    password: *const u8,
    password_len: usize,
    key_out: *mut *mut lacre_key,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(key_out, "key_out")?;
            let password = Some(bytes(password, password_len, "password")?).filter(|bytes| !bytes.is_empty());
            let read = SoftwareKey::read(bytes(key, key_len, "key")?, password);
            let key = read.map_err(|e| Failure::of(LACRE_ERROR_KEY, &e))?;
            place.set(lacre_key(Key::Software(Box::new(key))));
            Ok(())
        })
    }
}

/// A kind of new key. A function takes it as int32_t.
///
/// @ingroup signing
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_key_kind {
    /// ECDSA on P-256.
    LACRE_KEY_ECDSA_P256 = 1,
    /// ECDSA on P-384.
    LACRE_KEY_ECDSA_P384 = 2,
    /// RSA of 3,072 bits.
    LACRE_KEY_RSA_3072 = 3,
    /// RSA of 4,096 bits.
    LACRE_KEY_RSA_4096 = 4,
    /// ECDSA on P-521.
    LACRE_KEY_ECDSA_P521 = 5,
    /// ECDSA on brainpoolP256r1.
    LACRE_KEY_ECDSA_BRAINPOOL_P256R1 = 6,
    /// ECDSA on brainpoolP384r1.
    LACRE_KEY_ECDSA_BRAINPOOL_P384R1 = 7,
    /// Ed25519.
    LACRE_KEY_ED25519 = 8,
    /// Ed448.
    LACRE_KEY_ED448 = 9,
    /// ML-DSA-44.
    LACRE_KEY_ML_DSA_44 = 10,
    /// ML-DSA-65.
    LACRE_KEY_ML_DSA_65 = 11,
    /// ML-DSA-87.
    LACRE_KEY_ML_DSA_87 = 12,
}

use lacre_key_kind::*;

/// Makes a new private key.
///
/// Thread safety: any thread; the callback is called from this one.
///
/// @param      kind         One of lacre_key_kind.
/// @param      random       Where randomness comes from; NULL: the system.
/// @param      random_data  Handed to the callback.
/// @param[out] key_out      On LACRE_OK owned by the caller, freed with lacre_key_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_KEY or LACRE_ERROR_CALLBACK.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_generate(
    kind: i32,
    random: lacre_random_callback,
    random_data: *mut c_void,
    key_out: *mut *mut lacre_key,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(key_out, "key_out")?;
            let known = [
                (LACRE_KEY_ECDSA_P256 as i32, KeyKind::P256),
                (LACRE_KEY_ECDSA_P384 as i32, KeyKind::P384),
                (LACRE_KEY_RSA_3072 as i32, KeyKind::Rsa3072),
                (LACRE_KEY_RSA_4096 as i32, KeyKind::Rsa4096),
                (LACRE_KEY_ECDSA_P521 as i32, KeyKind::P521),
                (LACRE_KEY_ECDSA_BRAINPOOL_P256R1 as i32, KeyKind::BrainpoolP256r1),
                (LACRE_KEY_ECDSA_BRAINPOOL_P384R1 as i32, KeyKind::BrainpoolP384r1),
                (LACRE_KEY_ED25519 as i32, KeyKind::Ed25519),
                (LACRE_KEY_ED448 as i32, KeyKind::Ed448),
                (LACRE_KEY_ML_DSA_44 as i32, KeyKind::MlDsa44),
                (LACRE_KEY_ML_DSA_65 as i32, KeyKind::MlDsa65),
                (LACRE_KEY_ML_DSA_87 as i32, KeyKind::MlDsa87),
            ];
            let kind = one_of(kind, &known, "kind")?;
            let made = SoftwareKey::generate(kind, &mut generator(random, random_data)?);
            let key = made.map_err(|e| Failure::of(LACRE_ERROR_KEY, &e))?;
            place.set(lacre_key(Key::Software(Box::new(key))));
            Ok(())
        })
    }
}

/// Makes a handle of a key that is kept somewhere else: a callback makes its signature values.
///
/// Thread safety: any thread. The callback is called from whatever thread uses the key.
///
/// @param      public_key      Its public half: a SubjectPublicKeyInfo (RFC 5280) or a certificate with the key, DER or
///                             PEM, borrowed for the call.
/// @param      public_key_len  How many bytes it has.
/// @param      sign            Makes the values; may not be NULL.
/// @param      user_data       Handed to the callback; used until release is called.
/// @param      release         Called once, when the key is freed. May be NULL. When this function fails it is not
///                             called.
/// @param[out] key_out         On LACRE_OK owned by the caller, freed with lacre_key_free(). Otherwise NULL.
/// @param[out] error_out       May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_from_callback(
    public_key: *const u8,
    public_key_len: usize,
    sign: lacre_sign_callback,
    user_data: *mut c_void,
    release: lacre_release_callback,
    key_out: *mut *mut lacre_key,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(key_out, "key_out")?;
            let public = public_key_of(bytes(public_key, public_key_len, "public_key")?)?;
            let sign =
                sign.ok_or_else(|| Failure::new(LACRE_ERROR_NULL_ARGUMENT, "sign is NULL, expected a function"))?;
            place.set(lacre_key(Key::External(External { public, sign, release, user_data })));
            Ok(())
        })
    }
}

/// Writes a private key down: PKCS #8 (RFC 5958), DER, not encrypted. The buffer is wiped when it is freed.
///
/// Thread safety: any number of threads, also with the same key.
///
/// @param      key         The key; not one behind a callback.
/// @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_to_pkcs8(
    key: *const lacre_key,
    bytes_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(bytes_out, "bytes_out")?;
            let Key::Software(key) = &handle(key, "key")?.0 else {
                return Err(Failure::argument("key is behind a callback, expected one in memory"));
            };
            place.set(lacre_buffer::bytes(key.to_pkcs8().map_err(|e| Failure::of(LACRE_ERROR_KEY, &e))?));
            Ok(())
        })
    }
}

/// Writes the public half of a key down: SubjectPublicKeyInfo (RFC 5280), DER.
///
/// Thread safety: any number of threads, also with the same key.
///
/// @param      key         The key.
/// @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_public(
    key: *const lacre_key,
    bytes_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(bytes_out, "bytes_out")?;
            let public = handle(key, "key")?.0.signing().public_key();
            place.set(lacre_buffer::bytes(public.spki().to_vec()));
            Ok(())
        })
    }
}

/// Makes the signature value over a digest, with nothing around it.
///
/// Thread safety: any number of threads, also with the same key.
///
/// @param      key          The key.
/// @param      scheme       One of lacre_scheme.
/// @param      digest       One of lacre_digest: the function that made the digest; left aside for EdDSA and ML-DSA.
/// @param      hash         The digest, or the message for EdDSA and ML-DSA; borrowed for the call.
/// @param      hash_len     How many bytes it has.
/// @param      random       Where randomness comes from; NULL: the system.
/// @param      random_data  Handed to the callback.
/// @param[out] value_out    On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_SIGNING or
///         LACRE_ERROR_CALLBACK.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_sign_hash(
    key: *const lacre_key,
    scheme: i32,
    digest: i32,
    hash: *const u8,
    hash_len: usize,
    random: lacre_random_callback,
    random_data: *mut c_void,
    value_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(value_out, "value_out")?;
            let key = handle(key, "key")?.0.signing();
            let algorithm = algorithm_of(key.public_key(), scheme, digest)?;
            let hash = bytes(hash, hash_len, "hash")?;
            let value = key.sign(&algorithm, hash, &mut generator(random, random_data)?)?;
            place.set(lacre_buffer::bytes(value));
            Ok(())
        })
    }
}

/// Frees a key. One in memory is wiped; of one behind a callback the release function is called.
///
/// Thread safety: any thread, as long as no other uses the key.
///
/// @param key  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_key_free(key: *mut lacre_key) -> lacre_status {
    // SAFETY: `key` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(key) }
}
