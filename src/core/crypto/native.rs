//! The faster backend: graviola's formally verified assembly, for what it does faster than our own kernels.
//!
//! These are P-256 and RSA with 2048 bits, both over a message (it takes no digest). It panics on processors without
//! certain instructions, so it is used only where they are present. What it decides, it alone decides: no value is
//! accepted because one of two implementations takes it.

use graviola::hashing::{Sha256, Sha384, Sha512};
use graviola::signing::{ecdsa, rsa};

use super::ecdsa::Pair;
use super::material::Material;
use super::signed::Signed;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::Writer;

/// A key in this backend's own form, kept with the key: to make it takes nearly as long as to verify with it.
pub(super) enum Prepared {
    Rsa(Box<rsa::VerifyingKey>),
    P256(Box<ecdsa::VerifyingKey<ecdsa::P256>>),
}

impl Prepared {
    /// Returns the key, if it is of a kind that is verified here.
    pub fn new(material: &Material) -> Option<Self> {
        if !graviola::util::is_cpu_supported() {
            return None;
        }
        match material {
            // RSAPublicKey, RFC 8017 appendix A.1.1.
            Material::Rsa { key, .. } if key.modulus.len() == 256 => {
                let mut writer = Writer::new();
                writer.sequence(|numbers| {
                    numbers.unsigned(&key.modulus).unsigned(&key.exponent);
                });
                rsa::VerifyingKey::from_pkcs1_der(&writer.finish()).ok().map(|key| Self::Rsa(Box::new(key)))
            }
            Material::Ec { curve, point } if curve.name == "secp256r1" => {
                let key = ecdsa::VerifyingKey::from_x962_uncompressed(point).ok()?;
                Some(Self::P256(Box::new(key)))
            }
            _ => None,
        }
    }
}

/// Returns whether the value verifies; nothing where this backend does not decide. Of values with PKCS#1 v1.5 padding it
/// decides about those whose digest is named with NULL as parameters, and calls all others bad.
pub(super) fn verifies(
    prepared: Option<&Prepared>,
    key: KeyAlgorithm,
    algorithm: &SignatureAlgorithm,
    signed: Signed<'_>,
    value: &[u8],
) -> Option<bool> {
    let (Signed::Message(message), Some(function)) = (signed, algorithm.digest) else { return None };
    match (prepared, key, algorithm.key) {
        (Some(Prepared::Rsa(numbers)), KeyAlgorithm::Rsa, KeyAlgorithm::Rsa) if value.len() == 256 => {
            rsa_2048(numbers, function, message, value)
        }
        (Some(Prepared::P256(point)), _, KeyAlgorithm::Ecdsa | KeyAlgorithm::PlainEcdsa) => {
            let pair = Pair::read(value, algorithm.form, 32).ok();
            pair.and_then(|pair| p256(point, function, message, &pair))
        }
        _ => None,
    }
}

/// Returns what this backend decides here, with its name.
pub(super) fn decides() -> &'static [(&'static str, &'static str)] {
    const ROWS: &[(&str, &str)] = &[
        ("ECDSA P-256, uncompressed key, message with SHA-256, SHA-384 or SHA-512", GRAVIOLA),
        ("RSA PKCS#1 v1.5, 2048 bits, message with SHA-256, SHA-384 or SHA-512, digest named with NULL", GRAVIOLA),
    ];
    if graviola::util::is_cpu_supported() { ROWS } else { &[] }
}

const GRAVIOLA: &str = "graviola 0.4 (s2n-bignum)";

/// Verifies ECDSA on P-256.
fn p256(
    key: &ecdsa::VerifyingKey<ecdsa::P256>,
    function: DigestAlgorithm,
    message: &[u8],
    pair: &Pair<'_>,
) -> Option<bool> {
    let mut value = [[0; 32]; 2];
    for (padded, bytes) in value.iter_mut().zip([pair.r, pair.s]) {
        let start = padded.len().checked_sub(bytes.len())?;
        padded[start..].copy_from_slice(bytes);
    }
    let value = value.as_flattened();
    let verified = match function {
        DigestAlgorithm::Sha256 => key.verify::<Sha256>(&[message], value),
        DigestAlgorithm::Sha384 => key.verify::<Sha384>(&[message], value),
        DigestAlgorithm::Sha512 => key.verify::<Sha512>(&[message], value),
        _ => return None,
    };
    Some(verified.is_ok())
}

/// Verifies RSASSA-PKCS1-v1_5 with a modulus of 2048 bits.
fn rsa_2048(key: &rsa::VerifyingKey, function: DigestAlgorithm, message: &[u8], value: &[u8]) -> Option<bool> {
    let verified = match function {
        DigestAlgorithm::Sha256 => key.verify_pkcs1_sha256(value, message),
        DigestAlgorithm::Sha384 => key.verify_pkcs1_sha384(value, message),
        DigestAlgorithm::Sha512 => key.verify_pkcs1_sha512(value, message),
        _ => return None,
    };
    Some(verified.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::DigestAlgorithm::{Sha256, Sha384, Sha512};
    use crate::crypto::PublicKey;
    use crate::crypto::bytes::unhex;
    use lacre_testkit::vectors;

    const VECTORS: &str = include_str!("../../../tests/data/crypto/openssl.tsv");

    /// What [`decides`] names is decided here and nothing else is: what a second implementation decided alike would hide that.
    #[test]
    fn what_is_named_is_decided() {
        let is_here = graviola::util::is_cpu_supported();
        assert_eq!(decides().len(), if is_here { 2 } else { 0 });
        assert!(decides().iter().all(|(values, by)| values.contains("SHA-256, SHA-384 or SHA-512") && *by == GRAVIOLA));
        let decided = |function, is_kind: bool| is_here && is_kind && [Sha256, Sha384, Sha512].contains(&function);
        let mut cases = vec![];
        for line in VECTORS.lines().filter(|line| !line.starts_with("DSA")) {
            let [name, function, spki, value] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let message = format!("{name} {function}").into_bytes();
            let function = DigestAlgorithm::from_name(function).expect("a function");
            let expected = decided(function, name == "secp256r1");
            cases.push((KeyAlgorithm::Ecdsa, function, unhex(spki), message, unhex(value), expected));
        }
        for content in vectors::wycheproof().filter(|content| content["file"].as_str().is_some_and(is_rsa)) {
            let group = &content["testGroups"][0];
            let Some(function) = group["sha"].as_str().and_then(DigestAlgorithm::from_name) else { continue };
            let tests = group["tests"].as_array().expect("tests");
            let Some(good) = tests.iter().find(|test| test["result"] == "valid") else { continue };
            let [spki, message, value] = [&group["publicKeyDer"], &good["msg"], &good["sig"]]
                .map(|text| unhex(text.as_str().unwrap_or_default()));
            let expected = decided(function, value.len() == 256);
            cases.push((KeyAlgorithm::Rsa, function, spki, message, value, expected));
        }
        let mut found = [0, 0];
        for (kind, function, spki, message, value, expected) in cases {
            let key = PublicKey::from_spki(&spki).expect("a key");
            let algorithm = SignatureAlgorithm::new(kind, Some(function));
            let decide = |message: &[u8], value: &[u8]| {
                verifies(key.prepared(), kind, &algorithm, Signed::Message(message), value)
            };
            assert_eq!(decide(&message, &value), expected.then_some(true), "{kind} {function} {:?}", key.bits());
            assert_eq!(decide(b"other", &value), expected.then_some(false), "{kind} {function}: another message");
            assert_eq!(decide(&message, &value[1..]), None, "{kind} {function}: of another length");
            found[usize::from(expected)] += 1;
        }
        assert!(found[0] > 100 && (!is_here || found[1] >= 6), "{found:?}");
    }

    fn is_rsa(file: &str) -> bool {
        file.starts_with("rsa_signature_")
    }
}
