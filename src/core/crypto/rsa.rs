//! RSA: RSASSA-PKCS1-v1_5 and RSASSA-PSS verification, RFC 8017 §8.

use super::bytes::{bit_length, strip_leading_zeros};
use super::digest::{Hasher, mask};
use super::error::VerifyError;
use super::montgomery::{power_of_any_size, power_once};
use super::number::{number, octets};
use crate::algorithm::{DigestAlgorithm, PssParameters};
use crate::asn1::{Tag, Writer, encode_oid};

/// The largest modulus that is calculated with, in bits. The largest in the public corpora has 8,192.
const MAX_MODULUS: u32 = 8_192;
/// The smallest, in bits: below, the factors are found within minutes. Whether a size is enough is a policy's question.
const MIN_MODULUS: u32 = 512;
/// The largest public exponent that is calculated with, in bits. FIPS 186-5 §A.1.1 d) allows 256; nearly all keys have
/// 65537, and none in the public corpora has more.
const MAX_EXPONENT: u32 = 33;
/// The product of the odd primes below 59.
const SMALL_PRIMES: u64 = 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37 * 41 * 43 * 47 * 53;

/// Modulus and public exponent, big-endian and without leading zeros.
pub(super) struct Key {
    pub modulus: Box<[u8]>,
    pub exponent: Box<[u8]>,
}

impl Key {
    pub fn new(modulus: &[u8], exponent: &[u8]) -> Option<Self> {
        let (modulus, exponent) = (strip_leading_zeros(modulus), strip_leading_zeros(exponent));
        (!modulus.is_empty() && !exponent.is_empty())
            .then(|| Self { modulus: modulus.into(), exponent: exponent.into() })
    }

    pub fn bits(&self) -> u32 {
        bit_length(&self.modulus)
    }

    /// RSAVP1, RFC 8017 §5.2.2: value to the power of the exponent, at the full length of the modulus.
    fn recover(&self, value: &[u8]) -> Result<Vec<u8>, VerifyError> {
        if value.len() != self.modulus.len() {
            return Err(VerifyError::Value { expected: "as long as the modulus" });
        }
        if *value >= *self.modulus {
            return Err(VerifyError::Value { expected: "below the modulus" });
        }
        match self.modulus.len() {
            _ if !cfg!(feature = "fixed-size-rsa") => {
                Ok(power_of_any_size(value, self.small_exponent(), &self.modulus))
            }
            128 => Ok(self.power::<16>(self.small_exponent(), value)),
            256 => Ok(self.power::<32>(self.small_exponent(), value)),
            384 => Ok(self.power::<48>(self.small_exponent(), value)),
            512 => Ok(self.power::<64>(self.small_exponent(), value)),
            _ => Ok(power_of_any_size(value, self.small_exponent(), &self.modulus)),
        }
    }

    /// Returns the exponent, which [`validate`] has found to fit.
    fn small_exponent(&self) -> u64 {
        self.exponent.iter().fold(0, |exponent, octet| exponent << 8 | u64::from(*octet))
    }

    /// How many bits the exponent has.
    pub fn exponent_bits(&self) -> u32 {
        bit_length(&self.exponent)
    }

    fn power<const N: usize>(&self, exponent: u64, value: &[u8]) -> Vec<u8> {
        let number = |octets| number::<N>(octets).expect("the caller has chosen N by the length");
        octets(&power_once(&number(value), exponent, &number(&self.modulus)))
    }
}

/// Checks the key: SP 800-89 §5.3.3, as far as that takes no longer than a verification. Whether the modulus is
/// composite is not checked.
pub(super) fn validate(key: &Key) -> Result<(), &'static str> {
    let is_odd = |octets: &[u8]| octets.last().is_some_and(|octet| octet & 1 == 1);
    if key.bits() > MAX_MODULUS {
        return Err("an RSA modulus of at most 8192 bits");
    }
    if key.bits() < MIN_MODULUS || !is_odd(&key.modulus) || has_small_factor(&key.modulus) {
        return Err("an odd RSA modulus of at least 512 bits without small factors");
    }
    // With the exponent 1 anybody can sign.
    if key.exponent_bits() > MAX_EXPONENT || !is_odd(&key.exponent) || *key.exponent == [1] {
        return Err("an odd RSA exponent above 1 of at most 33 bits");
    }
    Ok(())
}

/// Returns whether an odd prime below 59 divides the number.
fn has_small_factor(number: &[u8]) -> bool {
    let pieces = number.rchunks(8).rev().map(|piece| piece.iter().fold(0, |limb, octet| limb << 8 | u64::from(*octet)));
    let rest = pieces
        .fold(0, |rest: u64, limb| ((u128::from(rest) << 64 | u128::from(limb)) % u128::from(SMALL_PRIMES)) as u64);
    // Euclid: they have a common factor.
    let (mut a, mut b) = (SMALL_PRIMES, rest);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a != 1
}

/// Whether a DigestInfo names its function with NULL as parameters, as it is written, or without, as it may also be read:
/// RFC 8017 appendix B.1.
type Forms = [bool];

/// Both forms.
pub(super) const ANY_FORM: &Forms = &[true, false];
/// The form that is only read.
pub(super) const WITHOUT_NULL: &Forms = &[false];

/// RSASSA-PKCS1-v1_5, RFC 8017 §8.2.2: the encoded message is made anew and compared, never parsed.
pub(super) fn verify_pkcs1(
    key: &Key,
    function: DigestAlgorithm,
    digest: &[u8],
    value: &[u8],
    forms: &Forms,
) -> Result<(), VerifyError> {
    let found = key.recover(value)?;
    let fits = forms.iter().any(|null| is_padded(&found, &digest_info(function, *null, digest)));
    if fits { Ok(()) } else { Err(VerifyError::Invalid) }
}

/// As PKCS#1 v1.5, but over the digest alone.
pub(super) fn verify_bare(key: &Key, digest: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    let found = key.recover(value)?;
    if is_padded(&found, digest) { Ok(()) } else { Err(VerifyError::Invalid) }
}

/// `DigestInfo ::= SEQUENCE { digestAlgorithm AlgorithmIdentifier, digest OCTET STRING }`
fn digest_info(function: DigestAlgorithm, null: bool, digest: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.sequence(|info| {
        info.sequence(|algorithm| {
            let (oid, length) = encode_oid(function.oid());
            algorithm.element(Tag::OID, &oid[..length]);
            if null {
                algorithm.null();
            }
        });
        info.octet_string(digest);
    });
    writer.finish()
}

/// EMSA-PKCS1-v1_5, RFC 8017 §9.2: 00 01 FF…FF 00 T, with eight or more FF.
fn is_padded(encoded: &[u8], payload: &[u8]) -> bool {
    let Some(filling) = encoded.len().checked_sub(payload.len() + 3).filter(|filling| *filling >= 8) else {
        return false;
    };
    let (head, tail) = encoded.split_at(filling + 3);
    tail == payload
        && head[..2] == [0, 1]
        && head[2..filling + 2].iter().all(|octet| *octet == 0xff)
        && head[filling + 2] == 0
}

/// RSASSA-PSS, RFC 8017 §8.1.2.
pub(super) fn verify_pss(
    key: &Key,
    function: DigestAlgorithm,
    pss: &PssParameters,
    digest: &[u8],
    value: &[u8],
) -> Result<(), VerifyError> {
    let recovered = key.recover(value)?;
    // The encoded message has one bit less than the modulus, so one byte less if that bit begins a byte.
    let bits = key.bits() - 1;
    let (lead, encoded) = recovered.split_at(recovered.len() - bits.div_ceil(8) as usize);
    if lead.iter().any(|octet| *octet != 0) {
        return Err(VerifyError::Invalid);
    }
    check_pss(encoded, bits, function, pss, digest).ok_or(VerifyError::Invalid)
}

/// EMSA-PSS-VERIFY, RFC 8017 §9.1.2, with the step numbers of that clause.
fn check_pss(encoded: &[u8], bits: u32, function: DigestAlgorithm, pss: &PssParameters, digest: &[u8]) -> Option<()> {
    // 3) Room for digest, salt and two bytes.
    let length = digest.len();
    let block = encoded.len().checked_sub(length + 1)?;
    if pss.salt_length.is_some_and(|salt| block < salt as usize + 1) {
        return None;
    }
    // 4) to 6) The last byte, and the bits that the encoded message has too few of bytes.
    let (masked, rest) = encoded.split_at(block);
    let (hash, trailer) = rest.split_at(length);
    let unused = encoded.len() as u32 * 8 - bits;
    let spare = !(0xffu8.checked_shr(unused).unwrap_or(0));
    if trailer != [0xbc] || masked.first()? & spare != 0 {
        return None;
    }
    // 7) to 9) Unmask.
    let mut data = masked.to_vec();
    mask(pss.mask, hash, &mut data)?;
    data[0] &= !spare;
    // 10) Zeros, 01, salt.
    let one = data.iter().position(|octet| *octet != 0)?;
    let salt = &data[one + 1..];
    if data[one] != 1 || pss.salt_length.is_some_and(|expected| salt.len() != expected as usize) {
        return None;
    }
    // 12) to 14) The digest over eight zeros, digest and salt is the one found.
    let mut hasher = Hasher::new(function)?;
    hasher.update(&[0; 8]);
    hasher.update(digest);
    hasher.update(salt);
    (hasher.finish() == hash).then_some(())
}
