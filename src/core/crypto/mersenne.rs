//! Arithmetic modulo 2^521 − 1, the prime of secp521r1.
//!
//! Montgomery's form knows nothing of this prime, modulo which 2^521 is 1. Numbers here
//! are nine limbs of 58 bits, the lowest first; the room above lets products be added up without
//! carries, and what goes past the ninth limb comes in again from below, doubled, since
//! 2^(9·58) = 2·2^521. A limb may exceed its 58 bits by a little: every function takes and
//! leaves limbs below 2^58 + 2^16.

use super::field::Field;
use super::number::{self, Number, bits};

// Loops in here are plain ones: closures over arrays are not always inlined, and one call costs as much as an addition.

const LIMBS: usize = 9;
const BITS: usize = 58;
const MASK: u64 = (1 << BITS) - 1;
/// The bits of the prime in its ninth limb: 521 − 8·58.
const TOP_BITS: usize = 57;
/// Four times the prime, each limb above what a limb may be.
const QUADRUPLE: Number<LIMBS> = {
    let mut limbs = [2 * MASK; LIMBS];
    limbs[0] = 2 * (MASK - 1);
    limbs
};

/// The field of 2^521 − 1.
#[derive(Debug)]
pub(super) struct Mersenne521 {
    prime: Number<LIMBS>,
}

impl Field<LIMBS> for Mersenne521 {
    fn new(prime: &[u8]) -> Option<Self> {
        let prime: Number<LIMBS> = number::number(prime)?;
        let own = prime[..8].iter().all(|limb| *limb == u64::MAX) && prime[8] == 0x1ff;
        own.then_some(Self { prime })
    }

    fn prime(&self) -> &Number<LIMBS> {
        &self.prime
    }

    fn one(&self) -> Number<LIMBS> {
        [1, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    fn enter(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        let mut limbs = std::array::from_fn(|index| bits(a, BITS * index, BITS));
        // The 54 bits past the ninth limb.
        limbs[0] += bits(a, BITS * LIMBS, BITS) << 1;
        settled(limbs)
    }

    fn leave(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        let limbs = canonical(a);
        let mut number = [0; LIMBS];
        for (index, limb) in limbs.iter().enumerate() {
            let (place, shift) = (BITS * index / 64, BITS * index % 64);
            number[place] |= limb << shift;
            if shift > 64 - BITS {
                number[place + 1] |= limb >> (64 - shift);
            }
        }
        number
    }

    #[inline(always)]
    fn add(&self, a: &Number<LIMBS>, b: &Number<LIMBS>) -> Number<LIMBS> {
        let mut sum = *a;
        for (sum, b) in sum.iter_mut().zip(b) {
            *sum += b;
        }
        settled(sum)
    }

    #[inline(always)]
    fn subtract(&self, a: &Number<LIMBS>, b: &Number<LIMBS>) -> Number<LIMBS> {
        let mut difference = QUADRUPLE;
        for ((difference, a), b) in difference.iter_mut().zip(a).zip(b) {
            *difference = *difference + a - b;
        }
        settled(difference)
    }

    #[inline]
    fn multiply(&self, a: &Number<LIMBS>, b: &Number<LIMBS>) -> Number<LIMBS> {
        // What column k gets from a's limb i is b's limb k − i, or its limb k − i + 9 doubled.
        let mut wrapped = [0; 2 * LIMBS];
        for (index, limb) in b.iter().enumerate() {
            (wrapped[index], wrapped[index + LIMBS]) = (limb << 1, *limb);
        }
        let mut columns = [0; LIMBS];
        for (k, column) in columns.iter_mut().enumerate() {
            for (a, b) in a.iter().zip(wrapped[k + 1..=k + LIMBS].iter().rev()) {
                *column += u128::from(*a) * u128::from(*b);
            }
        }
        carried(columns)
    }

    #[inline]
    #[rustfmt::skip]
    fn squared(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        let p = |i: usize, j: usize| u128::from(a[i]) * u128::from(a[j]);
        carried([
            p(0, 0) + 4 * (p(1, 8) + p(2, 7) + p(3, 6) + p(4, 5)),
            2 * (p(0, 1) + p(5, 5)) + 4 * (p(2, 8) + p(3, 7) + p(4, 6)),
            p(1, 1) + 2 * p(0, 2) + 4 * (p(3, 8) + p(4, 7) + p(5, 6)),
            2 * (p(0, 3) + p(1, 2) + p(6, 6)) + 4 * (p(4, 8) + p(5, 7)),
            p(2, 2) + 2 * (p(0, 4) + p(1, 3)) + 4 * (p(5, 8) + p(6, 7)),
            2 * (p(0, 5) + p(1, 4) + p(2, 3) + p(7, 7)) + 4 * p(6, 8),
            p(3, 3) + 2 * (p(0, 6) + p(1, 5) + p(2, 4)) + 4 * p(7, 8),
            2 * (p(0, 7) + p(1, 6) + p(2, 5) + p(3, 4) + p(8, 8)),
            p(4, 4) + 2 * (p(0, 8) + p(1, 7) + p(2, 6) + p(3, 5)),
        ])
    }

    #[inline(always)]
    fn halved(&self, a: &Number<LIMBS>) -> Number<LIMBS> {
        // What the lowest bit leaves behind is 1/2 = 2^520.
        let mut above = (a[0] & 1) << (TOP_BITS - 1);
        let mut half = *a;
        for limb in half.iter_mut().rev() {
            let odd = *limb & 1;
            *limb = (*limb >> 1) + above;
            above = odd << (BITS - 1);
        }
        half
    }

    fn is_zero(&self, a: &Number<LIMBS>) -> bool {
        canonical(a) == [0; LIMBS]
    }
}

/// What each limb has too much goes to the next one, all at once.
#[inline(always)]
fn settled(a: Number<LIMBS>) -> Number<LIMBS> {
    let mut limbs = a;
    let mut carry = a[LIMBS - 1] >> BITS << 1;
    for (limb, a) in limbs.iter_mut().zip(a) {
        *limb = (a & MASK) + carry;
        carry = a >> BITS;
    }
    limbs
}

/// Columns of products, below 2^125, as limbs.
#[inline(always)]
fn carried(columns: [u128; LIMBS]) -> Number<LIMBS> {
    let mut limbs = [0; LIMBS];
    let mut carry = 0;
    for (limb, column) in limbs.iter_mut().zip(columns) {
        let sum = column + carry;
        (*limb, carry) = (sum as u64 & MASK, sum >> BITS);
    }
    let first = u128::from(limbs[0]) + (carry << 1);
    limbs[0] = first as u64 & MASK;
    limbs[1] += (first >> BITS) as u64;
    limbs
}

/// Returns the only form below the prime with limbs of 58 bits.
fn canonical(a: &Number<LIMBS>) -> Number<LIMBS> {
    const TOP_MASK: u64 = (1 << TOP_BITS) - 1;
    let mut limbs = *a;
    // The second round takes in what the first one carries to the top, the third what that carries in a row of ones.
    for _ in 0..3 {
        let mut carry = limbs[LIMBS - 1] >> TOP_BITS;
        limbs[LIMBS - 1] &= TOP_MASK;
        for limb in &mut limbs {
            *limb += carry;
            carry = *limb >> BITS;
            *limb &= MASK;
        }
    }
    let is_prime = limbs[..LIMBS - 1].iter().all(|limb| *limb == MASK) && limbs[LIMBS - 1] == TOP_MASK;
    if is_prime { [0; LIMBS] } else { limbs }
}

#[cfg(test)]
mod tests {
    use super::super::{montgomery::Modulus, number::tests::numbers};
    use super::*;

    #[test]
    fn calculates_as_montgomery_does() {
        let prime = [&[1, 0xff][..], &[0xff; 64]].concat();
        let own = Mersenne521::new(&prime).unwrap();
        let other: Modulus<9> = Field::new(&prime).unwrap();
        let near = |difference: u64| {
            let mut number = own.prime;
            number[0] -= difference;
            number
        };
        let mut values: Vec<Number<9>> = vec![[0; 9], near(0), near(1), near(2), [u64::MAX; 9]];
        values.extend(numbers::<9>(521).take(40));
        for a in &values {
            for b in &values {
                let ([a, b], [c, d]) = ([a, b].map(|n| own.enter(n)), [a, b].map(|n| other.enter(n)));
                let rows = [
                    ("+", own.add(&a, &b), other.add(&c, &d)),
                    ("−", own.subtract(&a, &b), other.subtract(&c, &d)),
                    ("·", own.multiply(&a, &b), other.multiply(&c, &d)),
                    ("½", own.halved(&a), other.halved(&c)),
                    ("²", own.squared(&own.add(&a, &b)), other.squared(&other.add(&c, &d))),
                    ("2(a − b)·b", own.multiply(&own.subtract(&own.add(&a, &a), &own.add(&b, &b)), &b), {
                        other.multiply(&other.subtract(&other.add(&c, &c), &other.add(&d, &d)), &d)
                    }),
                ];
                for (operation, found, expected) in rows {
                    assert_eq!(own.leave(&found), other.leave(&expected), "{a:x?} {operation} {b:x?}");
                    assert_eq!(own.is_zero(&found), other.is_zero(&expected), "{a:x?} {operation} {b:x?}");
                }
            }
        }
        for a in &values {
            let (own_inverse, other_inverse) = (own.inverse(&own.enter(a)), other.inverse(&other.enter(a)));
            assert_eq!(own.leave(&own_inverse), other.leave(&other_inverse), "1/{a:x?}");
        }
    }

    #[test]
    fn is_for_its_prime_only() {
        assert!(Mersenne521::new(&[0xff; 66]).is_none());
        assert!(Mersenne521::new(&[3]).is_none());
    }
}
