//! Arithmetic modulo an odd number of fixed size, in Montgomery's form.
//!
//! A number a is held as a·R modulo m, R = 2^(64·N); then a product needs no
//! division (Handbook of Applied Cryptography §14.3.2). Everything here takes
//! time that depends on its input, and must never see a secret.

use super::field::Field;
use super::number::{
    Number, add, is_zero, multiply_add, negated_inverse, number, reduce_once, shifted_left, shifted_right, subtract,
};

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
    /// Makes a modulus of big-endian bytes of an odd number above 1.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let value = number(bytes)?;
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

    /// Returns a·2^bits.
    fn shifted(&self, a: Number<N>, bits: usize) -> Number<N> {
        (0..bits).fold(a, |a, _| self.add(&a, &a))
    }

    /// Returns big-endian bytes of any length, modulo m, not in Montgomery's form.
    pub fn reduced(&self, bytes: &[u8]) -> Number<N> {
        let mut unit = [0; N];
        unit[0] = 1;
        let bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1));
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

    fn add(&self, a: &Number<N>, b: &Number<N>) -> Number<N> {
        let (sum, carry) = add(a, b);
        reduce_once(&sum, carry, &self.value)
    }

    fn subtract(&self, a: &Number<N>, b: &Number<N>) -> Number<N> {
        let (difference, borrow) = subtract(a, b);
        if borrow { add(&difference, &self.value).0 } else { difference }
    }

    /// Returns a·b/R.
    #[inline]
    fn multiply(&self, a: &Number<N>, b: &Number<N>) -> Number<N> {
        multiply(a, b, &self.value, self.negated_inverse)
    }

    /// Returns a²/R. Of the few limbs of a curve, squaring as such is not quicker.
    #[inline]
    fn squared(&self, a: &Number<N>) -> Number<N> {
        self.multiply(a, a)
    }

    fn is_zero(&self, a: &Number<N>) -> bool {
        is_zero(a)
    }
}

/// Returns base^exponent modulo m for a base below m, an odd m whose topmost limb is not 0, and an odd exponent.
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

/// Returns base^exponent modulo m, for numbers of any size: as many big-endian bytes as m has, for a base below an odd
/// m that begins with no zero.
///
/// Slower than [`power_once`], and short: of sizes that few keys have.
pub(super) fn power_of_any_size(base: &[u8], exponent: u64, m: &[u8]) -> Vec<u8> {
    let length = m.len();
    let limbs = |bytes: &[u8]| -> Vec<u64> {
        let limb = |piece: &[u8]| piece.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
        let mut limbs: Vec<u64> = bytes.rchunks(8).map(limb).collect();
        limbs.resize(length.div_ceil(8), 0);
        limbs
    };
    let (base, m) = (limbs(base), limbs(m));
    let negated_inverse = negated_inverse(m[0]);
    let multiply = |a: &[u64], b: &[u64]| multiply_slices(a, b, &m, negated_inverse);
    // R² is the Montgomery form of R = 2^(64·N): the power of two that is just below m is doubled until it is R modulo m,
    // the form of 1; that, N times more, is the form of 2^N, whose square six times over is that of R.
    let top = m.len() - 1;
    let zeros = m[top].leading_zeros();
    let mut square = vec![0; m.len()];
    square[top] = 1 << (63 - zeros);
    for _ in 0..=zeros as usize + m.len() {
        double(&mut square, &m);
    }
    for _ in 0..6 {
        square = multiply(&square, &square);
    }
    let entered = multiply(&base, &square);
    let mut power = entered.clone();
    for bit in (0..exponent.ilog2()).rev() {
        power = multiply(&power, &power);
        if exponent >> bit & 1 == 1 {
            power = multiply(&power, &entered);
        }
    }
    let mut unit = vec![0; m.len()];
    unit[0] = 1;
    let bytes: Vec<u8> = multiply(&power, &unit).iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    bytes[bytes.len() - length..].to_vec()
}

/// Takes m away from a number below 2·m (with its carry), unless it is below m.
fn reduce_slice(a: &mut [u64], carry: bool, m: &[u64]) {
    if !carry && a.iter().rev().lt(m.iter().rev()) {
        return;
    }
    let mut borrow = false;
    for (limb, m) in a.iter_mut().zip(m) {
        let (partial, first) = limb.overflowing_sub(*m);
        let (total, second) = partial.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (total, first | second);
    }
}

/// Doubles a modulo m.
fn double(a: &mut [u64], m: &[u64]) {
    let mut above = 0;
    for limb in a.iter_mut() {
        (*limb, above) = (*limb << 1 | above, *limb >> 63);
    }
    reduce_slice(a, above != 0, m);
}

/// Multiplies as [`multiply`] does, for any equal count of limbs.
fn multiply_slices(a: &[u64], b: &[u64], m: &[u64], negated_inverse: u64) -> Vec<u64> {
    let mut t = vec![0; m.len()];
    let mut top = 0;
    for b in b {
        let (low, mut carry) = multiply_add(t[0], a[0], *b, 0);
        let quotient = low.wrapping_mul(negated_inverse);
        let (_, mut reduced) = multiply_add(low, quotient, m[0], 0);
        for index in 1..m.len() {
            let low;
            (low, carry) = multiply_add(t[index], a[index], *b, carry);
            (t[index - 1], reduced) = multiply_add(low, quotient, m[index], reduced);
        }
        let sum = u128::from(carry) + u128::from(reduced) + u128::from(top);
        (t[m.len() - 1], top) = (sum as u64, (sum >> 64) as u64);
    }
    reduce_slice(&mut t, top != 0, m);
    t
}

/// Returns a·R modulo m, one limb of zeros at a time: Knuth, The Art of Computer Programming §4.3.1 D. The quotient's
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

/// Returns a·b/R modulo m, for a of N limbs and b below m. Each limb of b is multiplied and reduced in one pass, which
/// keeps two chains of carries going at once.
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

/// Returns a²/R modulo m, column by column (product scanning: Handbook of Applied Cryptography §14.16): each product of
/// two different limbs is calculated once and doubled, and a column is reduced as soon as it is complete.
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

    /// Adds the products of the first limb of one and the last of the other, and so on inwards; both have the same
    /// length.
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

    /// Adds the products of the limbs from `first` to `last` with those from `last` to `first`.
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
mod tests {
    use super::super::bytes::strip_leading_zeros;
    use super::super::number::tests::numbers;
    use super::super::number::{bytes, is_below};
    use super::*;

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
                let big = |number: &Number<N>| rsa::BoxedUint::from_be_slice(&bytes(number), bits).unwrap();
                let key = rsa::PublicKey::new_unchecked(big(&m), rsa::BoxedUint::from(exponent));
                let expected = rsa::hazmat::rsa_encrypt(&key, &big(&base)).unwrap();
                let expected = expected.to_be_bytes();
                assert!(bytes(&found).ends_with(&expected), "{exponent} {base:x?} modulo {m:x?}");
                let m_bytes = bytes(&m);
                let m_bytes = strip_leading_zeros(&m_bytes);
                let again = power_of_any_size(strip_leading_zeros(&bytes(&base)), exponent, m_bytes);
                assert_eq!(again.len(), m_bytes.len());
                assert!(bytes(&found).ends_with(&again), "{exponent} {base:x?} modulo {m:x?}");
            }
        }
    }

    #[test]
    fn powers_are_those_of_the_rsa_crate() {
        agrees_with_rsa::<16>();
        agrees_with_rsa::<32>();
        agrees_with_rsa::<48>();
        agrees_with_rsa::<64>();
        agrees_with_rsa::<9>();
        agrees_with_rsa::<24>();
        agrees_with_rsa::<33>();
        agrees_with_rsa::<128>();
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
}
