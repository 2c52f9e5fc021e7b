//! The records.

use crate::token::Refusal;
use lacre::{
    Time,
    issuance::{RevocationReason, Subject},
    signing::{DigestAlgorithm, digest},
};
use std::fmt;
use std::str::FromStr;

/// Who a certificate and a token belong to: the name by which the operator knows them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct User(String);

/// A user's name that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a user's name of {0} bytes, expected 1 to 128 without control characters")]
pub struct NotAUser(usize);

impl User {
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for User {
    type Err = NotAUser;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let fits = (1..=128).contains(&name.len()) && !name.chars().any(char::is_control);
        if fits { Ok(Self(name.to_owned())) } else { Err(NotAUser(name.len())) }
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A user, and what a certificate says of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The user.
    pub user: User,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// Given names.
    pub given_name: String,
    /// Surname.
    pub surname: String,
    /// Tells persons of one name apart: EN 319 412-1 §5.1.3 (`PASPT-1`).
    pub serial_number: String,
}

impl Person {
    /// Returns a person of whom nothing but the user's name is known: that is both their names, and its SHA-256 the
    /// number that tells them apart.
    pub fn known_as(user: User, country: impl Into<String>) -> Self {
        let name: String = user.as_str().chars().take(64).collect();
        let digest = digest(DigestAlgorithm::Sha256, user.as_str().as_bytes()).expect("SHA-256 is always there");
        let serial_number = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Self { user, country: country.into(), given_name: name.clone(), surname: name, serial_number }
    }

    /// Returns the subject of their certificate.
    pub fn subject(&self) -> Subject {
        Subject::NaturalPerson {
            country: self.country.clone(),
            given_name: self.given_name.clone(),
            surname: self.surname.clone(),
            serial_number: self.serial_number.clone(),
        }
    }
}

/// A number between 1 and 2^63 - 1.
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// Makes an id of this number: 1 to 2^63 - 1.
            pub fn new(number: u64) -> Option<Self> {
                (1..=u64::MAX >> 1).contains(&number).then_some(Self(number))
            }

            /// Makes a random one.
            pub fn random(randomness: &mut dyn lacre::signing::CryptoRng) -> Self {
                let mut bytes = [0; 8];
                loop {
                    randomness.fill_bytes(&mut bytes);
                    if let Some(id) = Self::new(u64::from_be_bytes(bytes) >> 1) {
                        return id;
                    }
                }
            }

            /// Returns the number.
            pub fn number(self) -> u64 {
                self.0
            }

            /// Returns the number, as signed 64-bit columns hold it.
            pub fn signed(self) -> i64 {
                self.0.cast_signed()
            }

            /// Returns the id in a signed 64-bit column.
            pub fn from_signed(number: i64) -> Option<Self> {
                Self::new(u64::try_from(number).ok()?)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// The id of a key, and of the certificate that goes with it.
    KeyId
}

id! {
    /// The id of a token, which stands in it and is no secret.
    TokenId
}

/// An issued certificate, and the key that goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// Its key.
    pub key: KeyId,
    /// Whose it is.
    pub user: User,
    /// Under which of the operator's policies.
    pub policy: u32,
    /// The certificate, in DER.
    pub certificate: Vec<u8>,
    /// The contents of its serial number's INTEGER.
    pub serial: Vec<u8>,
    /// The key as the key store wrote it: sealed, or where in the token it is.
    pub stored_key: Vec<u8>,
    /// When it was issued.
    pub issued: Time,
    /// When it expires.
    pub expires: Time,
    /// Whether it was revoked.
    pub revoked: Option<Revocation>,
}

/// That a certificate was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revocation {
    /// Since when.
    pub since: Time,
    /// Why.
    pub reason: RevocationReason,
}

/// A token, but for its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// Its id.
    pub id: TokenId,
    /// SHA-256 of the whole token.
    pub sha256: [u8; 32],
    /// Whose it is.
    pub person: Person,
    /// When it was issued.
    pub issued: Time,
    /// When it expires, if ever.
    pub expires: Option<Time>,
    /// When it was revoked.
    pub revoked: Option<Time>,
}

impl TokenRecord {
    /// Returns whether it expired.
    pub fn is_expired(&self, now: Time) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// Returns why it is not accepted now, whoever has it.
    pub fn refusal(&self, now: Time) -> Option<Refusal> {
        if self.revoked.is_some() {
            return Some(Refusal::Revoked);
        }
        self.is_expired(now).then_some(Refusal::Expired)
    }
}
