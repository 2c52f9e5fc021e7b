//! Keys and values as PKCS#11 has them, and as X.509 does.

use super::Result11;
use cryptoki::mechanism::MechanismType;
use cryptoki::mechanism::rsa::{PkcsMgfType, PkcsPssParams};
use cryptoki::object::{Attribute, AttributeType, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::types::Ulong;
use lacre::signing::{DigestAlgorithm, KeyKind};
use lacre_core::asn1::Writer;

/// Curves as ECParameters: RFC 5480 §2.1.1.1, RFC 5639 §4.1.
const P256: &[u8] = &[0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const P384: &[u8] = &[0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22];
const P521: &[u8] = &[0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23];
const BRAINPOOL_P256R1: &[u8] = &[0x06, 0x09, 0x2b, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x07];
const BRAINPOOL_P384R1: &[u8] = &[0x06, 0x09, 0x2b, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0b];
/// `id-ecPublicKey`: RFC 5480 §2.1.1.
const EC_PUBLIC_KEY: &[u8] = &[0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
/// `rsaEncryption` with its NULL: RFC 3279 §2.3.1.
const RSA_ENCRYPTION: &[u8] =
    &[0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
const OCTET_STRING: u8 = 0x04;

/// What a token is asked to make.
pub enum Generation {
    /// A key on the curve with these ECParameters.
    Curve(&'static [u8]),
    /// A key of RSA with so many bits.
    Rsa(usize),
}

/// Returns what a token is asked to make for this kind of key; `None` for kinds that are not made in tokens.
pub fn generation(kind: KeyKind) -> Option<Generation> {
    Some(match kind {
        KeyKind::P256 => Generation::Curve(P256),
        KeyKind::P384 => Generation::Curve(P384),
        KeyKind::P521 => Generation::Curve(P521),
        KeyKind::BrainpoolP256r1 => Generation::Curve(BRAINPOOL_P256R1),
        KeyKind::BrainpoolP384r1 => Generation::Curve(BRAINPOOL_P384R1),
        KeyKind::Rsa3072 => Generation::Rsa(3072),
        KeyKind::Rsa4096 => Generation::Rsa(4096),
        _ => return None,
    })
}

/// Returns the SubjectPublicKeyInfo of a public key object; `None` for kinds that do not sign here.
pub fn spki(session: &Session, public: ObjectHandle) -> Result11<Option<Vec<u8>>> {
    let asked =
        [AttributeType::EcParams, AttributeType::EcPoint, AttributeType::Modulus, AttributeType::PublicExponent];
    let (mut parameters, mut point, mut modulus, mut exponent) = (None, None, None, None);
    for attribute in session.get_attributes(public, &asked)? {
        match attribute {
            Attribute::EcParams(bytes) => parameters = Some(bytes),
            Attribute::EcPoint(bytes) => point = Some(bytes),
            Attribute::Modulus(bytes) => modulus = Some(bytes),
            Attribute::PublicExponent(bytes) => exponent = Some(bytes),
            _ => {}
        }
    }
    let mut spki = Writer::new();
    match (parameters.zip(point), modulus.zip(exponent)) {
        (Some((parameters, point)), _) => spki.sequence(|w| {
            w.sequence(|w| {
                w.raw(EC_PUBLIC_KEY).raw(&parameters);
            });
            w.bit_string(bare(&point));
        }),
        (None, Some((modulus, exponent))) => {
            let mut key = Writer::new();
            key.sequence(|w| {
                w.unsigned(&modulus).unsigned(&exponent);
            });
            spki.sequence(|w| {
                w.raw(RSA_ENCRYPTION).bit_string(&key.finish());
            })
        }
        (None, None) => return Ok(None),
    };
    Ok(Some(spki.finish()))
}

/// Returns the point of a `CKA_EC_POINT`, which has it in an OCTET STRING (PKCS#11 3.0 §2.3.3); some tokens give the
/// bare point.
fn bare(point: &[u8]) -> &[u8] {
    match point {
        [OCTET_STRING, length, rest @ ..] if usize::from(*length) == rest.len() => rest,
        [OCTET_STRING, 0x81, length, rest @ ..] if usize::from(*length) == rest.len() => rest,
        _ => point,
    }
}

/// Makes an `Ecdsa-Sig-Value` of the two numbers one after the other: RFC 5480 §2.2.
pub fn ecdsa_value(concatenated: &[u8]) -> Vec<u8> {
    let (r, s) = concatenated.split_at(concatenated.len() / 2);
    let mut value = Writer::new();
    value.sequence(|w| {
        w.unsigned(r).unsigned(s);
    });
    value.finish()
}

/// Makes a `DigestInfo`: RFC 8017 §9.2, with the NULL that it demands.
pub fn digest_info(function: DigestAlgorithm, digest: &[u8]) -> Option<Vec<u8>> {
    // The last number of 2.16.840.1.101.3.4.2.
    let last = match function {
        DigestAlgorithm::Sha256 => 1,
        DigestAlgorithm::Sha384 => 2,
        DigestAlgorithm::Sha512 => 3,
        _ => return None,
    };
    let mut info = Writer::new();
    info.sequence(|w| {
        w.sequence(|w| {
            w.raw(&[0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last]).null();
        });
        w.octet_string(digest);
    });
    Some(info.finish())
}

/// Returns the parameters of RSASSA-PSS as TS 119 312 §6 has it: mask and salt of the digest function.
pub fn pss(function: DigestAlgorithm) -> Option<PkcsPssParams> {
    let (hash_alg, mgf) = match function {
        DigestAlgorithm::Sha256 => (MechanismType::SHA256, PkcsMgfType::MGF1_SHA256),
        DigestAlgorithm::Sha384 => (MechanismType::SHA384, PkcsMgfType::MGF1_SHA384),
        DigestAlgorithm::Sha512 => (MechanismType::SHA512, PkcsMgfType::MGF1_SHA512),
        _ => return None,
    };
    Some(PkcsPssParams { hash_alg, mgf, s_len: Ulong::try_from(function.length()).ok()? })
}
