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
mod name_text;
mod ocsp;
mod ocsp_request;
pub mod path;
mod qc_statements;

pub(crate) use certificate::minimal;
pub use certificate::{Certificate, Extension};
pub use crl::{Crl, CrlEntry, IssuingDistributionPoint};
pub use error::Error;
pub use general_name::{GeneralName, general_names};
pub use name::Name;
pub use ocsp::{OcspResponse, ResponderId, SingleResponse};
pub use ocsp_request::ocsp_request;

use crate::asn1::{Oid, Tag, Tlv, Writer, oid};
use crate::facts::Id;
use crate::hex;
use sha2::Digest as _;

/// A token's name in the record: a letter and the upper-case SHA-256 of what it is made of.
pub(crate) fn id(prefix: &str, sha256: &[u8; 32]) -> Id {
    Id::new(hex::upper_after(prefix, sha256))
}

/// `EK-` and the SHA-256 of a public key and the name of whoever has it.
pub(crate) fn entity_key(spki: &[u8], subject: &Name) -> String {
    let spki = positive_rsa(spki).unwrap_or_else(|| spki.to_vec());
    let sha256 = sha2::Sha256::new().chain_update(spki).chain_update(subject.der()).finalize();
    id("EK-", &sha256.into()).as_str().to_owned()
}

/// An RSA key whose numbers are written as negative, as some certificates have it, with the positive numbers that it
/// means: RFC 8017 §A.1.1.
fn positive_rsa(spki: &[u8]) -> Option<Vec<u8>> {
    const RSA: Oid<'static> = oid!("1.2.840.113549.1.1.1");
    let mut parts = Tlv::whole(spki).ok()?.children();
    let algorithm = parts.expect(Tag::SEQUENCE).ok()?;
    if algorithm.children().read().ok()?.oid().ok()? != RSA {
        return None;
    }
    let key = parts.expect(Tag::BIT_STRING).ok()?.bit_string().ok()?;
    let mut numbers = Tlv::whole(&key.octets).ok()?.children();
    let modulus = numbers.expect(Tag::INTEGER).ok()?;
    let exponent = numbers.expect(Tag::INTEGER).ok()?;
    let mut key = Writer::new();
    key.sequence(|w| {
        w.unsigned(modulus.unsigned_bytes().unwrap_or_default())
            .unsigned(exponent.unsigned_bytes().unwrap_or_default());
    });
    let mut writer = Writer::new();
    writer.sequence(|w| {
        w.raw(algorithm.raw).element(Tag::BIT_STRING, &[&[0][..], &key.finish()].concat());
    });
    Some(writer.finish())
}
