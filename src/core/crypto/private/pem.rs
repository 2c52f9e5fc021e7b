//! Private keys as text: RFC 7468 §10 and §11, and what OpenSSL wrote before.

use super::error::PrivateKeyError;
use crate::asn1::{Tag, Tlv, Writer, oid};
use std::borrow::Cow;
use zeroize::Zeroizing;

/// Private key bytes, wiped where they are a copy.
pub(super) enum Bytes<'a> {
    Given(&'a [u8]),
    Decoded(Zeroizing<Vec<u8>>),
}

impl std::ops::Deref for Bytes<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Given(bytes) => bytes,
            Self::Decoded(bytes) => bytes,
        }
    }
}

/// Returns PKCS#8 in DER, encrypted or not: of the first block of PEM that is a private key, or what was given, where
/// it is no PEM.
pub(super) fn to_pkcs8(bytes: &[u8]) -> Result<Bytes<'_>, PrivateKeyError> {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.contains("-----BEGIN ")) else {
        return Ok(Bytes::Given(bytes));
    };
    let Some((label, block)) = block(text) else { return Err(unknown(bytes)) };
    if block.contains("Proc-Type:") {
        // RFC 1421 §4.6.1.1, as OpenSSL used it: one round of MD5.
        return Err(PrivateKeyError::Encryption { found: "OpenSSL's own scheme (Proc-Type: 4,ENCRYPTED)".into() });
    }
    let (_, decoded) = der::pem::decode_vec(block.as_bytes())
        .map_err(|error| PrivateKeyError::Format { found: format!("{label} in PEM that cannot be read ({error})") })?;
    let decoded = Zeroizing::new(decoded);
    let wrapped = match label {
        "PRIVATE KEY" | "ENCRYPTED PRIVATE KEY" => Some(decoded),
        "RSA PRIVATE KEY" => Some(rsa(&decoded)),
        "EC PRIVATE KEY" => ec(&decoded),
        _ => None,
    };
    wrapped.map(Bytes::Decoded).ok_or_else(|| PrivateKeyError::Format { found: label.to_owned() })
}

/// Says what bytes are that are no private key, without repeating them: they may be one all the same.
pub(super) fn unknown(bytes: &[u8]) -> PrivateKeyError {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| text.split_once("-----BEGIN ")?.1.split_once("-----"));
    let found = match (text, bytes) {
        (Some((label, _)), _) => Cow::Owned(format!("{:?} in PEM", label.chars().take(40).collect::<String>())),
        (None, []) => Cow::Borrowed("nothing (it is empty)"),
        (None, [0x30, ..]) => Cow::Borrowed("another structure"),
        (None, _) => Cow::Borrowed("other bytes"),
    };
    PrivateKeyError::Format { found: found.into_owned() }
}

/// Returns the label of the first block that is a private key, and the block from its first hyphen to its last.
fn block(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find("-----BEGIN ") {
        let start = from + found;
        let label = text.get(start + 11..)?.split_once("-----")?.0;
        if label.ends_with("PRIVATE KEY") {
            let end = format!("-----END {label}-----");
            let length = text.get(start..)?.find(&end)? + end.len();
            return Some((label, text.get(start..start + length)?));
        }
        from = start + 11;
    }
    None
}

/// Puts an `RSAPrivateKey` (RFC 8017 appendix A.1.2) in `PrivateKeyInfo`.
fn rsa(key: &[u8]) -> Zeroizing<Vec<u8>> {
    private_key_info(key, |w| {
        w.oid(oid!("1.2.840.113549.1.1.1")).null();
    })
}

/// Puts an `ECPrivateKey` (RFC 5915 §3), which names its curve, in `PrivateKeyInfo`.
fn ec(key: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut parts = Tlv::whole(key).and_then(|whole| whole.expecting(Tag::SEQUENCE)).ok()?.children();
    parts.expect(Tag::INTEGER).ok()?;
    parts.expect(Tag::OCTET_STRING).ok()?;
    let curve = parts.context(0).ok()??.inner().ok()?.expecting(Tag::OID).ok()?;
    Some(private_key_info(key, |w| {
        w.oid(oid!("1.2.840.10045.2.1")).raw(curve.raw);
    }))
}

fn private_key_info(key: &[u8], algorithm: impl FnOnce(&mut Writer)) -> Zeroizing<Vec<u8>> {
    let mut identifier = Writer::new();
    identifier.unsigned(&[0]).sequence(algorithm);
    let identifier = identifier.finish();
    // All at once and of its length, so that no part of the key is left where a longer one was made.
    let inner = crate::asn1::header(Tag::OCTET_STRING, key.len());
    let content = identifier.len() + inner.len() + key.len();
    let outer = crate::asn1::header(Tag::SEQUENCE, content);
    let mut info = Zeroizing::new(Vec::with_capacity(outer.len() + content));
    [&outer, &identifier, &inner, key].into_iter().for_each(|part: &[u8]| info.extend_from_slice(part));
    info
}
