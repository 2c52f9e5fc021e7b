//! Private keys under a password: RFC 5958 §3 with PBES2 (RFC 8018 §6.2). What opens and seals is RustCrypto's `pkcs5`.

use super::error::PrivateKeyError;
use crate::asn1::{Tag, Tlv, Writer, to_der};
use pkcs8::pkcs5::pbes2::{Kdf, Parameters};
use pkcs8::pkcs5::{self, EncryptionScheme};
use signature::rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Rounds of PBKDF2 for what is sealed: OWASP's figure of 2023 for HMAC-SHA-256.
const ROUNDS: u32 = 600_000;
/// Rounds of PBKDF2 that are run to open a key: some seconds.
const MOST_ROUNDS: u32 = 10_000_000;
/// Bytes that scrypt may use to open a key.
const MOST_MEMORY: u64 = 256 << 20;
/// Times that scrypt may use them.
const MOST_PASSES: u16 = 16;

/// Returns whether this is `EncryptedPrivateKeyInfo`: SEQUENCE of an AlgorithmIdentifier and an OCTET STRING.
pub(super) fn is_encrypted(der: &[u8]) -> bool {
    let parts = |whole: Tlv<'_>| {
        let mut parts = whole.children();
        parts.expect(Tag::SEQUENCE).is_ok() && parts.expect(Tag::OCTET_STRING).is_ok() && parts.is_empty()
    };
    Tlv::whole(der).and_then(|whole| whole.expecting(Tag::SEQUENCE)).is_ok_and(parts)
}

/// Opens `EncryptedPrivateKeyInfo`; what comes out is `PrivateKeyInfo` where the password is the right one.
pub(super) fn open(der: &[u8], password: &[u8]) -> Result<Zeroizing<Vec<u8>>, PrivateKeyError> {
    let parts = || {
        let mut parts = Tlv::whole(der).ok()?.expecting(Tag::SEQUENCE).ok()?.children();
        Some((parts.expect(Tag::SEQUENCE).ok()?, parts.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?))
    };
    let (scheme, sealed) = parts().ok_or_else(|| super::pem::unknown(der))?;
    decrypt(scheme.raw, &sealed, password)
}

/// Opens what was sealed under a password by PBES2 (RFC 8018 §6.2), as the AlgorithmIdentifier says.
///
/// # Errors
///
/// [`PrivateKeyError::Encryption`] where it is another scheme, or one whose cost has no measure;
/// [`PrivateKeyError::Password`] where the padding is wrong. A wrong password is noticed by its padding in 255 of 256
/// cases.
pub fn decrypt(algorithm: &[u8], sealed: &[u8], password: &[u8]) -> Result<Zeroizing<Vec<u8>>, PrivateKeyError> {
    let other = || other(algorithm);
    let der = to_der(algorithm).map_err(|_| other())?;
    let scheme = EncryptionScheme::try_from(&*der).map_err(|_| other())?;
    let affordable = match &scheme {
        EncryptionScheme::Pbes2(Parameters { kdf: Kdf::Pbkdf2(kdf), .. }) => kdf.iteration_count <= MOST_ROUNDS,
        EncryptionScheme::Pbes2(Parameters { kdf: Kdf::Scrypt(kdf), .. }) => {
            let memory = kdf.cost_parameter.saturating_mul(128 * u64::from(kdf.block_size));
            memory <= MOST_MEMORY && kdf.parallelization <= MOST_PASSES
        }
        _ => false,
    };
    if !affordable {
        return Err(other());
    }
    scheme.decrypt(password, sealed).map(Zeroizing::new).map_err(|error| match error {
        pkcs5::Error::UnsupportedAlgorithm { .. } => other(),
        _ => PrivateKeyError::Password,
    })
}

/// Says by what a key is encrypted that is not opened.
fn other(algorithm: &[u8]) -> PrivateKeyError {
    let scheme = Tlv::whole(algorithm).ok().and_then(|whole| whole.children().read().ok()?.oid().ok());
    let found = scheme.map_or("an unknown scheme".into(), |oid| match oid.dotted().as_str() {
        "1.2.840.113549.1.5.13" => "PBES2 with other algorithms or costs".into(),
        oid => oid.to_owned(),
    });
    PrivateKeyError::Encryption { found }
}

/// Seals `PrivateKeyInfo`.
pub(super) fn seal(key: &[u8], password: &[u8], randomness: &mut dyn CryptoRng) -> Result<Vec<u8>, PrivateKeyError> {
    let failed = |_| PrivateKeyError::Generation;
    let (mut salt, mut iv) = ([0; 16], [0; 16]);
    randomness.fill_bytes(&mut salt);
    randomness.fill_bytes(&mut iv);
    let parameters = Parameters::generate_pbkdf2_sha256_aes256cbc(ROUNDS, &salt, iv).map_err(failed)?;
    let sealed = parameters.encrypt(password, key).map_err(failed)?;
    let scheme = der::Encode::to_der(&EncryptionScheme::from(parameters)).map_err(|_| PrivateKeyError::Generation)?;
    let mut info = Writer::new();
    info.sequence(|w| {
        w.raw(&scheme).octet_string(&sealed);
    });
    Ok(info.finish())
}
