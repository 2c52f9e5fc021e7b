//! The JSON forms of signing and extending, which the server and the npm package share.
//!
//! [`SigningRequest`] is what is to be signed, and how; [`prepare`] prepares it. [`Wanted`] is what an extension cannot go
//! on without. Both have the same members under the same names, and the same [codes](Refused::code) of errors.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod base64;
mod extension;
mod options;
mod parameters;
mod prepared;
mod refused;
mod request;
mod wanted;

pub use crate::base64::Base64;
pub use extension::{ExtensionRequest, ExtensionResult, SignatureError, SignatureResult};
pub use options::{Appearance, LockedFields, NewField, Options};
pub use parameters::{Parameters, Policy, PolicyDocument};
pub use prepared::PreparedSignature;
pub use refused::Refused;
pub use request::{Format, KeyId, Level, SigningRequest, prepare};
pub use wanted::{TriedAddress, VainSearch, Wanted, wanted};
