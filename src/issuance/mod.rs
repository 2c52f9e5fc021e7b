//! Issuing: certificates, revocation lists, OCSP responses, time-stamps.
//!
//! An [`Issuer`] is a certificate and the key that goes with it. What it issues follows one row of the table of
//! [profiles](profile): EN 319 412-2 and -3 for persons, RFC 5280 for authorities, RFC 6960 for responders,
//! EN 319 422 for time-stamping units. Randomness, time and numbers are handed in.

mod crl;
mod error;
mod issuer;
mod ocsp;
mod profile;
mod request;
mod subject;
mod timestamp;

pub use crl::{RevocationList, RevocationReason, Revoked};
pub use error::Error;
pub use issuer::{Issuer, Validity};
pub use ocsp::{CertificateStatus, OcspResponder, OcspUpdate};
pub use profile::{Locations, Profile};
pub use request::CertificateRequest;
pub use subject::Subject;
pub use timestamp::{Rejection, TimestampRequest, TimestampUnit};
