//! X.509: certificates (RFC 5280), their names and extensions, CRLs, OCSP responses (RFC 6960).
//!
//! Tokens own their bytes, are read once and are cheap to clone. What they state
//! is kept as stated, in the forms of the [record](crate::facts); whether it
//! is acceptable is judged elsewhere. Real tokens break the rules in many small
//! ways, so reading refuses only what leaves no meaning: an extension that cannot
//! be read is present without a value.

mod certificate;
mod crl;
mod distribution;
mod error;
mod extensions;
mod general_name;
mod name;
mod name_text;
mod ocsp;
mod ocsp_request;
pub mod path;
mod qc_statements;

pub use certificate::Certificate;
pub(crate) use certificate::minimal;
pub use crl::{Crl, CrlEntry};
pub use distribution::{DistributionPoint, IssuingDistributionPoint, PointName, distribution_points};
pub use error::Error;
pub(crate) use extensions::EXTENDED_KEY_USAGE;
pub use extensions::Extension;
pub use general_name::{GeneralName, general_names};
pub use name::Name;
pub use ocsp::{OcspResponse, ResponderId, SingleResponse};
pub use ocsp_request::ocsp_request;

use crate::asn1::{Oid, Tag, Tlv, Writer, oid};
use crate::facts::Id;
use crate::hex;
use sha2::Digest as _;

/// Returns a token's name in the record: a letter and the upper-case SHA-256 of what it is made of.
pub(crate) fn id(prefix: &str, sha256: &[u8; 32]) -> Id {
    Id::new(hex::upper_after(prefix, sha256))
}

/// Returns the entity key: `EK-` and the SHA-256 of a public key and its subject's name.
pub(crate) fn entity_key(spki: &[u8], subject: &Name) -> String {
    let spki = positive_rsa(spki).unwrap_or_else(|| spki.to_vec());
    let sha256 = sha2::Sha256::new().chain_update(spki).chain_update(subject.der()).finalize();
    id("EK-", &sha256.into()).as_str().to_owned()
}

/// Checks that the numbers of an RSA key, where it is one, have no byte too many: X.690 §8.3.2.
///
/// NOTE: Estonian cards of 2014 hold such keys. Neither BER nor DER has them, and readers differ in what they make of
/// them; like EU DSS we see no certificate there.
fn minimal_rsa(spki: &[u8]) -> Result<(), crate::asn1::Error> {
    let minimal =
        |_: &Tlv<'_>, numbers: [Tlv<'_>; 2]| numbers.iter().try_for_each(|n| n.minimal_integer_bytes().map(drop));
    rsa(spki, minimal).unwrap_or(Ok(()))
}

/// Returns an RSA key whose numbers are written as negative, as some certificates have it, with the positive numbers
/// that it means: RFC 8017 §A.1.1.
fn positive_rsa(spki: &[u8]) -> Option<Vec<u8>> {
    rsa(spki, |algorithm, numbers| {
        let mut key = Writer::new();
        key.sequence(|w| {
            for number in numbers {
                w.unsigned(number.unsigned_bytes().unwrap_or_default());
            }
        });
        let mut writer = Writer::new();
        writer.sequence(|w| {
            w.raw(algorithm.raw).element(Tag::BIT_STRING, &[&[0][..], &key.finish()].concat());
        });
        writer.finish()
    })
}

/// Reads something of an RSA key's algorithm, modulus and exponent; `None` where the key is another.
fn rsa<R>(spki: &[u8], of: impl FnOnce(&Tlv<'_>, [Tlv<'_>; 2]) -> R) -> Option<R> {
    const RSA: Oid<'static> = oid!("1.2.840.113549.1.1.1");
    let mut parts = Tlv::whole(spki).ok()?.children();
    let algorithm = parts.expect(Tag::SEQUENCE).ok()?;
    if algorithm.children().read().ok()?.oid().ok()? != RSA {
        return None;
    }
    let key = parts.expect(Tag::BIT_STRING).ok()?.bit_string().ok()?;
    let mut numbers = Tlv::whole(&key.bytes).ok()?.children();
    let numbers = [numbers.expect(Tag::INTEGER).ok()?, numbers.expect(Tag::INTEGER).ok()?];
    Some(of(&algorithm, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a SubjectPublicKeyInfo around an RSA key, the numbers as given.
    fn spki(modulus: &[u8]) -> Vec<u8> {
        let mut key = Writer::new();
        key.sequence(|w| {
            w.element(Tag::INTEGER, modulus).element(Tag::INTEGER, &[3]);
        });
        let mut writer = Writer::new();
        writer.sequence(|w| {
            w.sequence(|w| {
                w.element(Tag::OID, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]);
            });
            w.element(Tag::BIT_STRING, &[&[0][..], &key.finish()].concat());
        });
        writer.finish()
    }

    #[test]
    fn numbers_of_rsa_keys() {
        let rows: [(&str, &str, &[u8], bool); 3] = [
            ("X.690 8.3.2", "as it should be", &[0, 0x91, 0x33], true),
            ("RFC 8017 A.1.1", "written as negative, which is read as positive", &[0x91, 0x33], true),
            ("X.690 8.3.2", "a zero byte that the sign does not need", &[0, 0x11, 0x33], false),
        ];
        for (clause, situation, modulus, minimal) in rows {
            assert_eq!(minimal_rsa(&spki(modulus)).is_ok(), minimal, "{clause}: {situation}");
        }
        assert_eq!(positive_rsa(&spki(&[0x91, 0x33])), Some(spki(&[0, 0x91, 0x33])), "one entity");
        assert!(minimal_rsa(&[0x30, 0]).is_ok() && positive_rsa(&[0x30, 0]).is_none(), "keys of other kinds");
    }
}
