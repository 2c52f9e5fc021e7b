//! The MAC over a whole file: RFC 7292 §4, §5.1, appendix B.

use super::error::Pkcs12Error;
use super::opening::{MOST_ROUNDS, Password};
use hmac::{Hmac, KeyInit, Mac};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::asn1::{Tag, Tlv};
use lacre_core::crypto::digest_from_algorithm_identifier;
use pkcs12::kdf::{Pkcs12KeyType, derive_key};
use zeroize::Zeroizing;

/// Checks `MacData` over the contents of the authenticated safe, and returns the form of the password that it was made
/// with.
///
/// ```asn1
/// MacData ::= SEQUENCE { mac DigestInfo, macSalt OCTET STRING, iterations INTEGER DEFAULT 1 }
/// DigestInfo ::= SEQUENCE { digestAlgorithm AlgorithmIdentifier, digest OCTET STRING }
/// ```
pub fn check<'p>(mac_data: &Tlv<'_>, content: &[u8], passwords: &'p [Password]) -> Result<&'p Password, Pkcs12Error> {
    let part = |_| Pkcs12Error::Format { part: "macData" };
    let mut parts = mac_data.children();
    let mut info = parts.expect(Tag::SEQUENCE).map_err(part)?.children();
    let identifier = info.expect(Tag::SEQUENCE).map_err(part)?;
    let stated = info.expect(Tag::OCTET_STRING).and_then(|digest| digest.bytes()).map_err(part)?;
    let salt = parts.expect(Tag::OCTET_STRING).and_then(|salt| salt.bytes()).map_err(part)?;
    let rounds = match parts.optional(Tag::INTEGER).map_err(part)? {
        Some(rounds) => rounds.to_u64().map_err(part)?,
        None => 1,
    };
    let function = digest_from_algorithm_identifier(identifier.raw).ok();
    let named = || match identifier.children().read().and_then(|oid| oid.oid()) {
        Ok(oid) => Pkcs12Error::Integrity { found: format!("{} with {rounds} rounds", oid.dotted()) },
        Err(error) => part(error),
    };
    let rounds = i32::try_from(rounds).ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds)).ok_or_else(named)?;
    let verifies = |password: &Password| -> Option<bool> {
        let bytes = password.utf16();
        macro_rules! by {
            ($digest:ty, $length:literal) => {{
                let key = Zeroizing::new(derive_key::<$digest>(bytes, &salt, Pkcs12KeyType::Mac, rounds, $length));
                let mac = <Hmac<$digest> as KeyInit>::new_from_slice(&key).ok()?;
                mac.chain_update(content).verify_slice(&stated).is_ok()
            }};
        }
        Some(match function? {
            DigestAlgorithm::Sha1 => by!(sha1::Sha1, 20),
            DigestAlgorithm::Sha224 => by!(sha2::Sha224, 28),
            DigestAlgorithm::Sha256 => by!(sha2::Sha256, 32),
            DigestAlgorithm::Sha384 => by!(sha2::Sha384, 48),
            DigestAlgorithm::Sha512 => by!(sha2::Sha512, 64),
            _ => return None,
        })
    };
    for password in passwords {
        if verifies(password).ok_or_else(named)? {
            return Ok(password);
        }
    }
    Err(Pkcs12Error::Password)
}
