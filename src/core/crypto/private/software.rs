//! Keys in memory.

use super::error::{PrivateKeyError, SignError};
use super::{SigningKey, check_digest, ecdsa, eddsa, encryption, pem, rsa};
use crate::algorithm::SignatureAlgorithm;
use crate::asn1::to_der;
use crate::crypto::PublicKey;
use crate::vocabulary::string_enum;
use pkcs8::{AlgorithmIdentifierRef, Document, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument};
use signature::rand_core::CryptoRng;
use zeroize::Zeroizing;

string_enum! {
    /// The kinds of key that are generated.
    pub enum KeyKind {
        P256 = "ecdsa-p256",
        P384 = "ecdsa-p384",
        P521 = "ecdsa-p521",
        BrainpoolP256r1 = "ecdsa-brainpoolp256r1",
        BrainpoolP384r1 = "ecdsa-brainpoolp384r1",
        Ed25519 = "ed25519",
        Ed448 = "ed448",
        MlDsa44 = "ml-dsa-44",
        MlDsa65 = "ml-dsa-65",
        MlDsa87 = "ml-dsa-87",
        Rsa3072 = "rsa-3072",
        Rsa4096 = "rsa-4096",
    }
}

/// The private half of a key of one kind. Its numbers are wiped when it is dropped.
pub(super) trait Secret: Send + Sync {
    /// Returns the public half: SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    fn spki(&self) -> pkcs8::spki::Result<Document>;

    /// Returns `PrivateKeyInfo` (RFC 5958 §2).
    fn pkcs8(&self) -> pkcs8::Result<SecretDocument>;

    /// Signs what [`SigningKey::sign`] is given, after its checks; `None` where the key cannot sign with the algorithm.
    fn sign(&self, algorithm: &SignatureAlgorithm, signed: &[u8], randomness: &mut dyn CryptoRng) -> Option<Vec<u8>>;
}

/// A private key in memory; its numbers are wiped when it is dropped.
pub struct SoftwareKey {
    secret: Box<dyn Secret>,
    public: PublicKey,
}

impl SoftwareKey {
    /// Generates a key.
    ///
    /// # Errors
    ///
    /// [`PrivateKeyError`] where no key could be made.
    pub fn generate(kind: KeyKind, randomness: &mut dyn CryptoRng) -> Result<Self, PrivateKeyError> {
        let secret = match kind {
            KeyKind::P256 | KeyKind::P384 | KeyKind::P521 | KeyKind::BrainpoolP256r1 | KeyKind::BrainpoolP384r1 => {
                ecdsa::generate(kind, randomness)
            }
            KeyKind::Ed25519 | KeyKind::Ed448 => eddsa::generate(kind, randomness),
            KeyKind::Rsa3072 => rsa::generate(3072, randomness),
            KeyKind::Rsa4096 => rsa::generate(4096, randomness),
            KeyKind::MlDsa44 | KeyKind::MlDsa65 | KeyKind::MlDsa87 => ml_dsa::generate(kind, randomness),
        };
        Self::of(secret.ok_or(PrivateKeyError::Generation)?)
    }

    /// Reads `PrivateKeyInfo`, which is not encrypted: RFC 5958 §2.
    ///
    /// # Errors
    ///
    /// [`PrivateKeyError`] where it is none, or of a kind that does not sign here.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self, PrivateKeyError> {
        // NOTE: some writers leave the lengths of BER; the crates of keys read DER alone.
        let der = to_der(der).map_err(|_| pem::unknown(der))?;
        let info = PrivateKeyInfoRef::try_from(&*der).map_err(|_| match encryption::is_encrypted(&der) {
            true => PrivateKeyError::Encrypted,
            false => pem::unknown(&der),
        })?;
        let oid = info.algorithm.oid;
        let curve = info.algorithm.parameters.and_then(|parameters| parameters.decode_as::<ObjectIdentifier>().ok());
        let secret = None
            .or_else(|| ecdsa::read(oid, curve, &info))
            .or_else(|| eddsa::read(oid, &info))
            .or_else(|| rsa::read(oid, &info))
            .or_else(|| ml_dsa::read(oid, &info));
        match secret {
            Some(Some(secret)) => Self::of(secret),
            Some(None) => Err(PrivateKeyError::Format { found: format!("a damaged key of {}", kind(&info.algorithm)) }),
            None => Err(PrivateKeyError::Kind { found: kind(&info.algorithm) }),
        }
    }

    /// Reads a private key: PKCS#8 in DER or PEM, encrypted (RFC 5958 §3) or not; in PEM also the older forms of
    /// OpenSSL.
    ///
    /// `password` opens what is encrypted, and is not looked at otherwise.
    ///
    /// # Errors
    ///
    /// [`PrivateKeyError`]; where a password is needed and none was given, [`PrivateKeyError::Encrypted`].
    pub fn read(bytes: &[u8], password: Option<&[u8]>) -> Result<Self, PrivateKeyError> {
        let bytes = pem::to_pkcs8(bytes)?;
        if !encryption::is_encrypted(&bytes) {
            return Self::from_pkcs8(&bytes);
        }
        let opened = encryption::open(&bytes, password.ok_or(PrivateKeyError::Encrypted)?)?;
        // A wrong password is noticed by its padding in 255 of 256 cases; what is left is no key.
        Self::from_pkcs8(&opened).map_err(|error| match error {
            PrivateKeyError::Format { .. } => PrivateKeyError::Password,
            other => other,
        })
    }

    /// Writes `PrivateKeyInfo`: RFC 5958 §2.
    ///
    /// # Errors
    ///
    /// [`PrivateKeyError`] where it cannot be encoded.
    pub fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, PrivateKeyError> {
        self.secret.pkcs8().map(|document| document.to_bytes()).map_err(|_| damaged())
    }

    /// Writes `EncryptedPrivateKeyInfo` (RFC 5958 §3): PBES2 with AES-256, the key by 600,000 rounds of PBKDF2 with
    /// HMAC-SHA-256.
    ///
    /// # Errors
    ///
    /// [`PrivateKeyError`] where it cannot be encoded.
    pub fn to_encrypted_pkcs8(
        &self,
        password: &[u8],
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, PrivateKeyError> {
        encryption::seal(&self.to_pkcs8()?, password, randomness)
    }

    fn of(secret: Box<dyn Secret>) -> Result<Self, PrivateKeyError> {
        let spki = secret.spki().map_err(|_| damaged())?;
        let public = PublicKey::from_spki(spki.as_bytes()).map_err(|_| damaged())?;
        // TS 119 312 table 4: nothing below 1,900 bits may sign.
        match public.bits() {
            Some(bits) if public.algorithm() == crate::algorithm::KeyAlgorithm::Rsa && bits < 2048 => {
                Err(PrivateKeyError::Kind { found: format!("RSA with {bits} bits") })
            }
            _ => Ok(Self { secret, public }),
        }
    }
}

/// Returns what a key says that it is.
fn kind(algorithm: &AlgorithmIdentifierRef<'_>) -> String {
    let curve = algorithm.parameters.and_then(|parameters| parameters.decode_as::<ObjectIdentifier>().ok());
    match curve {
        Some(curve) => format!("{} with {curve}", algorithm.oid),
        None => algorithm.oid.to_string(),
    }
}

fn damaged() -> PrivateKeyError {
    PrivateKeyError::Format { found: "a damaged key".into() }
}

impl SigningKey for SoftwareKey {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }

    fn sign(
        &self,
        algorithm: &SignatureAlgorithm,
        signed: &[u8],
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, SignError> {
        if !algorithm.needs_message() {
            check_digest(self.public.algorithm(), algorithm, signed)?;
        }
        let other = || SignError::Algorithm { key: self.public.algorithm(), algorithm: algorithm.to_string() };
        self.secret.sign(algorithm, signed, randomness).ok_or_else(other)
    }
}

#[cfg(feature = "ml-dsa")]
use super::ml_dsa;

/// Without the feature, keys of ML-DSA are of no known kind.
#[cfg(not(feature = "ml-dsa"))]
mod ml_dsa {
    use super::{CryptoRng, KeyKind, ObjectIdentifier, PrivateKeyInfoRef, Secret};

    pub fn generate(_: KeyKind, _: &mut dyn CryptoRng) -> Option<Box<dyn Secret>> {
        None
    }

    pub fn read(_: ObjectIdentifier, _: &PrivateKeyInfoRef<'_>) -> Option<Option<Box<dyn Secret>>> {
        None
    }
}
