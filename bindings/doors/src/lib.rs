//! What doors that speak JSON have in common: the server and the npm package.
//!
//! [`SigningRequest`] is what is to be signed, and how; [`prepare`] prepares it. [`Wanted`] is what an extension cannot go
//! on without. Both doors have the same members under the same names, and the same [codes](Refused::code) of errors.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod base64;
mod options;
mod parameters;
mod refused;
mod request;
mod wanted;

pub use crate::base64::Base64;
pub use options::{Appearance, LockedFields, NewField, Options};
pub use parameters::{Parameters, Policy, PolicyDocument};
pub use refused::Refused;
pub use request::{Format, KeyId, Level, SigningRequest, prepare};
pub use wanted::{TriedAddress, Wanted, wanted};
