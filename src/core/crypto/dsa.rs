//! DSA: FIPS 186-4 §4.7.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, NonZero, Odd, Resize};
use crypto_primes::{Flavor, is_prime};

use super::bytes::{bit_length, strip_leading_zeros};
use super::ecdsa::Pair;
use super::error::VerifyError;
use crate::algorithm::ValueForm;

/// Bits of p and of q: FIPS 186-4 §4.2.
const SIZES: [(u32, u32); 4] = [(1_024, 160), (2_048, 224), (2_048, 256), (3_072, 256)];

/// Domain parameters and public key, big-endian and without leading zeros.
pub(super) struct Key {
    p: Box<[u8]>,
    q: Box<[u8]>,
    g: Box<[u8]>,
    y: Box<[u8]>,
}

impl Key {
    pub fn new(p: &[u8], q: &[u8], g: &[u8], y: &[u8]) -> Option<Self> {
        let parts = [p, q, g, y].map(strip_leading_zeros);
        let [p, q, g, y] = parts.map(Box::from);
        parts.iter().all(|part| !part.is_empty()).then_some(Self { p, q, g, y })
    }

    pub fn bits(&self) -> u32 {
        bit_length(&self.p)
    }
}

/// Checks the key: SP 800-89 §5.3.1, with the domain parameters checked as FIPS 186-4 §4.1 has them.
///
/// Any part that is missing lets anybody sign: with an order of few elements the values of all messages can be tried,
/// and in the residues of small primes logarithms are found. The tests of primality are those of A. Baillie et al.,
/// which no composite number is known to pass; they need no randomness.
pub(super) fn validate(key: &Key) -> Result<(), &'static str> {
    let sizes = (key.bits(), bit_length(&key.q));
    if !SIZES.contains(&sizes) {
        return Err("a DSA key of the sizes of FIPS 186-4 §4.2");
    }
    let domain = "a DSA key with primes p and q, q a divisor of p - 1 (FIPS 186-4 §4.1)";
    let number = |bytes: &[u8], bits| BoxedUint::from_be_slice(bytes, bits).map_err(|_| domain);
    let (p, q) = (number(&key.p, sizes.0)?, number(&key.q, sizes.1)?);
    let odd = |number: &BoxedUint| Odd::new(number.clone()).into_option().ok_or(domain);
    let (odd_p, odd_q) = (odd(&p)?, odd(&q)?);
    let one = BoxedUint::one_with_precision(sizes.0);
    let wide_q = NonZero::new(q.clone().resize(sizes.0)).into_option().ok_or(domain)?;
    if p.wrapping_sub(&one).rem_vartime(&wide_q) != BoxedUint::zero_with_precision(sizes.0) {
        return Err(domain);
    }
    let modulo_p = BoxedMontyParams::new_vartime(odd_p);
    for bytes in [&key.g, &key.y] {
        let element = "a DSA key with g and y of order q (FIPS 186-4 §4.1)";
        let element = BoxedUint::from_be_slice(bytes, sizes.0).ok().filter(|a| *a > one && *a < p).ok_or(element)?;
        let power = BoxedMontyForm::new(element, &modulo_p).pow_bounded_exp(odd_q.as_ref(), sizes.1);
        if power.retrieve() != one {
            return Err("a DSA key with g and y of order q (FIPS 186-4 §4.1)");
        }
    }
    // The dearest last.
    let primes = is_prime(Flavor::Any, &q) && is_prime(Flavor::Any, &p);
    if primes { Ok(()) } else { Err(domain) }
}

/// Checks that the value was made over the digest by the private half of the key, which is [valid](validate).
pub(super) fn verify(key: &Key, form: ValueForm, digest: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    let pair = Pair::read(value, form, key.q.len())?;
    let domain = VerifyError::Key { expected: "DSA numbers with 1 < g, y < p and q < p" };
    let outside = VerifyError::Value { expected: "two integers between 1 and q" };
    let q_bits = bit_length(&key.q);
    let bits = key.bits().next_multiple_of(64);
    let number = |bytes: &[u8]| BoxedUint::from_be_slice(bytes, bits).map_err(|_| domain.clone());
    let odd = |bytes: &[u8]| Odd::new(number(bytes)?).into_option().ok_or_else(|| domain.clone());
    let (p, q, g, y) = (odd(&key.p)?, odd(&key.q)?, number(&key.g)?, number(&key.y)?);
    let zero = BoxedUint::zero_with_precision(bits);
    let part = |bytes: &[u8]| {
        let part = BoxedUint::from_be_slice(bytes, bits).ok();
        part.filter(|part| *part > zero && part < q.as_ref()).ok_or_else(|| outside.clone())
    };
    let (r, s) = (part(pair.r)?, part(pair.s)?);
    // z is as many leading bits of the digest as q has: whole octets, by `SIZES`.
    let z = number(&digest[..digest.len().min(key.q.len())])?;

    let modulo_q = BoxedMontyParams::new_vartime(q.clone());
    let in_q = |number: BoxedUint| {
        let reduced = number.rem_vartime(&NonZero::new(q.as_ref().clone()).expect("q is odd"));
        BoxedMontyForm::new(reduced, &modulo_q)
    };
    let w = in_q(s).invert_vartime().into_option().ok_or(VerifyError::Invalid)?;
    let u1 = (&in_q(z) * &w).retrieve();
    let u2 = (&in_q(r.clone()) * &w).retrieve();

    let modulo_p = BoxedMontyParams::new_vartime(p);
    let power =
        |base: BoxedUint, exponent: &BoxedUint| BoxedMontyForm::new(base, &modulo_p).pow_bounded_exp(exponent, q_bits);
    let v = (&power(g, &u1) * &power(y, &u2)).retrieve().resize(bits);
    let v = v.rem_vartime(&NonZero::new(q.as_ref().clone()).expect("q is odd"));
    if v == r { Ok(()) } else { Err(VerifyError::Invalid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 186-4 §4.7, in numbers that a table holds: p = 2q + 1, and 4 is of order q.
    #[test]
    fn every_value_by_small_numbers() {
        const P: u64 = 503;
        const Q: u64 = 251;
        let power = |base: u64, exponent: u64| (0..exponent).fold(1, |product, _| product * base % P);
        let (g, y) = (4, power(4, 7));
        let bytes = |number: u64| number.to_be_bytes();
        let key = Key::new(&bytes(P), &bytes(Q), &bytes(g), &bytes(y)).expect("four numbers");
        let digest = [200, 77];
        for (r, s) in (0..=255).flat_map(|r| [0, 1, 2, 77, 250, 251, 252].map(|s| (r, s))) {
            let expected = if !(1..Q).contains(&r) || !(1..Q).contains(&s) {
                Err(VerifyError::Value { expected: "two integers between 1 and q" })
            } else {
                let w = (1..Q).find(|w| w * s % Q == 1).expect("q is prime");
                let v = power(g, 200 * w % Q) * power(y, r * w % Q) % P % Q;
                if v == r { Ok(()) } else { Err(VerifyError::Invalid) }
            };
            let value = [r as u8, s as u8];
            assert_eq!(verify(&key, ValueForm::Concatenated, &digest, &value), expected, "r {r}, s {s}");
        }
    }
}
