//! RSA: RSASSA-PKCS1-v1_5 and RSASSA-PSS verification, RFC 8017 §8.

use super::bytes::{bit_length, strip_leading_zeros};
use super::digest::{Hasher, mask};
use super::error::VerifyError;
use super::montgomery::{power_of_any_size, power_once};
use super::number::{bytes, number};
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

    /// Returns the value to the power of the exponent, at the full length of the modulus (RSAVP1, RFC 8017 §5.2.2).
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
        self.exponent.iter().fold(0, |exponent, byte| exponent << 8 | u64::from(*byte))
    }

    /// Returns how many bits the exponent has.
    pub fn exponent_bits(&self) -> u32 {
        bit_length(&self.exponent)
    }

    fn power<const N: usize>(&self, exponent: u64, value: &[u8]) -> Vec<u8> {
        let number = |bytes| number::<N>(bytes).expect("the caller has chosen N by the length");
        bytes(&power_once(&number(value), exponent, &number(&self.modulus)))
    }
}

/// Checks the key: SP 800-89 §5.3.3, as far as that takes no longer than a verification. Whether the modulus is
/// composite is not checked.
pub(super) fn validate(key: &Key) -> Result<(), &'static str> {
    let is_odd = |bytes: &[u8]| bytes.last().is_some_and(|byte| byte & 1 == 1);
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
    let pieces = number.rchunks(8).rev().map(|piece| piece.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte)));
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

/// Verifies RSASSA-PKCS1-v1_5 (RFC 8017 §8.2.2): the encoded message is made anew and compared, never parsed.
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

/// Verifies as PKCS#1 v1.5 does, but over the digest alone.
pub(super) fn verify_bare(key: &Key, digest: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    let found = key.recover(value)?;
    if is_padded(&found, digest) { Ok(()) } else { Err(VerifyError::Invalid) }
}

/// Writes `DigestInfo ::= SEQUENCE { digestAlgorithm AlgorithmIdentifier, digest OCTET STRING }`.
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

/// Returns whether the message is 00 01 FF…FF 00 T, with eight or more FF (EMSA-PKCS1-v1_5, RFC 8017 §9.2).
fn is_padded(encoded: &[u8], payload: &[u8]) -> bool {
    let Some(filling) = encoded.len().checked_sub(payload.len() + 3).filter(|filling| *filling >= 8) else {
        return false;
    };
    let (head, tail) = encoded.split_at(filling + 3);
    tail == payload
        && head[..2] == [0, 1]
        && head[2..filling + 2].iter().all(|byte| *byte == 0xff)
        && head[filling + 2] == 0
}

/// Verifies RSASSA-PSS (RFC 8017 §8.1.2).
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
    if lead.iter().any(|byte| *byte != 0) {
        return Err(VerifyError::Invalid);
    }
    check_pss(encoded, bits, function, pss, digest).ok_or(VerifyError::Invalid)
}

/// Checks the encoded message by EMSA-PSS-VERIFY, with the step numbers of RFC 8017 §9.1.2.
fn check_pss(encoded: &[u8], bits: u32, function: DigestAlgorithm, pss: &PssParameters, digest: &[u8]) -> Option<()> {
    // 3) Room for the digest and two bytes. Whether there is room for the salt shows at step 10.
    let length = digest.len();
    let block = encoded.len().checked_sub(length + 1)?;
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
    let one = data.iter().position(|byte| *byte != 0)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    const SHA256: DigestAlgorithm = DigestAlgorithm::Sha256;
    const DIGEST: [u8; 32] = [0x5a; 32];

    /// Returns a key of so many bits whose exponent, 1, leaves a value as it is: what is padded can be written down.
    fn open_key(bits: usize) -> Key {
        let mut modulus = vec![0xff; bits.div_ceil(8)];
        modulus[0] >>= modulus.len() * 8 - bits;
        Key::new(&modulus, &[1]).unwrap()
    }

    #[test]
    fn sizes_and_factors_of_keys() {
        let is_prime = |number: &u64| (2..*number).all(|factor| !number.is_multiple_of(factor));
        for number in (3..=1_000u64).filter(is_prime) {
            // Beside a prime of more than 64 bits, 2^64 + 13.
            let product = (u128::from(number) << 64) + 13 * u128::from(number);
            assert_eq!(has_small_factor(&product.to_be_bytes()), number < 59, "{number}");
        }
        let key = |bits: usize, exponent: &[u8]| {
            let mut modulus = open_key(bits).modulus.to_vec();
            while has_small_factor(&modulus) {
                let last = modulus.len() - 1;
                modulus[last] -= 2;
            }
            validate(&Key::new(&modulus, exponent).expect("a key")).is_ok()
        };
        for (situation, bits, exponent, expected) in [
            ("the smallest", 512, &[3][..], true),
            ("smaller", 511, &[3], false),
            ("the largest", 8_192, &[1, 0, 1], true),
            ("larger", 8_193, &[1, 0, 1], false),
            ("the largest exponent", 2_048, &[1, 0xff, 0xff, 0xff, 0xff], true),
            ("a larger one", 2_048, &[2, 0, 0, 0, 1], false),
            ("an even one", 2_048, &[4], false),
            ("one", 2_048, &[1], false),
        ] {
            assert_eq!(key(bits, exponent), expected, "SP 800-89 §5.3.3: {situation}");
        }
    }

    #[test]
    fn values_are_below_the_modulus() {
        let key = open_key(1024);
        let modulus = key.modulus.to_vec();
        let below = [&modulus[..127], &[0xfe]].concat();
        assert_eq!(key.recover(&below).unwrap(), below);
        for outside in [modulus.clone(), modulus[1..].to_vec(), [&[0][..], &modulus].concat()] {
            assert!(matches!(key.recover(&outside), Err(VerifyError::Value { .. })), "{outside:x?}");
        }
    }

    #[test]
    fn pkcs1_padding_has_one_form() {
        let payload = digest_info(SHA256, true, &DIGEST);
        let padded = |filling: &[u8], between: &[u8]| [&[0, 1][..], filling, between, &payload].concat();
        for (situation, encoded, expected) in [
            ("eight bytes", padded(&[0xff; 8], &[0]), true),
            ("seven bytes", padded(&[0xff; 7], &[0]), false),
            ("another byte", padded(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], &[0]), false),
            ("not closed", padded(&[0xff; 8], &[1]), false),
            ("closed twice", padded(&[0xff; 8], &[0, 0]), false),
            ("block type 2", [&[0, 2][..], &[0xff; 8], &[0], &payload].concat(), false),
            ("not 0 at first", [&[1, 1][..], &[0xff; 8], &[0], &payload].concat(), false),
            ("something after it", [&padded(&[0xff; 8], &[0])[..], &[0]].concat(), false),
            ("nothing but the digest", payload.clone(), false),
        ] {
            assert_eq!(is_padded(&encoded, &payload), expected, "RFC 8017 §9.2: {situation}");
        }
        let key = open_key(1024);
        let value = |null| padded_to(128, &digest_info(SHA256, null, &DIGEST));
        for (null, forms, expected) in
            [(true, ANY_FORM, true), (false, ANY_FORM, true), (true, WITHOUT_NULL, false), (false, WITHOUT_NULL, true)]
        {
            let found = verify_pkcs1(&key, SHA256, &DIGEST, &value(null), forms);
            assert_eq!(found.is_ok(), expected, "NULL: {null}, {forms:?}: {found:?}");
        }
    }

    fn padded_to(length: usize, payload: &[u8]) -> Vec<u8> {
        [&[0, 1][..], &vec![0xff; length - payload.len() - 3], &[0], payload].concat()
    }

    /// Encodes by EMSA-PSS-ENCODE (RFC 8017 §9.1.1), with a salt of 20 bytes, by which the topmost bit of what is
    /// masked is set; `change` changes what is masked.
    fn encoded_pss(bits: usize, change: impl Fn(&mut [u8])) -> Vec<u8> {
        let (length, salt) = (bits.div_ceil(8), [2; 20]);
        let mut hasher = Hasher::new(SHA256).unwrap();
        [&[0; 8][..], &DIGEST, &salt].iter().for_each(|piece| hasher.update(piece));
        let hash = hasher.finish();
        let mut data = [&vec![0; length - 32 - 1 - 21][..], &[1], &salt].concat();
        change(&mut data);
        mask(PssParameters::of(SHA256).mask, &hash, &mut data).unwrap();
        data[0] &= 0xff >> (length * 8 - bits);
        [&data[..], &hash, &[0xbc]].concat()
    }

    #[test]
    fn pss_padding_has_one_form() {
        let pss = PssParameters { salt_length: Some(20), ..PssParameters::of(SHA256) };
        // Of 433 bits all are taken: the salt is as long as there is room.
        for bits in [433, 1024, 1025, 1030, 2048] {
            let (key, length) = (open_key(bits), bits.div_ceil(8));
            let check = |encoded: &[u8]| {
                let value = [&vec![0; length - encoded.len()][..], encoded].concat();
                verify_pss(&key, SHA256, &pss, &DIGEST, &value)
            };
            let good = encoded_pss(bits - 1, |_| {});
            assert_eq!(check(&good), Ok(()), "{bits}");
            for at in [0, 1, good.len() - 34, good.len() - 33, good.len() - 2, good.len() - 1] {
                let mut changed = good.clone();
                changed[at] ^= 1;
                assert_eq!(check(&changed), Err(VerifyError::Invalid), "{bits}: {at}");
            }
            // Bits that the encoded message has too few of bytes are 0, where the modulus leaves room for others.
            let mut value = [&vec![0; length - good.len()][..], &good].concat();
            value[0] |= 1 << ((bits - 1) % 8);
            assert_eq!(
                verify_pss(&key, SHA256, &pss, &DIGEST, &value),
                Err(VerifyError::Invalid),
                "{bits}: the top bit"
            );
            assert_eq!(
                check(&encoded_pss(bits - 1, |data| data[1] = 1)),
                Err(VerifyError::Invalid),
                "{bits}: a longer salt"
            );
            let another = encoded_pss(bits - 1, |data| data[data.len() - 21] = 2);
            assert_eq!(check(&another), Err(VerifyError::Invalid), "{bits}: 02 for 01");
            for salt in [19, 21] {
                let other = PssParameters { salt_length: Some(salt), ..pss };
                let value = [&vec![0; length - good.len()][..], &good].concat();
                assert_eq!(
                    verify_pss(&key, SHA256, &other, &DIGEST, &value),
                    Err(VerifyError::Invalid),
                    "{bits}: {salt}"
                );
            }
        }
    }
}
