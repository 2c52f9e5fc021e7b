//! Arithmetic modulo an odd number of fixed size, in Montgomery's form.
//!
//! A number a is held as a·R modulo m, R = 2^(64·N); then a product needs no
//! division (Handbook of Applied Cryptography §14.3.2). Everything here takes
//! time that depends on its input, and must never see a secret.

use super::field::Field;

/// A number of N limbs, the lowest first.
pub(super) type Number<const N: usize> = [u64; N];

/// An odd modulus with what is derived from it.
#[derive(Debug, Clone)]
pub(super) struct Modulus<const N: usize> {
    pub value: Number<N>,
    /// −m⁻¹ modulo 2^64.
    negated_inverse: u64,
    /// R modulo m: the Montgomery form of 1.
    pub one: Number<N>,
    /// R² modulo m: brings a number into the form.
    square: Number<N>,
}

impl<const N: usize> Modulus<N> {
    /// From big-endian octets of an odd number above 1.
    pub fn new(octets: &[u8]) -> Option<Self> {
        let value = number(octets)?;
        if value[0] & 1 == 0 {
            return None;
        }
        let mut unit = [0; N];
        unit[0] = 1;
        let mut modulus = Self { value, negated_inverse: negated_inverse(value[0]), one: [0; N], square: [0; N] };
        modulus.one = modulus.shifted(unit, 64 * N);
        modulus.square = modulus.shifted(modulus.one, 64 * N);
        Some(modulus)
    }

    /// a·2^bits.
    fn shifted(&self, a: Number<N>, bits: usize) -> Number<N> {
        (0..bits).fold(a, |a, _| self.add(&a, &a))
    }

    /// Big-endian octets of any length, modulo m, not in Montgomery's form.
    pub fn reduced(&self, octets: &[u8]) -> Number<N> {
        let mut unit = [0; N];
        unit[0] = 1;
        let bits = octets.iter().flat_map(|octet| (0..8).rev().map(move |bit| octet >> bit & 1 == 1));
        bits.fold([0; N], |sum, bit| {
            let doubled = self.add(&sum, &sum);
            if bit { self.add(&doubled, &unit) } else { doubled }
        })
    }
}

impl<const N: usize> Field<N> for Modulus<N> {
    fn new(prime: &[u8]) -> Option<Self> {
        Self::new(prime)
    }

    fn prime(&self) -> &Number<N> {
        &self.value
    }

    fn one(&self) -> Number<N> {
        self.one
    }

    fn enter(&self, a: &Number<N>) -> Number<N> {
        self.multiply(a, &self.square)
    }

    fn leave(&self, a: &Number<N>) -> Number<N> {
        let mut unit = [0; N];
        unit[0] = 1;
        self.multiply(a, &unit)
    }

    #[inline(always)]
    fn add(&self, a: &Number<N>, b: &Number<N>) -> Number<N> {
        let (sum, carry) = add(a, b);
        reduce_once(&sum, carry, &self.value)
    }

    #[inline(always)]
    fn subtract(&self, a: &Number<N>, b: &Number<N>) -> Number<N> {
        let (difference, borrow) = subtract(a, b);
        if borrow { add(&difference, &self.value).0 } else { difference }
    }

    /// a·b/R.
    #[inline]
    fn multiply(&self, a: &Number<N>, b: &Number<N>) -> Number<N> {
        multiply(a, b, &self.value, self.negated_inverse)
    }

    /// a²/R. Of the few limbs of a curve, squaring as such is not quicker.
    #[inline]
    fn squared(&self, a: &Number<N>) -> Number<N> {
        self.multiply(a, a)
    }

    #[inline(always)]
    fn halved(&self, a: &Number<N>) -> Number<N> {
        halved(a, &self.value)
    }

    fn is_zero(&self, a: &Number<N>) -> bool {
        is_zero(a)
    }
}

/// Whether a is 0. Not by comparison with an array of zeros, which calls a function of the system's library.
#[inline(always)]
pub(super) fn is_zero<const N: usize>(a: &Number<N>) -> bool {
    a.iter().fold(0, |bits, limb| bits | limb) == 0
}

/// A number from big-endian octets, if it fits.
pub(super) fn number<const N: usize>(octets: &[u8]) -> Option<Number<N>> {
    let octets = super::key::strip(octets);
    if octets.len() > 8 * N {
        return None;
    }
    let mut number = [0; N];
    for (limb, piece) in number.iter_mut().zip(octets.rchunks(8)) {
        *limb = piece.iter().fold(0, |limb, octet| limb << 8 | u64::from(*octet));
    }
    Some(number)
}

/// Whether a < b.
pub(super) fn is_below<const N: usize>(a: &Number<N>, b: &Number<N>) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// a + b, and whether it went past N limbs.
#[inline(always)]
pub(super) fn add<const N: usize>(a: &Number<N>, b: &Number<N>) -> (Number<N>, bool) {
    let (mut sum, mut carry) = ([0; N], false);
    for index in 0..N {
        let (partial, first) = a[index].overflowing_add(b[index]);
        let (total, second) = partial.overflowing_add(u64::from(carry));
        (sum[index], carry) = (total, first | second);
    }
    (sum, carry)
}

/// a − b, and whether it went below zero.
#[inline(always)]
pub(super) fn subtract<const N: usize>(a: &Number<N>, b: &Number<N>) -> (Number<N>, bool) {
    let (mut difference, mut borrow) = ([0; N], false);
    for index in 0..N {
        let (partial, first) = a[index].overflowing_sub(b[index]);
        let (total, second) = partial.overflowing_sub(u64::from(borrow));
        (difference[index], borrow) = (total, first | second);
    }
    (difference, borrow)
}

/// A number below 2·m (with its carry) modulo m.
#[inline(always)]
pub(super) fn reduce_once<const N: usize>(a: &Number<N>, carry: bool, m: &Number<N>) -> Number<N> {
    let (difference, borrow) = subtract(a, m);
    if carry || !borrow { difference } else { *a }
}

/// a/2 modulo an odd m.
#[inline(always)]
pub(super) fn halved<const N: usize>(a: &Number<N>, m: &Number<N>) -> Number<N> {
    let odd = 0u64.wrapping_sub(a[0] & 1);
    let (even, carry) = add(a, &m.map(|limb| limb & odd));
    shifted_right(&even, u64::from(carry), 1)
}

/// −m⁻¹ modulo 2^64 of an odd m, by Newton's iteration: each step doubles the right bits, m itself has three.
pub(super) fn negated_inverse(m: u64) -> u64 {
    let mut inverse = m;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(inverse)));
    }
    inverse.wrapping_neg()
}

/// base^exponent modulo m for a base below m, an odd m whose topmost limb is not 0, and an odd exponent.
///
/// For a modulus that is used once (RSA): nothing is derived from it but one inverse of a limb. The base enters
/// Montgomery's form by long division, and the last multiplication, by the base itself, leaves it.
pub(super) fn power_once<const N: usize>(base: &Number<N>, exponent: u64, m: &Number<N>) -> Number<N> {
    let negated_inverse = negated_inverse(m[0]);
    let entered = times_radix(base, m);
    let mut power = entered;
    for bit in (0..exponent.ilog2()).rev() {
        power = square(&power, m, negated_inverse);
        match exponent >> bit & 1 {
            1 if bit == 0 => return multiply(&power, base, m, negated_inverse),
            1 => power = multiply(&power, &entered, m, negated_inverse),
            _ => {}
        }
    }
    // Reached by the exponent 1 only.
    *base
}

/// a·R modulo m, one limb of zeros at a time: Knuth, The Art of Computer Programming §4.3.1 D. The quotient's
/// estimate from two limbs is at most two too large where the topmost bit of m is set; both are shifted until it is.
fn times_radix<const N: usize>(a: &Number<N>, m: &Number<N>) -> Number<N> {
    let zeros = m[N - 1].leading_zeros();
    let (mut rest, m) = (shifted_left(a, zeros), &shifted_left(m, zeros));
    // To take m away is to add this and take R away.
    let complement = subtract(&[0; N], m).0;
    for _ in 0..N {
        let leading = u128::from(rest[N - 1]) << 64 | u128::from(rest[N - 2]);
        let quotient = u64::try_from(leading / u128::from(m[N - 1])).unwrap_or(u64::MAX);
        let (mut below, mut carry) = (0, 0);
        for (limb, factor) in rest.iter_mut().zip(&complement) {
            let (sum, high) = multiply_add(below, quotient, *factor, carry);
            (below, *limb, carry) = (*limb, sum, high);
        }
        let mut top = below.wrapping_add(carry).wrapping_sub(quotient);
        while top != 0 {
            let (sum, over) = add(&rest, m);
            rest = sum;
            top = top.wrapping_add(u64::from(over));
        }
    }
    shifted_right(&rest, 0, zeros)
}

/// a·2^bits for less than 64 bits, and a number that has so many free.
fn shifted_left<const N: usize>(a: &Number<N>, bits: u32) -> Number<N> {
    let mut below = 0;
    a.map(|limb| {
        let shifted = limb << bits | below;
        below = limb >> 1 >> (63 - bits);
        shifted
    })
}

/// Big-endian octets of a number.
pub(super) fn octets<const N: usize>(number: &Number<N>) -> Vec<u8> {
    number.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

/// t + a·b + carry, low and high half; it cannot overflow.
#[inline(always)]
pub(super) fn multiply_add(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(a) * u128::from(b) + u128::from(t) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

/// 1/a modulo an odd prime m, both as they are; 0 of 0.
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

/// What u and v come to in some steps, as factors of u and v, times 2^STEPS. The lowest bits of both say which are
/// even; which is greater, the topmost 33 bits say, and where they err, a number gets negative.
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

/// (f·a + g·b)/2^STEPS modulo m, as a number and what is above it: less than m below zero, or less than 2·m.
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

/// How many bits a number has.
pub(super) fn bit_length<const N: usize>(a: &Number<N>) -> usize {
    let zeros = a.iter().rev().take_while(|limb| **limb == 0).count();
    a.get(N.wrapping_sub(zeros + 1)).map_or(0, |top| 64 * (N - zeros) - top.leading_zeros() as usize)
}

/// `count` bits from `at`, fewer than 64; beyond the number there are zeros.
pub(super) fn bits<const N: usize>(number: &Number<N>, at: usize, count: usize) -> u64 {
    let (limb, shift) = (at / 64, at % 64);
    let low = number.get(limb).copied().unwrap_or(0) >> shift;
    let high = if shift == 0 { 0 } else { number.get(limb + 1).copied().unwrap_or(0) << (64 - shift) };
    (low | high) & ((1 << count) - 1)
}

/// A number and the limb above it, without the lowest bits, fewer than 64 of them.
#[inline(always)]
fn shifted_right<const N: usize>(a: &Number<N>, above: u64, bits: u32) -> Number<N> {
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

/// a·b/R modulo m, for a of N limbs and b below m. Each limb of b is multiplied and reduced in one pass, which keeps
/// two chains of carries going at once.
#[inline(always)]
pub(super) fn multiply<const N: usize>(a: &Number<N>, b: &Number<N>, m: &Number<N>, negated_inverse: u64) -> Number<N> {
    let mut t = [0; N];
    let mut top = 0u64;
    for limb in b {
        let (low, mut carry) = multiply_add(t[0], a[0], *limb, 0);
        let quotient = low.wrapping_mul(negated_inverse);
        let (_, mut reduced) = multiply_add(low, quotient, m[0], 0);
        for index in 1..N {
            let low;
            (low, carry) = multiply_add(t[index], a[index], *limb, carry);
            (t[index - 1], reduced) = multiply_add(low, quotient, m[index], reduced);
        }
        let sum = u128::from(carry) + u128::from(reduced) + u128::from(top);
        (t[N - 1], top) = (sum as u64, (sum >> 64) as u64);
    }
    reduce_once(&t, top != 0, m)
}

/// a²/R modulo m, column by column (product scanning: Handbook of Applied Cryptography §14.16): each product of two
/// different limbs is calculated once and doubled, and a column is reduced as soon as it is complete.
#[inline(always)]
pub(super) fn square<const N: usize>(a: &Number<N>, m: &Number<N>, negated_inverse: u64) -> Number<N> {
    let (mut quotients, mut result) = ([0; N], [0; N]);
    let mut sum = Column::default();
    for index in 0..N {
        sum.add_square(a, 0, index);
        sum.add_products(&quotients[..index], &m[1..=index]);
        quotients[index] = sum.0[0].wrapping_mul(negated_inverse);
        sum.add_product(quotients[index], m[0]);
        sum.take();
    }
    for index in 0..N {
        sum.add_square(a, index + 1, N - 1);
        sum.add_products(&quotients[index + 1..], &m[index + 1..]);
        result[index] = sum.take();
    }
    reduce_once(&result, sum.0[0] != 0, m)
}

/// What the products of one column add up to, the lowest limb first. Three limbs hold 2^64 products.
#[derive(Debug, Clone, Copy, Default)]
struct Column([u64; 3]);

impl Column {
    #[inline(always)]
    fn add_product(&mut self, a: u64, b: u64) {
        let product = u128::from(a) * u128::from(b);
        self.add(product as u64, (product >> 64) as u64, 0);
    }

    #[inline(always)]
    fn add(&mut self, low: u64, middle: u64, high: u64) {
        let carry;
        (self.0[0], carry) = self.0[0].overflowing_add(low);
        let (sum, carry) = self.0[1].carrying_add(middle, carry);
        (self.0[1], self.0[2]) = (sum, self.0[2] + high + u64::from(carry));
    }

    /// The products of the first limb of one and the last of the other, and so on inwards; both have the same length.
    #[inline(always)]
    fn add_products(&mut self, a: &[u64], b: &[u64]) {
        // Four at a time, which halves what the loop costs.
        let (fours, rest) = a.as_chunks::<4>();
        let (others, last) = b.as_rchunks::<4>();
        let mut sum = *self;
        for (a, b) in fours.iter().zip(last.iter().rev()) {
            sum.add_product(a[0], b[3]);
            sum.add_product(a[1], b[2]);
            sum.add_product(a[2], b[1]);
            sum.add_product(a[3], b[0]);
        }
        for (a, b) in rest.iter().zip(others.iter().rev()) {
            sum.add_product(*a, *b);
        }
        *self = sum;
    }

    /// The products of the limbs from `first` to `last` with those from `last` to `first`.
    #[inline(always)]
    fn add_square(&mut self, a: &[u64], first: usize, last: usize) {
        let Some(own) = a.get(first..=last) else { return };
        let half = own.len() / 2;
        let mut twice = Self::default();
        twice.add_products(&own[..half], &own[own.len() - half..]);
        let [low, middle, high] = twice.0;
        self.add(low << 1, middle << 1 | low >> 63, high << 1 | middle >> 63);
        if own.len() % 2 == 1 {
            self.add_product(own[half], own[half]);
        }
    }

    /// Takes the lowest limb out.
    #[inline(always)]
    fn take(&mut self) -> u64 {
        let [lowest, middle, high] = self.0;
        self.0 = [middle, high, 0];
        lowest
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Numbers without pattern, but the same in every run.
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

    fn agrees_with_rsa<const N: usize>() {
        let mut random = numbers::<N>(N as u64);
        for exponent in [1, 3, 17, 65_537, u64::MAX] {
            for zeros in [0, 0, 0, 0, 1, 7, 8, 31, 62, 63] {
                let (mut m, mut base) = (random.next().unwrap(), random.next().unwrap());
                m[0] |= 1;
                m[N - 1] = (m[N - 1] | 1 << 63) >> zeros;
                base[N - 1] >>= zeros;
                let base = if is_below(&base, &m) { base } else { subtract(&base, &m).0 };
                let found = power_once(&base, exponent, &m);

                let bits = 64 * N as u32;
                let big = |number: &Number<N>| rsa::BoxedUint::from_be_slice(&octets(number), bits).unwrap();
                let key = rsa::RsaPublicKey::new_unchecked(big(&m), rsa::BoxedUint::from(exponent));
                let expected = rsa::hazmat::rsa_encrypt(&key, &big(&base)).unwrap();
                let expected = expected.to_be_bytes();
                assert!(octets(&found).ends_with(&expected), "{exponent} {base:x?} modulo {m:x?}");
            }
        }
    }

    #[test]
    fn powers_are_those_of_the_rsa_crate() {
        agrees_with_rsa::<16>();
        agrees_with_rsa::<32>();
        agrees_with_rsa::<48>();
        agrees_with_rsa::<64>();
    }

    #[test]
    fn squares_are_products() {
        let modulus: Modulus<6> = Modulus::new(&[0xff; 48]).unwrap();
        for number in numbers::<6>(1).take(1_000) {
            let number = modulus.enter(&number);
            let found = square(&number, &modulus.value, modulus.negated_inverse);
            assert_eq!(found, modulus.multiply(&number, &number));
            assert_eq!(modulus.enter(&modulus.leave(&number)), number);
        }
    }

    fn inverses_make_one<const N: usize>(curve: &str) {
        let curve = super::super::curve::CURVES.iter().find(|row| row.name == curve).unwrap();
        for prime in [curve.p, curve.n] {
            let modulus: Modulus<N> = Modulus::new(&super::super::curve::unhex(prime)).unwrap();
            let near = |difference| subtract(&modulus.value, &number(&[difference]).unwrap()).0;
            let mut numbers: Vec<_> =
                numbers::<N>(2).take(300).map(|number| modulus.reduced(&octets(&number))).collect();
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
