//! CMS, the syntax: RFC 5652, and what PKCS#7 1.5 (RFC 2315) does otherwise.
//!
//! [`SignedData`] reads the syntax where it lies: nothing is copied, and nothing is
//! read before it is needed, so one broken CRL spoils only itself. `signer` says what a
//! signer's value is over and whether its digests match, `material` which certificates,
//! revocation data and references the structure holds. What the attributes mean for a
//! signature is the profile's (`cades`), what they mean for a time-stamp `tsp`'s.

pub(crate) mod attribute;
#[cfg(feature = "signing")]
pub(crate) mod edit;
mod error;
pub(crate) mod material;
pub(crate) mod oids;
pub(crate) mod references;
pub(crate) mod revocation;
mod signed_data;
pub(crate) mod signer;

use crate::asn1::Tlv;

pub use attribute::{Attribute, Attributes};
pub use error::Error;
pub(crate) use signed_data::digest_algorithm;
pub use signed_data::{SignedData, SignerInfo};

/// Returns what follows the first element (RFC 5652 §3: the file is one `ContentInfo`).
pub(crate) fn after_element(bytes: &[u8]) -> &[u8] {
    Tlv::split(bytes).map_or(&[][..], |(_, rest)| rest)
}

/// Returns whether bytes are padding: line ends, blanks, zeros.
pub(crate) fn is_padding(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace())
}
