//! Private keys at rest: sealed under a master key, in a PKCS#11 token, or in a PKCS#12 file.
//!
//! All of them are a [`lacre::signing::SigningKey`]. A [`KeyStore`] makes keys and opens them again from the bytes that
//! it returned for storage: the sealed key, or its location in the token. A [`Pkcs12`] is read only.
#![forbid(unsafe_code)]

mod key_store;
mod master;
mod pkcs11;
mod pkcs12;
mod sealed;

pub use key_store::{Error, KeyStore, Label, StoredKey};
pub use master::{MasterKey, MasterKeyError};
pub use pkcs11::{KeyLocation, LocationError, Pin, PinError, Pkcs11, TokenError, TokenKey, TokenLocation};
pub use pkcs12::{Identity, Pkcs12, Pkcs12Error};
pub use sealed::{SealError, label, reseal, seal, unseal};
