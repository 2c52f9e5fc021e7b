//! Private keys: the half that makes signature values.

use ::rsa::pkcs1v15::Pkcs1v15Sign;
use ::rsa::pss::Pss;
use ::rsa::traits::PublicKeyParts;
use ::rsa::{RsaPrivateKey, RsaPublicKey};
use p256::ecdsa::signature::hazmat::PrehashSigner;
use p256::elliptic_curve::Generate;
use p256::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey};
use signature::rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::PublicKey;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, SignatureAlgorithm, ValueForm};
use crate::vocabulary::string_enum;

/// A private key, in memory, in a token, or behind a network.
pub trait SigningKey: Send + Sync {
    /// Returns the public key.
    fn public_key(&self) -> &PublicKey;

    /// Signs a digest; returns the signature value in the form that the algorithm states.
    ///
    /// The digest is the algorithm's own. `randomness` blinds the computation and salts the value, where the
    /// algorithm has a salt.
    fn sign(
        &self,
        algorithm: &SignatureAlgorithm,
        digest: &[u8],
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, SignError>;

    /// Returns the key's default algorithm with this digest function.
    fn algorithm(&self, digest: DigestAlgorithm) -> SignatureAlgorithm {
        SignatureAlgorithm::new(self.public_key().algorithm(), Some(digest))
    }
}

/// Why a signature value could not be made.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The key is of another kind than the algorithm asks for, or the algorithm cannot be made here.
    #[error("a key of {key} cannot sign with {algorithm}")]
    Algorithm {
        /// The kind of key.
        key: KeyAlgorithm,
        /// The requested algorithm.
        algorithm: String,
    },
    /// The digest has not the length that its function has.
    #[error("a digest of {found} bytes, expected the {expected} of {function}")]
    DigestLength {
        /// The length of the supplied digest, in bytes.
        found: usize,
        /// What the function yields.
        expected: usize,
        /// The digest function.
        function: DigestAlgorithm,
    },
    /// The key store did not sign.
    #[error("the keeper of the key did not sign: {0}")]
    Keeper(String),
}

/// Why a private key could not be read or made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a PKCS#8 private key (RFC 5958) of RSA with 2,048 bits or more, or on P-256 or P-384")]
pub struct PrivateKeyError;

string_enum! {
    /// The kinds of key that are generated.
    pub enum KeyKind {
        P256 = "ecdsa-p256",
        P384 = "ecdsa-p384",
        Rsa3072 = "rsa-3072",
        Rsa4096 = "rsa-4096",
    }
}

/// A private key in memory; its numbers are wiped when it is dropped.
pub struct SoftwareKey {
    secret: Secret,
    public: PublicKey,
}

enum Secret {
    P256(p256::ecdsa::SigningKey),
    P384(p384::ecdsa::SigningKey),
    Rsa(Box<RsaPrivateKey>),
}

impl SoftwareKey {
    /// Generates a key.
    ///
    /// # Errors
    ///
    /// [`PrivateKeyError`] where no key could be made.
    pub fn generate(kind: KeyKind, randomness: &mut dyn CryptoRng) -> Result<Self, PrivateKeyError> {
        Self::of(match kind {
            KeyKind::P256 => Secret::P256(p256::ecdsa::SigningKey::generate_from_rng(randomness)),
            KeyKind::P384 => Secret::P384(p384::ecdsa::SigningKey::generate_from_rng(randomness)),
            KeyKind::Rsa3072 => Secret::Rsa(rsa(randomness, 3072)?),
            KeyKind::Rsa4096 => Secret::Rsa(rsa(randomness, 4096)?),
        })
    }

    /// Reads `PrivateKeyInfo`: RFC 5958 §2.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self, PrivateKeyError> {
        let p256 = || p256::ecdsa::SigningKey::from_pkcs8_der(der).ok().map(Secret::P256);
        let p384 = || p384::ecdsa::SigningKey::from_pkcs8_der(der).ok().map(Secret::P384);
        let rsa = || RsaPrivateKey::from_pkcs8_der(der).ok().map(|key| Secret::Rsa(Box::new(key)));
        Self::of(p256().or_else(p384).or_else(rsa).ok_or(PrivateKeyError)?)
    }

    /// Writes `PrivateKeyInfo`: RFC 5958 §2.
    pub fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, PrivateKeyError> {
        let document = match &self.secret {
            Secret::P256(key) => key.to_pkcs8_der(),
            Secret::P384(key) => key.to_pkcs8_der(),
            Secret::Rsa(key) => key.to_pkcs8_der(),
        };
        document.map(|document| document.to_bytes()).map_err(|_| PrivateKeyError)
    }

    fn of(secret: Secret) -> Result<Self, PrivateKeyError> {
        let spki = match &secret {
            Secret::P256(key) => key.verifying_key().to_public_key_der(),
            Secret::P384(key) => key.verifying_key().to_public_key_der(),
            // TS 119 312 table 4: nothing below 1,900 bits may sign.
            Secret::Rsa(key) if key.size() >= 256 => RsaPublicKey::from(&**key).to_public_key_der(),
            Secret::Rsa(_) => return Err(PrivateKeyError),
        };
        let spki = spki.map_err(|_| PrivateKeyError)?;
        Ok(Self { secret, public: PublicKey::from_spki(spki.as_bytes()).map_err(|_| PrivateKeyError)? })
    }
}

fn rsa(randomness: &mut dyn CryptoRng, bits: usize) -> Result<Box<RsaPrivateKey>, PrivateKeyError> {
    RsaPrivateKey::new(randomness, bits).map(Box::new).map_err(|_| PrivateKeyError)
}

impl SigningKey for SoftwareKey {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }

    fn sign(
        &self,
        algorithm: &SignatureAlgorithm,
        digest: &[u8],
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, SignError> {
        let other = || SignError::Algorithm { key: self.public.algorithm(), algorithm: algorithm.to_string() };
        let function = check_digest(self.public.algorithm(), algorithm, digest)?;
        match (&self.secret, algorithm.key) {
            (Secret::P256(key), KeyAlgorithm::Ecdsa) => {
                let value: p256::ecdsa::Signature = key.sign_prehash(digest).map_err(|_| other())?;
                Ok(in_form(algorithm.form, &value.to_bytes(), value.to_der().as_bytes()))
            }
            (Secret::P384(key), KeyAlgorithm::Ecdsa) => {
                // FIPS 186-5 §6.4.1: a digest shorter than the order is the number that it writes.
                let mut padded = vec![0; 48_usize.saturating_sub(digest.len())];
                padded.extend_from_slice(digest);
                let value: p384::ecdsa::Signature = key.sign_prehash(&padded).map_err(|_| other())?;
                Ok(in_form(algorithm.form, &value.to_bytes(), value.to_der().as_bytes()))
            }
            (Secret::Rsa(key), KeyAlgorithm::Rsa) => {
                let padding = pkcs1(function).ok_or_else(other)?;
                key.sign_with_rng(randomness, padding, digest).map_err(|_| other())
            }
            (Secret::Rsa(key), KeyAlgorithm::RsassaPss) => {
                let pss = algorithm.pss.filter(|pss| *pss == PssParameters::of(function)).ok_or_else(other)?;
                match pss.mask {
                    MaskGeneration::Mgf1(DigestAlgorithm::Sha256) => {
                        key.sign_with_rng(randomness, Pss::<sha2::Sha256>::new(), digest)
                    }
                    MaskGeneration::Mgf1(DigestAlgorithm::Sha384) => {
                        key.sign_with_rng(randomness, Pss::<sha2::Sha384>::new(), digest)
                    }
                    MaskGeneration::Mgf1(DigestAlgorithm::Sha512) => {
                        key.sign_with_rng(randomness, Pss::<sha2::Sha512>::new(), digest)
                    }
                    _ => return Err(other()),
                }
                .map_err(|_| other())
            }
            _ => Err(other()),
        }
    }
}

/// Checks what every key store requires before it signs: a digest function that may be signed, and a digest of its
/// length.
pub fn check_digest(
    key: KeyAlgorithm,
    algorithm: &SignatureAlgorithm,
    digest: &[u8],
) -> Result<DigestAlgorithm, SignError> {
    let other = || SignError::Algorithm { key, algorithm: algorithm.to_string() };
    let function = algorithm.digest.filter(|function| may_be_signed(*function)).ok_or_else(other)?;
    if digest.len() != function.length() {
        return Err(SignError::DigestLength { found: digest.len(), expected: function.length(), function });
    }
    Ok(function)
}

/// TS 119 312 §5.2: the digest functions of new signatures.
fn may_be_signed(function: DigestAlgorithm) -> bool {
    use DigestAlgorithm::{Sha3_256, Sha3_384, Sha3_512, Sha256, Sha384, Sha512, Sha512_256};
    matches!(function, Sha256 | Sha384 | Sha512 | Sha512_256 | Sha3_256 | Sha3_384 | Sha3_512)
}

/// RFC 8017 §9.2: the DigestInfo prefix of the digest function.
fn pkcs1(function: DigestAlgorithm) -> Option<Pkcs1v15Sign> {
    match function {
        DigestAlgorithm::Sha256 => Some(Pkcs1v15Sign::new::<sha2::Sha256>()),
        DigestAlgorithm::Sha384 => Some(Pkcs1v15Sign::new::<sha2::Sha384>()),
        DigestAlgorithm::Sha512 => Some(Pkcs1v15Sign::new::<sha2::Sha512>()),
        _ => None,
    }
}

fn in_form(form: ValueForm, concatenated: &[u8], usual: &[u8]) -> Vec<u8> {
    match form {
        ValueForm::Usual => usual.to_vec(),
        ValueForm::Concatenated | ValueForm::Halves | ValueForm::OnCurve(_) => concatenated.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::{Signed, digest, verify};
    use signature::rand_core::UnwrapErr;

    #[test]
    fn what_a_key_signs_verifies() {
        use DigestAlgorithm::{Sha1, Sha256, Sha384, Sha512};
        let mut randomness = UnwrapErr(getrandom::SysRng);
        let keys = [
            SoftwareKey::generate(KeyKind::P256, &mut randomness).unwrap(),
            SoftwareKey::generate(KeyKind::P384, &mut randomness).unwrap(),
            // Finding two primes takes minutes in a build for tests.
            SoftwareKey::from_pkcs8(include_bytes!("../../../tests/data/rsa-3072.pk8")).unwrap(),
        ];
        for key in &keys {
            let again = SoftwareKey::from_pkcs8(&key.to_pkcs8().unwrap()).expect("RFC 5958 2: what is written is read");
            assert_eq!(again.public_key(), key.public_key());
            let kind = key.public_key().algorithm();
            let rsa = kind == KeyAlgorithm::Rsa;
            for algorithm in [
                SignatureAlgorithm::new(kind, Some(Sha256)),
                SignatureAlgorithm::new(kind, Some(Sha384)),
                SignatureAlgorithm::new(kind, Some(Sha512)),
                SignatureAlgorithm::new(kind, Some(Sha256)).concatenated(),
                SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(Sha384)),
                SignatureAlgorithm::new(KeyAlgorithm::EdDsa, Some(Sha256)),
            ] {
                let digest = digest(algorithm.digest.unwrap(), b"message").unwrap();
                let possible = algorithm.key == kind || rsa && algorithm.key == KeyAlgorithm::RsassaPss;
                match key.sign(&algorithm, &digest, &mut randomness) {
                    Ok(value) => {
                        assert!(possible, "{kind} signed with {algorithm}");
                        assert_eq!(verify(key.public_key(), &algorithm, Signed::Message(b"message"), &value), Ok(()));
                        assert!(verify(key.public_key(), &algorithm, Signed::Message(b"massage"), &value).is_err());
                    }
                    Err(error) => assert!(!possible, "{algorithm}: {error}"),
                }
            }
            let short = key.sign(&SignatureAlgorithm::new(kind, Some(Sha256)), &[0; 20], &mut randomness);
            assert_eq!(short, Err(SignError::DigestLength { found: 20, expected: 32, function: Sha256 }));
            let weak = key.sign(&SignatureAlgorithm::new(kind, Some(Sha1)), &[0; 20], &mut randomness);
            assert!(weak.is_err(), "TS 119 312: SHA-1 is not for new signatures");
        }
        assert!(SoftwareKey::from_pkcs8(&[0x30, 0]).is_err());

        let [p256, ..] = &keys;
        for (clause, name, function, expected) in
            [("RFC 7518 3.4", "ES256", Sha256, true), ("RFC 7518 3.4: a key on another curve", "ES384", Sha384, false)]
        {
            let algorithm = SignatureAlgorithm::from_jose(name).unwrap();
            let value = p256.sign(&algorithm, &digest(function, b"message").unwrap(), &mut randomness).unwrap();
            let verified = verify(p256.public_key(), &algorithm, Signed::Message(b"message"), &value);
            assert_eq!(verified.is_ok(), expected, "{clause}");
        }
    }
}
