//! Numbers of a fixed count of limbs, and arithmetic modulo an odd number that needs no form of its own.
//!
//! Time depends on the input: public data only.

use super::bytes::strip_leading_zeros;

/// A number of N limbs, the lowest first.
pub(super) type Number<const N: usize> = [u64; N];

/// Returns whether a is 0. Not by comparison with an array of zeros, which calls a function of the system's library.
#[inline(always)]
pub(super) fn is_zero<const N: usize>(a: &Number<N>) -> bool {
    a.iter().fold(0, |bits, limb| bits | limb) == 0
}

/// Returns a number from big-endian bytes, if it fits.
pub(super) fn number<const N: usize>(bytes: &[u8]) -> Option<Number<N>> {
    let bytes = strip_leading_zeros(bytes);
    if bytes.len() > 8 * N {
        return None;
    }
    let mut number = [0; N];
    for (limb, piece) in number.iter_mut().zip(bytes.rchunks(8)) {
        *limb = piece.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
    }
    Some(number)
}

/// Returns whether a < b.
pub(super) fn is_below<const N: usize>(a: &Number<N>, b: &Number<N>) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// Returns a + b, and whether it went past N limbs.
pub(super) fn add<const N: usize>(a: &Number<N>, b: &Number<N>) -> (Number<N>, bool) {
    let (mut sum, mut carry) = ([0; N], false);
    for index in 0..N {
        let (partial, first) = a[index].overflowing_add(b[index]);
        let (total, second) = partial.overflowing_add(u64::from(carry));
        (sum[index], carry) = (total, first | second);
    }
    (sum, carry)
}

/// Returns a − b, and whether it went below zero.
pub(super) fn subtract<const N: usize>(a: &Number<N>, b: &Number<N>) -> (Number<N>, bool) {
    let (mut difference, mut borrow) = ([0; N], false);
    for index in 0..N {
        let (partial, first) = a[index].overflowing_sub(b[index]);
        let (total, second) = partial.overflowing_sub(u64::from(borrow));
        (difference[index], borrow) = (total, first | second);
    }
    (difference, borrow)
}

/// Returns a number below 2·m (with its carry) modulo m.
pub(super) fn reduce_once<const N: usize>(a: &Number<N>, carry: bool, m: &Number<N>) -> Number<N> {
    let (difference, borrow) = subtract(a, m);
    if carry || !borrow { difference } else { *a }
}

/// Returns −m⁻¹ modulo 2^64 of an odd m, by Newton's iteration: each step doubles the right bits, m itself has three.
pub(super) fn negated_inverse(m: u64) -> u64 {
    let mut inverse = m;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(inverse)));
    }
    inverse.wrapping_neg()
}

/// Returns a·2^bits for less than 64 bits, and a number that has so many free.
pub(super) fn shifted_left<const N: usize>(a: &Number<N>, bits: u32) -> Number<N> {
    let mut below = 0;
    a.map(|limb| {
        let shifted = limb << bits | below;
        below = limb >> 1 >> (63 - bits);
        shifted
    })
}

/// Returns the big-endian bytes of a number.
pub(super) fn bytes<const N: usize>(number: &Number<N>) -> Vec<u8> {
    number.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

/// Returns t + a·b + carry, low and high half; it cannot overflow.
#[inline(always)]
pub(super) fn multiply_add(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(a) * u128::from(b) + u128::from(t) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

/// Returns 1/a modulo an odd prime m, both as they are; 0 of 0.
///
/// The binary algorithm, but many steps are taken on the ends of the numbers before they are done to the numbers
/// themselves (T. Pornin, Optimized Binary GCD for Modular Inversion, 2020).
pub(super) fn inverse<const N: usize>(a: &Number<N>, m: &Number<N>) -> Number<N> {
    let negated_inverse = negated_inverse(m[0]);
    let combined = |a: &Number<N>, b: &Number<N>, factors| combine(a, b, factors, m, negated_inverse);
    let modulo = |(number, above): (Number<N>, i64)| match above {
        0.. => reduce_once(&number, above > 0, m),
        _ => add(&number, m).0,
    };
    let mut unit: Number<N> = [0; N];
    unit[0] = 1;
    // x·a = u and y·a = v modulo m; v is odd.
    let (mut u, mut v, mut x, mut y) = (*a, *m, unit, [0; N]);
    while !is_zero(&u) {
        let [mut first, mut second] = steps(&u, &v);
        let (mut above, mut over);
        ((u, above), (v, over)) = (combined(&u, &v, first), combined(&u, &v, second));
        for (number, above, factors) in [(&mut u, &mut above, &mut first), (&mut v, &mut over, &mut second)] {
            if *above < 0 {
                *number = subtract(&[0; N], number).0;
                *factors = factors.map(i64::wrapping_neg);
            }
        }
        (x, y) = (modulo(combined(&x, &y, first)), modulo(combined(&x, &y, second)));
    }
    y
}

/// Steps of the binary algorithm that are taken at once.
const STEPS: usize = 31;

/// Returns what u and v come to in some steps, as factors of u and v, times 2^STEPS. The lowest bits of both say which
/// are even; which is greater, the topmost 33 bits say, and where they err, a number gets negative.
fn steps<const N: usize>(u: &Number<N>, v: &Number<N>) -> [[i64; 2]; 2] {
    let length = bit_length(u).max(bit_length(v)).max(64);
    let ends = |number| bits(number, 0, STEPS) | bits(number, length - (64 - STEPS), 64 - STEPS) << STEPS;
    let (mut u, mut v) = (ends(u), ends(v));
    let (mut first, mut second) = ([1, 0], [0, 1]);
    for _ in 0..STEPS {
        if u & 1 == 1 {
            if u < v {
                (u, v, first, second) = (v, u, second, first);
            }
            u -= v;
            first = [first[0] - second[0], first[1] - second[1]];
        }
        u >>= 1;
        second = [second[0] << 1, second[1] << 1];
    }
    [first, second]
}

/// Returns (f·a + g·b)/2^STEPS modulo m, as a number and what is above it: less than m below zero, or less than 2·m.
fn combine<const N: usize>(
    a: &Number<N>,
    b: &Number<N>,
    [f, g]: [i64; 2],
    m: &Number<N>,
    negated_inverse: u64,
) -> (Number<N>, i64) {
    let product = |limb: u64, factor: i64| i128::from(limb) * i128::from(factor);
    // What m times the quotient adds makes the sum divisible. Where it is so already, this is 0.
    let low = (a[0].wrapping_mul(f as u64)).wrapping_add(b[0].wrapping_mul(g as u64));
    let quotient = (low.wrapping_mul(negated_inverse) & ((1 << STEPS) - 1)) as i64;
    let (mut sum, mut carry) = ([0; N], 0);
    for index in 0..N {
        carry += product(a[index], f) + product(b[index], g) + product(m[index], quotient);
        sum[index] = carry as u64;
        carry >>= 64;
    }
    (shifted_right(&sum, carry as u64, STEPS as u32), (carry >> STEPS) as i64)
}

/// Returns how many bits a number has.
pub(super) fn bit_length<const N: usize>(a: &Number<N>) -> usize {
    let zeros = a.iter().rev().take_while(|limb| **limb == 0).count();
    a.get(N.wrapping_sub(zeros + 1)).map_or(0, |top| 64 * (N - zeros) - top.leading_zeros() as usize)
}

/// Returns `count` bits from `at`, fewer than 64; beyond the number there are zeros.
pub(super) fn bits<const N: usize>(number: &Number<N>, at: usize, count: usize) -> u64 {
    let (limb, shift) = (at / 64, at % 64);
    let low = number.get(limb).copied().unwrap_or(0) >> shift;
    let high = if shift == 0 { 0 } else { number.get(limb + 1).copied().unwrap_or(0) << (64 - shift) };
    (low | high) & ((1 << count) - 1)
}

/// Returns a number and the limb above it, without the lowest bits, fewer than 64 of them.
pub(super) fn shifted_right<const N: usize>(a: &Number<N>, above: u64, bits: u32) -> Number<N> {
    let mut shifted = *a;
    let mut next = above;
    for limb in shifted.iter_mut().rev() {
        let own = *limb;
        // In two steps, since no shift is by 64.
        *limb = own >> bits | next << 1 << (63 - bits);
        next = own;
    }
    shifted
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::field::Field;
    use super::super::montgomery::Modulus;
    use super::*;

    /// Returns numbers without pattern, but the same in every run.
    pub fn numbers<const N: usize>(seed: u64) -> impl Iterator<Item = Number<N>> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Runs of zeros and ones provoke carries.
                match state >> 61 {
                    0 => 0,
                    1 => u64::MAX,
                    _ => state ^ state >> 29,
                }
            })
        })
    }

    fn inverses_make_one<const N: usize>(curve: &str) {
        let curve = super::super::curve::CURVES.iter().find(|row| row.name == curve).unwrap();
        for prime in [curve.domain.p, curve.domain.n] {
            let modulus: Modulus<N> = Modulus::new(&super::super::bytes::unhex(prime)).unwrap();
            let near = |difference| subtract(&modulus.value, &number(&[difference]).unwrap()).0;
            let mut numbers: Vec<_> =
                numbers::<N>(2).take(300).map(|number| modulus.reduced(&bytes(&number))).collect();
            numbers.extend([1, 2, 3].map(near));
            numbers.extend(
                (0..bit_length(&modulus.value) - 1)
                    .map(|bit| std::array::from_fn(|limb| u64::from(limb == bit / 64) << (bit % 64))),
            );
            for number in numbers.iter().filter(|number| !is_zero(number)) {
                let inverse = inverse(number, &modulus.value);
                assert!(is_below(&inverse, &modulus.value));
                // One factor in Montgomery's form and one not: the product is not.
                let product = modulus.multiply(&modulus.enter(number), &inverse);
                assert_eq!(product, super::number(&[1]).unwrap(), "{number:x?} modulo {prime}");
            }
            assert_eq!(inverse(&[0; N], &modulus.value), [0; N]);
        }
    }

    #[test]
    fn inverses() {
        inverses_make_one::<4>("secp160r1");
        inverses_make_one::<4>("secp256r1");
        inverses_make_one::<6>("secp384r1");
        inverses_make_one::<8>("brainpoolP512r1");
        inverses_make_one::<9>("secp521r1");
    }
}
