//! Keys in a PKCS#11 token: a card, a hardware module, SoftHSM.
//!
//! The private half never leaves the token. What is stored of a key that was made here is where it is: `P11 01` and
//! its `CKA_ID`.

mod encoding;
mod key;
mod pin;
mod pool;

pub use key::TokenKey;
pub use pin::{Pin, PinError};

use crate::{Error, KeyStore, Label, StoredKey};
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::types::Ulong;
use encoding::Generation;
use lacre::signing::{CryptoRng, KeyKind, PublicKey, SigningKey};
use pool::Pool;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// What stored bytes begin with; the last byte is the version.
const MAGIC: &[u8; 4] = b"P11\x01";
/// Bytes of a `CKA_ID` that is made here.
const ID: usize = 16;
/// Bytes of the longest `CKA_ID` that anybody needs.
const MAX_ID: usize = 255;

/// Where a token is: the module that knows it, and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenLocation {
    /// The shared library of its maker.
    pub module: PathBuf,
    /// The label of the token.
    pub token: String,
}

/// Where a key is: `MODULE/TOKEN/LABEL`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLocation {
    /// The token.
    pub token: TokenLocation,
    /// The key's `CKA_LABEL`.
    pub label: String,
}

/// A text that is no location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected {1}")]
pub struct LocationError(String, &'static str);

impl FromStr for TokenLocation {
    type Err = LocationError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.rsplit_once('/').filter(|(module, token)| !module.is_empty() && !token.is_empty());
        let (module, token) = parts.ok_or_else(|| LocationError(text.to_owned(), "MODULE/TOKEN"))?;
        Ok(Self { module: module.into(), token: token.to_owned() })
    }
}

impl FromStr for KeyLocation {
    type Err = LocationError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || LocationError(text.to_owned(), "MODULE/TOKEN/LABEL");
        let (token, label) = text.rsplit_once('/').filter(|(_, label)| !label.is_empty()).ok_or_else(wrong)?;
        Ok(Self { token: token.parse().map_err(|_| wrong())?, label: label.to_owned() })
    }
}

impl fmt::Display for TokenLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.module.display(), self.token)
    }
}

/// Why a token did not do what it was asked.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The module or the token failed.
    #[error("the PKCS#11 token {token} failed: {reason}")]
    Failed {
        /// Where it is.
        token: String,
        /// What it said; never the PIN.
        reason: String,
    },
    /// There is no token of this label, or more than one.
    #[error("the PKCS#11 module {module} has {found} tokens labelled {label:?}, expected one")]
    Token {
        /// The module.
        module: String,
        /// The label.
        label: String,
        /// How many there are.
        found: usize,
    },
    /// There is no key of this label or id, or more than one.
    #[error("the PKCS#11 token {token} has {found} {kind} keys {key}, expected one")]
    Key {
        /// The token.
        token: String,
        /// What was looked for.
        key: String,
        /// Private or public.
        kind: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The key is of a kind that does not sign here.
    #[error("the PKCS#11 key {0}: expected RSA, or a named elliptic curve, with its public key in the token")]
    Kind(String),
    /// Keys of this kind are not made in tokens.
    #[error("a key of the kind {0} cannot be made in a PKCS#11 token, expected ECDSA or RSA")]
    NotMade(KeyKind),
    /// The stored bytes say nothing of a key in a token.
    #[error("expected a key in a PKCS#11 token, version 1 (P11 01)")]
    Format,
}

/// A token, open for its user.
#[derive(Clone)]
pub struct Pkcs11(Arc<Pool>);

/// What a key is found by.
enum By<'a> {
    Label(&'a str),
    Id(&'a [u8]),
}

impl Pkcs11 {
    /// Opens the token with the user's PIN.
    pub fn open(location: &TokenLocation, pin: Pin) -> Result<Self, TokenError> {
        Ok(Self(Arc::new(Pool::open(location, pin)?)))
    }

    /// Returns the key with this `CKA_LABEL`.
    pub fn find(&self, label: &str) -> Result<TokenKey, TokenError> {
        self.key(&By::Label(label))
    }

    /// Returns the key with this `CKA_ID`.
    pub fn find_by_id(&self, id: &[u8]) -> Result<TokenKey, TokenError> {
        self.key(&By::Id(id))
    }

    /// Makes a new key in the token, which cannot leave it.
    pub fn make(&self, kind: KeyKind, label: &str, randomness: &mut dyn CryptoRng) -> Result<TokenKey, TokenError> {
        let mut id = [0; ID];
        randomness.fill_bytes(&mut id);
        let wanted = encoding::generation(kind).ok_or(TokenError::NotMade(kind))?;
        self.0.with(|session| generate(session, &wanted, label, &id))?;
        self.key(&By::Id(&id))
    }

    fn key(&self, by: &By<'_>) -> Result<TokenKey, TokenError> {
        let found = self.0.with(|session| {
            Ok((objects(session, ObjectClass::PRIVATE_KEY, by)?, objects(session, ObjectClass::PUBLIC_KEY, by)?))
        })?;
        let private = self.one("private", by, &found.0)?;
        let public = self.one("public", by, &found.1)?;
        let spki = self.0.with(|session| encoding::spki(session, public))?;
        let wrong = || TokenError::Kind(by.to_string());
        let public = PublicKey::from_spki(&spki.ok_or_else(wrong)?).map_err(|_| wrong())?;
        let id = self.0.with(|session| id_of(session, private))?.ok_or_else(wrong)?;
        Ok(TokenKey::new(Arc::clone(&self.0), private, id, public))
    }

    fn one(&self, kind: &'static str, by: &By<'_>, found: &[ObjectHandle]) -> Result<ObjectHandle, TokenError> {
        match found {
            [one] => Ok(*one),
            _ => {
                let (token, key) = (self.0.location().to_string(), by.to_string());
                Err(TokenError::Key { token, key, kind, found: found.len() })
            }
        }
    }
}

impl KeyStore for Pkcs11 {
    fn generate(&self, kind: KeyKind, label: &Label, randomness: &mut dyn CryptoRng) -> Result<StoredKey, Error> {
        let key = self.make(kind, &label.to_string(), randomness)?;
        let stored = [MAGIC, key.id()].concat();
        Ok(StoredKey { key: Box::new(key), stored })
    }

    fn open(&self, stored: &[u8], label: &Label) -> Result<Box<dyn SigningKey>, Error> {
        let id = stored.strip_prefix(MAGIC).ok_or(TokenError::Format)?;
        let key = self.key(&By::Id(id))?;
        let found = self.0.with(|session| label_of(session, key.handle()))?;
        if found != label.to_string().as_bytes() {
            let token = self.0.location().to_string();
            return Err(TokenError::Key { token, key: label.to_string(), kind: "private", found: 0 }.into());
        }
        Ok(Box::new(key))
    }

    fn is_quick(&self) -> bool {
        false
    }

    fn discard(&self, stored: &[u8], label: &Label) -> Result<(), Error> {
        let id = stored.strip_prefix(MAGIC).ok_or(TokenError::Format)?;
        Ok(self.0.with(|session| {
            for class in [ObjectClass::PRIVATE_KEY, ObjectClass::PUBLIC_KEY] {
                for object in objects(session, class, &By::Id(id))? {
                    if label_of(session, object)? == label.to_string().as_bytes() {
                        session.destroy_object(object)?;
                    }
                }
            }
            Ok(())
        })?)
    }
}

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label(label) => write!(f, "labelled {label:?}"),
            Self::Id(id) => {
                f.write_str("with id ")?;
                id.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

type Result11<T> = Result<T, cryptoki::error::Error>;

fn objects(session: &Session, class: ObjectClass, by: &By<'_>) -> Result11<Vec<ObjectHandle>> {
    let by = match by {
        By::Label(label) => Attribute::Label(label.as_bytes().to_vec()),
        By::Id(id) => Attribute::Id(id.to_vec()),
    };
    session.find_objects(&[Attribute::Class(class), Attribute::Token(true), by])
}

fn id_of(session: &Session, object: ObjectHandle) -> Result11<Option<Vec<u8>>> {
    let attributes = session.get_attributes(object, &[AttributeType::Id])?;
    Ok(attributes.into_iter().find_map(|attribute| match attribute {
        Attribute::Id(id) if id.len() <= MAX_ID => Some(id),
        _ => None,
    }))
}

fn label_of(session: &Session, object: ObjectHandle) -> Result11<Vec<u8>> {
    let attributes = session.get_attributes(object, &[AttributeType::Label])?;
    let label = attributes.into_iter().find_map(|attribute| match attribute {
        Attribute::Label(label) => Some(label),
        _ => None,
    });
    Ok(label.unwrap_or_default())
}

/// Makes a private key that signs, stays and never leaves (PKCS#11 3.0 §4.9).
fn generate(session: &Session, wanted: &Generation, label: &str, id: &[u8]) -> Result11<()> {
    let both = [Attribute::Token(true), Attribute::Label(label.as_bytes().to_vec()), Attribute::Id(id.to_vec())];
    let mut public = [both.as_slice(), &[Attribute::Verify(true), Attribute::Private(false)]].concat();
    let private = [
        both.as_slice(),
        &[Attribute::Sign(true), Attribute::Private(true), Attribute::Sensitive(true), Attribute::Extractable(false)],
    ]
    .concat();
    let mechanism = match wanted {
        Generation::Curve(curve) => {
            public.push(Attribute::EcParams(curve.to_vec()));
            Mechanism::EccKeyPairGen
        }
        Generation::Rsa(bits) => {
            public.push(Attribute::ModulusBits(Ulong::try_from(*bits)?));
            public.push(Attribute::PublicExponent(vec![1, 0, 1]));
            Mechanism::RsaPkcsKeyPairGen
        }
    };
    session.generate_key_pair(&mechanism, &public, &private).map(drop)
}
