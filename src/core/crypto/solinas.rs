//! Arithmetic modulo 2^384 − 2^128 − 2^96 + 2^32 − 1, the prime of secp384r1.
//!
//! Montgomery's form knows nothing of this prime, modulo which 2^384 is 2^128 + 2^96 − 2^32 + 1
//! (J. Solinas, Generalized Mersenne Numbers, 1999): what goes past the sixth limb comes in again
//! from below by additions alone. Numbers here are as they are, below the prime.

use super::field::Field;
use super::number::{self, Number, add, multiply_add, reduce_once, subtract};

const LIMBS: usize = 6;
const PRIME: Number<LIMBS> = [0xffff_ffff, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_fffe, u64::MAX, u64::MAX, u64::MAX];

/// Room for a number of six limbs times the 129 bits of 2^128 + 2^96 − 2^32 + 1.
type Wide = Number<9>;

/// The field of secp384r1.
#[derive(Debug)]
pub(super) struct Solinas384;

impl Field<LIMBS> for Solinas384 {
    fn new(prime: &[u8]) -> Option<Self> {
        (number::number(prime)? == PRIME).then_some(Self)
    }

    fn prime(&self) -> &Number<LIMBS> {
        &PRIME
    }

    fn one(&self) -> Number<LIMBS> {
        [1, 0, 0, 0, 0, 0]
    }

    fn enter(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        reduce_once(a, false, &PRIME)
    }

    fn leave(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        *a
    }

    #[inline(always)]
    fn add(&self, a: &Number<LIMBS>, b: &Number<LIMBS>) -> Number<LIMBS> {
        let (sum, carry) = add(a, b);
        reduce_once(&sum, carry, &PRIME)
    }

    #[inline(always)]
    fn subtract(&self, a: &Number<LIMBS>, b: &Number<LIMBS>) -> Number<LIMBS> {
        let (difference, borrow) = subtract(a, b);
        if borrow { add(&difference, &PRIME).0 } else { difference }
    }

    #[inline]
    fn multiply(&self, a: &Number<LIMBS>, b: &Number<LIMBS>) -> Number<LIMBS> {
        let (mut low, mut high) = ([0; LIMBS], [0; LIMBS]);
        for (low, limb) in low.iter_mut().zip(b) {
            let mut carry;
            (*low, carry) = multiply_add(high[0], a[0], *limb, 0);
            for index in 1..LIMBS {
                (high[index - 1], carry) = multiply_add(high[index], a[index], *limb, carry);
            }
            high[LIMBS - 1] = carry;
        }
        reduced(&low, &high)
    }

    #[inline]
    fn squared(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        // Each product of two different limbs once, then all of them twice with the squares of the limbs.
        let mut product = [0; 2 * LIMBS];
        for (first, limb) in a.iter().enumerate() {
            let mut carry = 0;
            for second in first + 1..LIMBS {
                (product[first + second], carry) = multiply_add(product[first + second], a[second], *limb, carry);
            }
            product[first + LIMBS] = carry;
        }
        let (mut carry, mut shifted_out) = (0, 0);
        for (limb, pair) in a.iter().zip(product.as_chunks_mut::<2>().0) {
            let [low, high] = *pair;
            let square = u128::from(*limb) * u128::from(*limb) + u128::from(carry);
            let twice = u128::from(high << 1 | low >> 63) << 64 | u128::from(low << 1 | shifted_out);
            let (sum, over) = square.overflowing_add(twice);
            *pair = [sum as u64, (sum >> 64) as u64];
            (carry, shifted_out) = (u64::from(over), high >> 63);
        }
        let (low, high) = product.split_at(LIMBS);
        reduced(low.try_into().expect("half"), high.try_into().expect("half"))
    }

    #[inline(always)]
    fn halved(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        number::halved(a, &PRIME)
    }

    fn is_zero(&self, a: &Number<LIMBS>) -> bool {
        number::is_zero(a)
    }
}

/// low + 2^384·high modulo the prime.
#[inline(always)]
fn reduced(low: &Number<LIMBS>, high: &Number<LIMBS>) -> Number<LIMBS> {
    let [a, b, c, d, e, f, rest @ ..] = folded(low, high);
    let [a, b, c, d, e, f, rest @ ..] = folded(&[a, b, c, d, e, f], &rest);
    let mut number = [a, b, c, d, e, f];
    // Hardly ever: what carried out at the top once more is 2^384, of which this leaves the rest.
    if rest[0] != 0 {
        number = subtract(&number, &PRIME).0;
    }
    if f == u64::MAX { reduce_once(&number, false, &PRIME) } else { number }
}

/// low + high·(2^128 + 2^96 − 2^32 + 1).
#[inline(always)]
fn folded<const N: usize>(low: &Number<LIMBS>, high: &Number<N>) -> Wide {
    let mut shifted = [0; LIMBS + 1];
    for (index, limb) in high.iter().enumerate() {
        shifted[index] |= limb << 32;
        shifted[index + 1] = limb >> 32;
    }
    let sum = add(&wide(low, 0), &wide(high, 0)).0;
    let sum = add(&sum, &wide(high, 2)).0;
    let sum = add(&sum, &wide(&shifted, 1)).0;
    subtract(&sum, &wide(&shifted, 0)).0
}

/// Returns the number times 2^(64·limbs).
#[inline(always)]
fn wide<const N: usize>(number: &Number<N>, limbs: usize) -> Wide {
    let mut wide = [0; 9];
    for (wide, limb) in wide[limbs..].iter_mut().zip(number) {
        *wide = *limb;
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::super::{montgomery::Modulus, number::tests::numbers};
    use super::*;

    #[test]
    fn calculates_as_montgomery_does() {
        let prime = number::octets(&PRIME);
        let own = Solinas384::new(&prime).unwrap();
        let other: Modulus<6> = Field::new(&prime).unwrap();
        let near = |difference: u64| subtract(&PRIME, &[difference, 0, 0, 0, 0, 0]).0;
        let power = |bit: usize| std::array::from_fn(|limb| u64::from(limb == bit / 64) << (bit % 64));
        let mut values = vec![[0; 6], near(0), near(1), near(2), [u64::MAX; 6]];
        values.extend((0..384).step_by(16).map(power));
        values.extend((0..384).step_by(32).map(|bit| subtract(&PRIME, &power(bit)).0));
        values.extend(numbers::<6>(384).take(60));
        for a in &values {
            for b in &values {
                let ([a, b], [c, d]) = ([a, b].map(|n| own.enter(n)), [a, b].map(|n| other.enter(n)));
                let rows = [
                    ("+", own.add(&a, &b), other.add(&c, &d)),
                    ("−", own.subtract(&a, &b), other.subtract(&c, &d)),
                    ("·", own.multiply(&a, &b), other.multiply(&c, &d)),
                    ("½", own.halved(&a), other.halved(&c)),
                    ("²", own.squared(&own.add(&a, &b)), other.squared(&other.add(&c, &d))),
                ];
                for (operation, found, expected) in rows {
                    assert_eq!(own.leave(&found), other.leave(&expected), "{a:x?} {operation} {b:x?}");
                    assert_eq!(own.is_zero(&found), other.is_zero(&expected), "{a:x?} {operation} {b:x?}");
                }
            }
        }
    }

    #[test]
    fn products_of_any_size_are_reduced() {
        let slow: Modulus<6> = Modulus::new(&number::octets(&PRIME)).unwrap();
        let check = |low: &Number<6>, high: &Number<6>| {
            let expected = slow.reduced(&[number::octets(high), number::octets(low)].concat());
            assert_eq!(reduced(low, high), expected, "{low:x?} {high:x?}");
        };
        check(&[u64::MAX; 6], &[u64::MAX; 6]);
        let numbers: Vec<_> = numbers::<6>(6).take(300).collect();
        for high in &numbers {
            check(&numbers[0], high);
            // The first fold leaves ones, so that the second one carries, or the number is the prime, or next to it.
            let [a, b, c, d, e, f, ..] = folded(&[0; 6], high);
            let low = [a, b, c, d, e, f].map(|limb| !limb);
            check(&low, high);
            let [x, y, z, ..] = folded(&low, high)[LIMBS..] else { unreachable!() };
            let [g, h, i, j, k, l, ..] = folded(&[0; 6], &[x, y, z]);
            for target in [PRIME, [0; 6], [1, 0, 0, 0, 0, 0], [u64::MAX; 6], subtract(&PRIME, &[1, 0, 0, 0, 0, 0]).0] {
                let missing = subtract(&subtract(&target, &[a, b, c, d, e, f]).0, &[g, h, i, j, k, l]).0;
                check(&missing, high);
            }
        }
    }

    #[test]
    fn is_for_its_prime_only() {
        assert!(Solinas384::new(&[0xff; 48]).is_none());
        assert!(Solinas384::new(&[3]).is_none());
    }
}
