//! The signature value, as it comes from wherever the key is: taken in either form, verified, written in that of CMS.

use super::{SigningError, SigningErrorCode};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::{Tag, Tlv, Writer};
use crate::crypto::{self, PublicKey, Signed};

/// Returns the value in the form of CMS (RFC 5753 §2.1.1), once it verifies over `to_be_signed`.
///
/// Of ECDSA both forms are taken: PKCS#11 has the two numbers one after the other, others have a SEQUENCE.
///
/// # Errors
///
/// `value-form` where it is no value of the algorithm, `value-does-not-verify` where it is another's, or over something else.
pub(super) fn verified(
    key: &PublicKey,
    algorithm: &SignatureAlgorithm,
    to_be_signed: &[u8],
    value: &[u8],
) -> Result<Vec<u8>, SigningError> {
    let value = in_form(key, algorithm, value)?;
    match crypto::verify(key, algorithm, Signed::Message(to_be_signed), &value) {
        Ok(()) => Ok(value),
        Err(error) => {
            let found = format!("found a value that does not verify ({error}), expected one of the signer's key");
            let hint = mistake(key, algorithm, to_be_signed, &value);
            Err(SigningError::new(SigningErrorCode::ValueDoesNotVerify, found).with_hint(hint))
        }
    }
}

/// Writes the value as CMS has it: RFC 5753 §2.1.1, BSI TR-03111 §5.2.1.
fn in_form(key: &PublicKey, algorithm: &SignatureAlgorithm, value: &[u8]) -> Result<Vec<u8>, SigningError> {
    // Of a key in whole bytes: the length of the modulus, of a coordinate.
    let length = key.bits().map_or(0, |bits| bits.div_ceil(8) as usize);
    let (written, expected) = match algorithm.key {
        KeyAlgorithm::Ecdsa => {
            let numbers = sequence(value).or_else(|| (value.len() == 2 * length).then(|| value.split_at(length)));
            let written = numbers.map(|(r, s)| {
                let mut w = Writer::new();
                w.sequence(|w| {
                    w.unsigned(r).unsigned(s);
                });
                w.finish()
            });
            (written, format!("a SEQUENCE of two INTEGERs or {}", 2 * length))
        }
        KeyAlgorithm::PlainEcdsa => {
            let numbers = sequence(value).and_then(|(r, s)| Some([padded(r, length)?, padded(s, length)?].concat()));
            let same = || (value.len() == 2 * length).then(|| value.to_vec());
            (numbers.or_else(same), (2 * length).to_string())
        }
        KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss => {
            ((value.len() == length).then(|| value.to_vec()), length.to_string())
        }
        _ => (Some(value.to_vec()), String::new()),
    };
    written.ok_or_else(|| {
        let found = format!("found a value of {} bytes, expected {expected} bytes ({algorithm})", value.len());
        SigningError::new(SigningErrorCode::ValueForm, found)
            .with_hint("hand over what the key made, without Base64, and without what a service wraps around it")
    })
}

/// Returns the two numbers of `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 §2.2.3).
fn sequence(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut parts = Tlv::whole(value).ok()?.expecting(Tag::SEQUENCE).ok()?.children();
    let numbers = (parts.expect(Tag::INTEGER).ok()?, parts.expect(Tag::INTEGER).ok()?);
    parts.finish().ok()?;
    let unsigned = |number: Tlv<'_>| !number.content.is_empty() && number.content[0] & 0x80 == 0;
    (unsigned(numbers.0) && unsigned(numbers.1)).then_some((numbers.0.content, numbers.1.content))
}

/// Returns a number at full length.
fn padded(number: &[u8], length: usize) -> Option<Vec<u8>> {
    let start = number.iter().position(|byte| *byte != 0).unwrap_or(number.len());
    let number = &number[start..];
    let zeros = length.checked_sub(number.len())?;
    Some([&vec![0; zeros], number].concat())
}

/// Says what was probably done wrong, where a usual mistake explains the value.
fn mistake(key: &PublicKey, algorithm: &SignatureAlgorithm, to_be_signed: &[u8], value: &[u8]) -> String {
    let general = "sign the bytes or the digest that the prepared signature states, with the key of the certificate";
    let Some(digest) = algorithm.digest.and_then(|function| crypto::digest(function, to_be_signed)) else {
        return general.into();
    };
    if crypto::verify(key, algorithm, Signed::Message(&digest), value).is_ok() {
        return "the value is over the digest of the digest: the service digests what it gets, so give it the bytes"
            .into();
    }
    if algorithm.key == KeyAlgorithm::Rsa && crypto::verify_bare(key, &digest, value).is_ok() {
        return "the value is over a bare digest: the key wants a DigestInfo around it (RFC 8017 §9.2)".into();
    }
    use DigestAlgorithm::{Sha1, Sha256, Sha384, Sha512};
    let other = [Sha256, Sha384, Sha512, Sha1].into_iter().find(|function| {
        let other = SignatureAlgorithm::new(algorithm.key, Some(*function));
        crypto::verify(key, &other, Signed::Message(to_be_signed), value).is_ok()
    });
    match other {
        Some(function) => format!("the value is one with {function}: ask for {algorithm}"),
        None => general.into(),
    }
}
