//! The faster backend: graviola's formally verified assembly, for what it does faster than our own kernels.
//!
//! That is P-256, and RSA with 2048 bits, both over a message (it takes no digest). It panics on processors without
//! certain instructions, so it is asked only where they are. It only ever says yes: what it refuses is looked at
//! again by the portable code, which knows the reason.

use graviola::hashing::{Sha256, Sha384, Sha512};
use graviola::signing::{ecdsa, rsa};

use super::ecdsa::Pair;
use super::key::Material;
use super::{PublicKey, Signed};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::Writer;

/// Whether the value verifies and this backend can tell.
pub(super) fn verifies(key: &PublicKey, algorithm: &SignatureAlgorithm, signed: Signed<'_>, value: &[u8]) -> bool {
    let (Signed::Message(message), Some(function)) = (signed, algorithm.digest) else { return false };
    if !graviola::util::is_cpu_supported() {
        return false;
    }
    match (key.material(), key.algorithm(), algorithm.key) {
        (Material::Rsa { key, .. }, KeyAlgorithm::Rsa, KeyAlgorithm::Rsa) if key.modulus.len() == 256 => {
            let mut writer = Writer::new();
            writer.sequence(|numbers| {
                numbers.unsigned(&key.modulus).unsigned(&key.exponent);
            });
            rsa_2048(&writer.finish(), function, message, value).unwrap_or(false)
        }
        (Material::Ec { curve, point }, _, KeyAlgorithm::Ecdsa | KeyAlgorithm::PlainEcdsa)
            if curve.name == "secp256r1" =>
        {
            let pair = Pair::read(value, algorithm.form, curve.order_length());
            pair.ok().and_then(|pair| p256(point, function, message, &pair)).unwrap_or(false)
        }
        _ => false,
    }
}

/// ECDSA on P-256.
fn p256(point: &[u8], function: DigestAlgorithm, message: &[u8], pair: &Pair<'_>) -> Option<bool> {
    let mut value = [[0; 32]; 2];
    for (padded, octets) in value.iter_mut().zip([pair.r, pair.s]) {
        let start = padded.len().checked_sub(octets.len())?;
        padded[start..].copy_from_slice(octets);
    }
    let value = value.as_flattened();
    let key = ecdsa::VerifyingKey::<ecdsa::P256>::from_x962_uncompressed(point).ok()?;
    let verified = match function {
        DigestAlgorithm::Sha256 => key.verify::<Sha256>(&[message], value),
        DigestAlgorithm::Sha384 => key.verify::<Sha384>(&[message], value),
        DigestAlgorithm::Sha512 => key.verify::<Sha512>(&[message], value),
        _ => return None,
    };
    Some(verified.is_ok())
}

/// RSASSA-PKCS1-v1_5 with a modulus of 2048 bits; the key as RSAPublicKey (RFC 8017 appendix A.1.1).
fn rsa_2048(key: &[u8], function: DigestAlgorithm, message: &[u8], value: &[u8]) -> Option<bool> {
    let key = rsa::VerifyingKey::from_pkcs1_der(key).ok()?;
    let verified = match function {
        DigestAlgorithm::Sha256 => key.verify_pkcs1_sha256(value, message),
        DigestAlgorithm::Sha384 => key.verify_pkcs1_sha384(value, message),
        DigestAlgorithm::Sha512 => key.verify_pkcs1_sha512(value, message),
        _ => return None,
    };
    Some(verified.is_ok())
}
