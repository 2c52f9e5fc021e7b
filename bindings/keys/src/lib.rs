//! Private keys at rest: sealed under a master key, or in a PKCS#11 token.
//!
//! Both are behind [`lacre::crypto::SigningKey`]. A [`Keeper`] makes keys and opens them again from what it gave to
//! be stored: octets that hold the sealed key, or only say where in the token it is.
#![forbid(unsafe_code)]

mod keeper;
mod master;
mod pkcs11;
mod sealed;

pub use keeper::{Error, Keeper, Kept, Label};
pub use master::{MasterKey, MasterKeyError};
pub use pkcs11::{KeyLocation, LocationError, Pin, PinError, Pkcs11, TokenError, TokenKey, TokenLocation};
pub use sealed::{SealError, label, reseal, seal, unseal};
