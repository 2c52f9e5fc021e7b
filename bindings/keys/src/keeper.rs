//! Who makes keys and keeps them.

use crate::{MasterKey, SealError, TokenError, seal, unseal};
use lacre::crypto::{CryptoRng, KeyKind, PrivateKeyError, SigningKey, SoftwareKey};

/// What a key is for, and which one of those it is. A sealed key opens under its own label only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// What it is for: `user`, `authority`, `file`.
    pub purpose: String,
    /// Which one.
    pub id: String,
}

impl Label {
    /// A label of two texts.
    pub fn new(purpose: impl Into<String>, id: impl Into<String>) -> Self {
        Self { purpose: purpose.into(), id: id.into() }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.purpose, self.id)
    }
}

/// A new key, and what to store so that it can be opened again.
pub struct Kept {
    /// The key, ready to sign.
    pub key: Box<dyn SigningKey>,
    /// What [`Keeper::open`] wants.
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

/// Makes keys and opens them again.
pub trait Keeper: Send + Sync {
    /// A new key.
    fn generate(&self, kind: KeyKind, label: &Label, randomness: &mut dyn CryptoRng) -> Result<Kept, Error>;

    /// The key that was stored under this label.
    fn open(&self, stored: &[u8], label: &Label) -> Result<Box<dyn SigningKey>, Error>;

    /// Whether its elliptic keys sign in less time than it takes to hand the work to another thread.
    fn is_quick(&self) -> bool;

    /// Removes a key that nobody will use; nothing to do where the stored octets are all there is of it.
    fn discard(&self, stored: &[u8], label: &Label) -> Result<(), Error>;
}

/// Software keys: what is stored is the sealed key.
impl Keeper for MasterKey {
    fn generate(&self, kind: KeyKind, label: &Label, randomness: &mut dyn CryptoRng) -> Result<Kept, Error> {
        let key = SoftwareKey::generate(kind, randomness)?;
        let stored = seal(&key, self, label, randomness)?;
        Ok(Kept { key: Box::new(key), stored })
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
