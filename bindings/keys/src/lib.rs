//! Private keys at rest: sealed under a master key, or in a PKCS#11 token.
//!
//! Both implement [`lacre::signing::SigningKey`]. A [`KeyStore`] makes keys and opens them again from the bytes that it
//! returned for storage: the sealed key, or its location in the token.
#![forbid(unsafe_code)]

mod key_store;
mod master;
mod pkcs11;
mod sealed;

pub use key_store::{Error, KeyStore, Label, StoredKey};
pub use master::{MasterKey, MasterKeyError};
pub use pkcs11::{KeyLocation, LocationError, Pin, PinError, Pkcs11, TokenError, TokenKey, TokenLocation};
pub use sealed::{SealError, label, reseal, seal, unseal};
