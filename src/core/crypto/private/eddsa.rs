//! EdDSA: RFC 8032, RFC 8410. The keys are those of `ed25519-dalek` and of RustCrypto's `ed448-goldilocks`.

use super::software::{KeyKind, Secret};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::{Tag, tlv};
use pkcs8::der::asn1::OctetStringRef;
use pkcs8::{
    AlgorithmIdentifierRef, Document, EncodePrivateKey, EncodePublicKey, ObjectIdentifier, PrivateKeyInfoRef,
    SecretDocument,
};
use signature::Signer;
use signature::rand_core::CryptoRng;
use zeroize::Zeroizing;

const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap(crate::algorithm::ED25519);
const ED448: ObjectIdentifier = ObjectIdentifier::new_unwrap(crate::algorithm::ED448);

/// Generates a key: RFC 8032 §5.1.5, §5.2.5, of random bytes.
pub(super) fn generate(kind: KeyKind, randomness: &mut dyn CryptoRng) -> Option<Box<dyn Secret>> {
    match kind {
        KeyKind::Ed25519 => {
            let mut seed = Zeroizing::new([0; 32]);
            randomness.fill_bytes(&mut *seed);
            Some(Box::new(ed25519_dalek::SigningKey::from_bytes(&seed)))
        }
        KeyKind::Ed448 => {
            let mut seed = Zeroizing::new([0; 57]);
            randomness.fill_bytes(&mut *seed);
            Some(Box::new(ed448_goldilocks::SigningKey::try_from(&seed[..]).ok()?))
        }
        _ => None,
    }
}

/// Reads a key; `None` where it is of another kind, `Some(None)` where it is damaged.
pub(super) fn read(oid: ObjectIdentifier, info: &PrivateKeyInfoRef<'_>) -> Option<Option<Box<dyn Secret>>> {
    match oid {
        ED25519 => {
            let key = ed25519_dalek::SigningKey::try_from(info.clone()).ok();
            Some(key.map(|key| Box::new(key) as Box<dyn Secret>))
        }
        ED448 => {
            let key = ed448_goldilocks::SigningKey::try_from(info.clone()).ok();
            Some(key.map(|key| Box::new(key) as Box<dyn Secret>))
        }
        _ => None,
    }
}

/// Returns whether the algorithm is EdDSA with the digest of the curve, where it names one (RFC 8419 §2.3).
fn admits(algorithm: &SignatureAlgorithm, own: DigestAlgorithm) -> bool {
    algorithm.key == KeyAlgorithm::EdDsa && algorithm.digest.is_none_or(|digest| digest == own)
}

impl Secret for ed25519_dalek::SigningKey {
    fn spki(&self) -> pkcs8::spki::Result<Document> {
        self.verifying_key().to_public_key_der()
    }

    /// Writes the key without the public half, which makes it version 1 (RFC 5958 §2): many read no other.
    fn pkcs8(&self) -> pkcs8::Result<SecretDocument> {
        ed25519_dalek::pkcs8::KeypairBytes { secret_key: self.to_bytes(), public_key: None }.to_pkcs8_der()
    }

    fn sign(&self, algorithm: &SignatureAlgorithm, message: &[u8], _: &mut dyn CryptoRng) -> Option<Vec<u8>> {
        let value = admits(algorithm, DigestAlgorithm::Sha512).then(|| self.try_sign(message).ok())??;
        Some(value.to_bytes().to_vec())
    }
}

impl Secret for ed448_goldilocks::SigningKey {
    fn spki(&self) -> pkcs8::spki::Result<Document> {
        self.verifying_key().to_public_key_der()
    }

    /// Writes the key as for Ed25519: `CurvePrivateKey` (RFC 8410 §7), an OCTET STRING in the OCTET STRING.
    fn pkcs8(&self) -> pkcs8::Result<SecretDocument> {
        let curve_private_key = Zeroizing::new(tlv(Tag::OCTET_STRING, &self.as_bytes()[..]));
        let algorithm = AlgorithmIdentifierRef { oid: ED448, parameters: None };
        let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&curve_private_key)?);
        Ok(SecretDocument::encode_msg(&info)?)
    }

    fn sign(&self, algorithm: &SignatureAlgorithm, message: &[u8], _: &mut dyn CryptoRng) -> Option<Vec<u8>> {
        let value = admits(algorithm, DigestAlgorithm::Shake256_512).then(|| self.try_sign(message).ok())??;
        Some(value.to_bytes().to_vec())
    }
}
