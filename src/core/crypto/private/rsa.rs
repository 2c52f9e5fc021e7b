//! RSA: RFC 8017. The keys are those of RustCrypto's `rsa`, blinded.

use super::software::Secret;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, SignatureAlgorithm};
use ::rsa::pkcs1v15::Pkcs1v15Sign;
use ::rsa::pss::Pss;
use ::rsa::{PrivateKey, PublicKey};
use pkcs8::{Document, EncodePrivateKey, EncodePublicKey, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument};
use signature::rand_core::CryptoRng;

/// `rsaEncryption`: RFC 8017 appendix A.1.
const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// Generates a key of so many bits.
pub(super) fn generate(bits: usize, randomness: &mut dyn CryptoRng) -> Option<Box<dyn Secret>> {
    Some(Box::new(PrivateKey::new(randomness, bits).ok()?))
}

/// Reads a key; `None` where it is of another kind, `Some(None)` where it is damaged.
pub(super) fn read(oid: ObjectIdentifier, info: &PrivateKeyInfoRef<'_>) -> Option<Option<Box<dyn Secret>>> {
    let key = || PrivateKey::try_from(info.clone()).ok();
    (oid == RSA_ENCRYPTION).then(|| key().map(|key| Box::new(key) as Box<dyn Secret>))
}

impl Secret for PrivateKey {
    fn spki(&self) -> pkcs8::spki::Result<Document> {
        PublicKey::from(self).to_public_key_der()
    }

    fn pkcs8(&self) -> pkcs8::Result<SecretDocument> {
        self.to_pkcs8_der()
    }

    fn sign(&self, algorithm: &SignatureAlgorithm, digest: &[u8], randomness: &mut dyn CryptoRng) -> Option<Vec<u8>> {
        let function = algorithm.digest?;
        match algorithm.key {
            KeyAlgorithm::Rsa => self.sign_with_rng(randomness, pkcs1(function)?, digest).ok(),
            KeyAlgorithm::RsassaPss => {
                let pss = algorithm.pss.filter(|pss| *pss == PssParameters::of(function))?;
                match pss.mask {
                    MaskGeneration::Mgf1(DigestAlgorithm::Sha256) => {
                        self.sign_with_rng(randomness, Pss::<sha2::Sha256>::new(), digest)
                    }
                    MaskGeneration::Mgf1(DigestAlgorithm::Sha384) => {
                        self.sign_with_rng(randomness, Pss::<sha2::Sha384>::new(), digest)
                    }
                    MaskGeneration::Mgf1(DigestAlgorithm::Sha512) => {
                        self.sign_with_rng(randomness, Pss::<sha2::Sha512>::new(), digest)
                    }
                    _ => return None,
                }
                .ok()
            }
            _ => None,
        }
    }
}

/// Returns the DigestInfo prefix of the digest function (RFC 8017 §9.2).
fn pkcs1(function: DigestAlgorithm) -> Option<Pkcs1v15Sign> {
    match function {
        DigestAlgorithm::Sha256 => Some(Pkcs1v15Sign::new::<sha2::Sha256>()),
        DigestAlgorithm::Sha384 => Some(Pkcs1v15Sign::new::<sha2::Sha384>()),
        DigestAlgorithm::Sha512 => Some(Pkcs1v15Sign::new::<sha2::Sha512>()),
        _ => None,
    }
}
