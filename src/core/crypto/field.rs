//! The arithmetic of a prime field, independent of the form of its numbers.

use super::number::{Number, inverse};

/// The integers modulo a prime, held in some form of N limbs. A number has several forms; zero is recognised by
/// [`is_zero`](Field::is_zero).
pub(super) trait Field<const N: usize>: Sized {
    /// Returns the field of this prime, big-endian, if it can be calculated with here.
    fn new(prime: &[u8]) -> Option<Self>;
    /// Returns the prime, not in the field's form.
    fn prime(&self) -> &Number<N>;
    /// Returns the form of 1.
    fn one(&self) -> Number<N>;
    /// Into the field's form. The number may be any of N limbs.
    fn enter(&self, a: &Number<N>) -> Number<N>;
    /// Out of the field's form, below the prime.
    fn leave(&self, a: &Number<N>) -> Number<N>;
    /// a + b.
    fn add(&self, a: &Number<N>, b: &Number<N>) -> Number<N>;
    /// a − b.
    fn subtract(&self, a: &Number<N>, b: &Number<N>) -> Number<N>;
    /// a·b.
    fn multiply(&self, a: &Number<N>, b: &Number<N>) -> Number<N>;
    /// a².
    fn squared(&self, a: &Number<N>) -> Number<N>;
    /// a/2.
    fn halved(&self, a: &Number<N>) -> Number<N>;
    /// Returns whether a is 0.
    fn is_zero(&self, a: &Number<N>) -> bool;

    /// Returns whether a is b.
    fn is_same(&self, a: &Number<N>, b: &Number<N>) -> bool {
        self.is_zero(&self.subtract(a, b))
    }

    /// −a.
    fn negate(&self, a: &Number<N>) -> Number<N> {
        self.subtract(&[0; N], a)
    }

    /// 1/a; 0 of 0.
    fn inverse(&self, a: &Number<N>) -> Number<N> {
        self.enter(&inverse(&self.leave(a), self.prime()))
    }

    /// a^exponent, four bits at a time.
    fn power(&self, a: &Number<N>, exponent: &Number<N>) -> Number<N> {
        let mut table = [self.one(); 16];
        for index in 1..16 {
            table[index] = self.multiply(&table[index - 1], a);
        }
        let mut power = self.one();
        for limb in exponent.iter().rev() {
            for shift in (0..16).rev() {
                for _ in 0..4 {
                    power = self.squared(&power);
                }
                match limb >> (4 * shift) & 15 {
                    0 => {}
                    digit => power = self.multiply(&power, &table[digit as usize]),
                }
            }
        }
        power
    }
}
