//! Stores of private keys.

use crate::{MasterKey, SealError, TokenError, seal, unseal};
use lacre::signing::{CryptoRng, KeyKind, PrivateKeyError, SigningKey, SoftwareKey};

/// Names a key by its purpose and an identifier. A sealed key opens under its own label only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The purpose: `user`, `authority`, `file`.
    pub purpose: String,
    /// The identifier, unique for the purpose.
    pub id: String,
}

impl Label {
    /// Returns the label of a purpose and an identifier.
    pub fn new(purpose: impl Into<String>, id: impl Into<String>) -> Self {
        Self { purpose: purpose.into(), id: id.into() }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.purpose, self.id)
    }
}

/// A new key, and the bytes that open it again.
pub struct StoredKey {
    /// The key, ready to sign.
    pub key: Box<dyn SigningKey>,
    /// The bytes that [`KeyStore::open`] takes.
    pub stored: Vec<u8>,
}

/// Why a key could not be made, opened or removed.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not sealed under this master key and label.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The token failed, or has no such key.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// It is no key, or none could be generated.
    #[error(transparent)]
    Key(#[from] PrivateKeyError),
}

/// Makes keys, opens them again, and discards them.
pub trait KeyStore: Send + Sync {
    /// Makes a key under a label.
    fn generate(&self, kind: KeyKind, label: &Label, randomness: &mut dyn CryptoRng) -> Result<StoredKey, Error>;

    /// Opens a key that was stored under this label.
    fn open(&self, stored: &[u8], label: &Label) -> Result<Box<dyn SigningKey>, Error>;

    /// Returns whether its elliptic-curve keys sign in less time than moving the work to another thread takes.
    fn is_quick(&self) -> bool;

    /// Removes a key that will not be used. A software key consists of its stored bytes, so there is nothing to remove.
    fn discard(&self, stored: &[u8], label: &Label) -> Result<(), Error>;
}

/// Software keys: the stored bytes are the sealed key.
impl KeyStore for MasterKey {
    fn generate(&self, kind: KeyKind, label: &Label, randomness: &mut dyn CryptoRng) -> Result<StoredKey, Error> {
        let key = SoftwareKey::generate(kind, randomness)?;
        let stored = seal(&key, self, label, randomness)?;
        Ok(StoredKey { key: Box::new(key), stored })
    }

    fn open(&self, stored: &[u8], label: &Label) -> Result<Box<dyn SigningKey>, Error> {
        Ok(Box::new(unseal(stored, self, label)?))
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn discard(&self, _: &[u8], _: &Label) -> Result<(), Error> {
        Ok(())
    }
}
