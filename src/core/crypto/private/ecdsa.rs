//! ECDSA: FIPS 186-5 §6, RFC 6979. The keys are those of RustCrypto's `p256`, `p384`, `p521`, `bp256` and `bp384`.

use super::software::{KeyKind, Secret};
use crate::algorithm::{KeyAlgorithm, SignatureAlgorithm, ValueForm};
use ::ecdsa::{Signature, SigningKey};
use bp256::BrainpoolP256r1;
use bp384::BrainpoolP384r1;
use p256::NistP256;
use p256::elliptic_curve::Generate;
use p384::NistP384;
use p521::NistP521;
use pkcs8::{
    AssociatedOid, Document, EncodePrivateKey, EncodePublicKey, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
};
use signature::hazmat::PrehashSigner;
use signature::rand_core::CryptoRng;

/// `id-ecPublicKey`: RFC 5480 §2.1.1.
const EC_PUBLIC_KEY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");

/// Generates a key on the curve of that kind.
pub(super) fn generate(kind: KeyKind, randomness: &mut dyn CryptoRng) -> Option<Box<dyn Secret>> {
    Some(match kind {
        KeyKind::P256 => Box::new(SigningKey::<NistP256>::generate_from_rng(randomness)),
        KeyKind::P384 => Box::new(SigningKey::<NistP384>::generate_from_rng(randomness)),
        KeyKind::P521 => Box::new(SigningKey::<NistP521>::generate_from_rng(randomness)),
        KeyKind::BrainpoolP256r1 => Box::new(SigningKey::<BrainpoolP256r1>::generate_from_rng(randomness)),
        KeyKind::BrainpoolP384r1 => Box::new(SigningKey::<BrainpoolP384r1>::generate_from_rng(randomness)),
        _ => return None,
    })
}

/// Reads a key; `None` where it is of another kind, `Some(None)` where it is damaged.
pub(super) fn read(
    oid: ObjectIdentifier,
    curve: Option<ObjectIdentifier>,
    info: &PrivateKeyInfoRef<'_>,
) -> Option<Option<Box<dyn Secret>>> {
    let curve = curve.filter(|_| oid == EC_PUBLIC_KEY)?;
    macro_rules! on {
        ($($name:ty),+) => {
            $(if curve == <$name>::OID {
                let key = SigningKey::<$name>::try_from(info.clone()).ok();
                return Some(key.map(|key| Box::new(key) as Box<dyn Secret>));
            })+
        };
    }
    on!(NistP256, NistP384, NistP521, BrainpoolP256r1, BrainpoolP384r1);
    None
}

macro_rules! secret {
    ($($curve:ty),+) => {
        $(impl Secret for SigningKey<$curve> {
            fn spki(&self) -> pkcs8::spki::Result<Document> {
                self.verifying_key().to_public_key_der()
            }

            fn pkcs8(&self) -> pkcs8::Result<SecretDocument> {
                self.to_pkcs8_der()
            }

            /// Signs digests of any length: FIPS 186-5 §6.4.1 takes the leftmost bits of longer ones.
            fn sign(&self, algorithm: &SignatureAlgorithm, digest: &[u8], _: &mut dyn CryptoRng) -> Option<Vec<u8>> {
                if algorithm.key != KeyAlgorithm::Ecdsa {
                    return None;
                }
                let value: Signature<$curve> = self.sign_prehash(digest).ok()?;
                Some(in_form(algorithm.form, &value.to_bytes(), value.to_der().as_bytes()))
            }
        })+
    };
}

secret!(NistP256, NistP384, NistP521, BrainpoolP256r1, BrainpoolP384r1);

fn in_form(form: ValueForm, concatenated: &[u8], usual: &[u8]) -> Vec<u8> {
    match form {
        ValueForm::Usual => usual.to_vec(),
        ValueForm::Concatenated | ValueForm::Halves | ValueForm::OnCurve(_) => concatenated.to_vec(),
    }
}
