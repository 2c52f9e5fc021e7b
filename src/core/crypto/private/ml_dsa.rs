//! ML-DSA: FIPS 204, RFC 9881. The keys are those of RustCrypto's `ml-dsa`.

use super::software::{KeyKind, Secret};
use crate::algorithm::{KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::{Tag, Tlv};
use ::ml_dsa::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey};
use pkcs8::{Document, EncodePrivateKey, EncodePublicKey, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument};
use signature::Keypair;
use signature::rand_core::CryptoRng;
use zeroize::Zeroizing;

/// RFC 9881 §2.
const ML_DSA_44: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3.17");
const ML_DSA_65: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3.18");
const ML_DSA_87: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3.19");

/// Generates a key: FIPS 204 algorithm 1, of a random seed.
pub(super) fn generate(kind: KeyKind, randomness: &mut dyn CryptoRng) -> Option<Box<dyn Secret>> {
    let mut seed = Zeroizing::new([0; 32]);
    randomness.fill_bytes(&mut *seed);
    Some(match kind {
        KeyKind::MlDsa44 => Box::new(SigningKey::<MlDsa44>::from_seed(&(*seed).into())),
        KeyKind::MlDsa65 => Box::new(SigningKey::<MlDsa65>::from_seed(&(*seed).into())),
        KeyKind::MlDsa87 => Box::new(SigningKey::<MlDsa87>::from_seed(&(*seed).into())),
        _ => return None,
    })
}

/// Reads a key; `None` where it is of another kind, `Some(None)` where it is damaged.
pub(super) fn read(oid: ObjectIdentifier, info: &PrivateKeyInfoRef<'_>) -> Option<Option<Box<dyn Secret>>> {
    let bytes = info.private_key.as_bytes();
    match oid {
        ML_DSA_44 => Some(of::<MlDsa44>(bytes).map(|key| Box::new(key) as Box<dyn Secret>)),
        ML_DSA_65 => Some(of::<MlDsa65>(bytes).map(|key| Box::new(key) as Box<dyn Secret>)),
        ML_DSA_87 => Some(of::<MlDsa87>(bytes).map(|key| Box::new(key) as Box<dyn Secret>)),
        _ => None,
    }
}

/// Reads a key: by the seed alone, or by the seed with the expanded key, which then has to be the seed's (RFC 9881 §6).
///
/// ```asn1
/// ML-DSA-PrivateKey ::= CHOICE { seed [0] OCTET STRING (SIZE (32)), expandedKey OCTET STRING,
///                                both SEQUENCE { seed OCTET STRING (SIZE (32)), expandedKey OCTET STRING } }
/// ```
///
/// NOTE: an expanded key without its seed is not read: it cannot be checked, and the crate may panic on a bad one.
fn of<P: MlDsaParams>(bytes: &[u8]) -> Option<SigningKey<P>> {
    let choice = Tlv::whole(bytes).ok()?;
    if choice.is_context(0) && !choice.tag.constructed {
        return from_seed(choice.content);
    }
    let mut both = choice.expecting(Tag::SEQUENCE).ok()?.children();
    let seed = both.expect(Tag::OCTET_STRING).ok()?;
    let expanded = both.expect(Tag::OCTET_STRING).ok()?;
    both.finish().ok()?;
    let key = from_seed(seed.content)?;
    #[expect(deprecated, reason = "what a file has beside the seed is compared, and not used")]
    let own = Zeroizing::new(key.expanded_key().to_expanded().to_vec());
    (own[..] == *expanded.content).then_some(key)
}

fn from_seed<P: MlDsaParams>(seed: &[u8]) -> Option<SigningKey<P>> {
    let seed: Zeroizing<[u8; 32]> = Zeroizing::new(seed.try_into().ok()?);
    Some(SigningKey::from_seed(&(*seed).into()))
}

macro_rules! secret {
    ($($set:ty => $algorithm:path,)+) => {
        $(impl Secret for SigningKey<$set> {
            fn spki(&self) -> pkcs8::spki::Result<Document> {
                self.verifying_key().to_public_key_der()
            }

            fn pkcs8(&self) -> pkcs8::Result<SecretDocument> {
                self.to_pkcs8_der()
            }

            /// Signs with an empty context (RFC 9881 §3), hedged by fresh randomness (FIPS 204 §3.4).
            fn sign(
                &self,
                algorithm: &SignatureAlgorithm,
                message: &[u8],
                randomness: &mut dyn CryptoRng,
            ) -> Option<Vec<u8>> {
                if algorithm.key != $algorithm {
                    return None;
                }
                let value = self.expanded_key().sign_randomized(message, &[], randomness).ok()?;
                Some(value.encode().to_vec())
            }
        })+
    };
}

secret! {
    MlDsa44 => KeyAlgorithm::MlDsa44,
    MlDsa65 => KeyAlgorithm::MlDsa65,
    MlDsa87 => KeyAlgorithm::MlDsa87,
}
