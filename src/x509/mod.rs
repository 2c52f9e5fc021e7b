//! X.509: certificates (RFC 5280), their names and extensions, CRLs, OCSP responses (RFC 6960).
//!
//! Tokens own their octets, are read once and are cheap to clone. What they state
//! is kept as stated, in the forms of the [record](crate::facts); whether it
//! is acceptable is judged elsewhere. Real tokens break the rules in many small
//! ways, so reading refuses only what leaves no meaning: an extension that cannot
//! be read is present without a value.

mod certificate;
mod crl;
mod error;
mod extensions;
mod general_name;
mod name;
mod ocsp;
mod qc_statements;

pub(crate) use certificate::minimal;
pub use certificate::{Certificate, Extension};
pub use crl::{Crl, CrlEntry, IssuingDistributionPoint};
pub use error::Error;
pub use general_name::{GeneralName, general_names};
pub use name::Name;
pub use ocsp::{OcspResponse, ResponderId, SingleResponse};

use crate::facts::Id;
use sha2::Digest as _;

/// A token's name in the record: a letter and the upper-case SHA-256 of what it is made of.
pub(crate) fn id(prefix: &str, sha256: &[u8; 32]) -> Id {
    Id::new(sha256.iter().fold(String::from(prefix), |text, octet| text + &format!("{octet:02X}")))
}

/// `EK-` and the SHA-256 of a public key and the name of whoever has it.
pub(crate) fn entity_key(spki: &[u8], subject: &Name) -> String {
    let sha256 = sha2::Sha256::new().chain_update(spki).chain_update(subject.der()).finalize();
    id("EK-", &sha256.into()).as_str().to_owned()
}
