//! The arithmetic of a prime field, independent of the form of its numbers.

use super::number::{Number, inverse, subtract};

/// The integers modulo a prime, held in some form of N limbs. A number has several forms; zero is recognised by
/// [`is_zero`](Field::is_zero).
pub(super) trait Field<const N: usize>: Sized + Send + Sync + 'static {
    /// Returns the field of this prime, big-endian, if it can be calculated with here.
    fn new(prime: &[u8]) -> Option<Self>;
    /// Returns the prime, not in the field's form.
    fn prime(&self) -> &Number<N>;
    /// Returns the form of 1.
    fn one(&self) -> Number<N>;
    /// Brings a number below the prime into the field's form.
    fn enter(&self, a: &Number<N>) -> Number<N>;
    /// Brings a number out of the field's form, below the prime.
    fn leave(&self, a: &Number<N>) -> Number<N>;
    /// Returns a + b.
    fn add(&self, a: &Number<N>, b: &Number<N>) -> Number<N>;
    /// Returns a − b.
    fn subtract(&self, a: &Number<N>, b: &Number<N>) -> Number<N>;
    /// Returns a·b.
    fn multiply(&self, a: &Number<N>, b: &Number<N>) -> Number<N>;
    /// Returns a².
    fn squared(&self, a: &Number<N>) -> Number<N>;
    /// Returns whether a is 0.
    fn is_zero(&self, a: &Number<N>) -> bool;

    /// Returns whether a is b.
    fn is_same(&self, a: &Number<N>, b: &Number<N>) -> bool {
        self.is_zero(&self.subtract(a, b))
    }

    /// Returns −a.
    fn negate(&self, a: &Number<N>) -> Number<N> {
        self.subtract(&[0; N], a)
    }

    /// Returns 1/a; 0 of 0.
    ///
    /// A product with it shows whether it is: what finds it fast need not be believed.
    fn inverse(&self, a: &Number<N>) -> Number<N> {
        let inverse = self.enter(&inverse(&self.leave(a), self.prime()));
        let is_inverse = self.is_same(&self.multiply(a, &inverse), &self.one());
        if is_inverse { inverse } else { self.slow_inverse(a) }
    }

    /// Returns 1/a by Fermat's theorem, a^(p − 2); 0 of 0.
    fn slow_inverse(&self, a: &Number<N>) -> Number<N> {
        let mut two = [0; N];
        two[0] = 2;
        self.power(a, &subtract(self.prime(), &two).0)
    }

    /// Returns a^exponent, four bits at a time.
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

#[cfg(test)]
mod tests {
    use crypto_bigint::{BoxedUint, NonZero, Resize};

    use super::super::bytes::unhex;
    use super::super::curve::CURVES;
    use super::super::fiat::{P256, P384, P448, P521, Secp256k1};
    use super::super::montgomery::Modulus;
    use super::super::number::{self, add, bytes, is_below, shifted_right, subtract, tests::numbers};
    use super::*;

    const P448_DIGITS: &str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffe\
                               ffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

    fn prime_of(curve: &str) -> Vec<u8> {
        unhex(CURVES.iter().find(|row| row.name == curve).unwrap().domain.p)
    }

    /// Returns numbers below the prime at which carries and reductions are decided: around 0, the prime, half of it and
    /// R modulo it; powers of two and runs of ones at every limb's end, of limbs with 56, 58 and 64 bits; and such
    /// without pattern.
    fn structured<const N: usize>(prime: &Number<N>) -> Vec<Number<N>> {
        let small = |low: u64| std::array::from_fn(|limb| if limb == 0 { low } else { 0 });
        let power = |bit: usize| std::array::from_fn(|limb| u64::from(limb == bit / 64) << (bit % 64));
        let around = |number: Number<N>| {
            (0..3).flat_map(move |near| [add(&number, &small(near)).0, subtract(&number, &small(near)).0])
        };
        let ends = [56, 58, 64].iter().flat_map(|width| (1..64 * N / width).map(move |limb| limb * width));
        let mut values: Vec<Number<N>> = around(small(0)).chain(around(*prime)).collect();
        values.extend(around(shifted_right(prime, 0, 1)));
        values.extend(around(subtract(&small(0), prime).0));
        values.extend(ends.flat_map(|bit| around(power(bit))));
        values.extend((0..N).map(|limb| std::array::from_fn(|index| if index == limb { u64::MAX } else { 0 })));
        values.extend((0..N).map(|limb| std::array::from_fn(|index| if index == limb { 0 } else { prime[index] })));
        values.push([u64::MAX; N]);
        values.extend(numbers::<N>(N as u64).take(24));
        // Those past the prime as well: as far above 0.
        let over = values.iter().map(|value| subtract(value, prime).0).collect::<Vec<_>>();
        values.extend(over);
        values.retain(|value| is_below(value, prime));
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Compares every operation on every pair with arithmetic of whole numbers by another library.
    fn calculates_as_whole_numbers_do<const N: usize, F: Field<N>>(prime: &[u8]) {
        let field = F::new(prime).unwrap();
        let bits = 64 * N as u32;
        let big = |number: &Number<N>| BoxedUint::from_be_slice(&bytes(number), bits).unwrap();
        let own = |number: &BoxedUint| number::number::<N>(&number.to_be_bytes()).unwrap();
        let p = big(field.prime());
        let modulo = NonZero::new(p.clone().resize(2 * bits)).unwrap();
        let reduced = |number: BoxedUint| own(&number.resize(2 * bits).rem_vartime(&modulo).resize(bits));
        let values = structured(field.prime());
        assert!(values.len() > 40, "{}", values.len());
        for a in &values {
            let (wide_a, entered) = (big(a).resize(2 * bits), field.enter(a));
            assert_eq!(field.leave(&entered), *a);
            assert_eq!(field.is_zero(&entered), *a == [0; N], "{a:x?}");
            assert_eq!(field.leave(&field.squared(&entered)), reduced(wide_a.wrapping_mul(&wide_a)), "{a:x?}²");
            assert_eq!(field.leave(&field.negate(&entered)), reduced(modulo.wrapping_sub(&wide_a)), "−{a:x?}");
            for b in &values {
                let (wide_b, other) = (big(b).resize(2 * bits), field.enter(b));
                let rows = [
                    ("+", field.add(&entered, &other), reduced(wide_a.wrapping_add(&wide_b))),
                    (
                        "−",
                        field.subtract(&entered, &other),
                        reduced(wide_a.wrapping_add(&*modulo).wrapping_sub(&wide_b)),
                    ),
                    ("·", field.multiply(&entered, &other), reduced(wide_a.wrapping_mul(&wide_b))),
                ];
                for (operation, found, expected) in rows {
                    assert_eq!(field.leave(&found), expected, "{a:x?} {operation} {b:x?}");
                    assert_eq!(field.is_zero(&found), expected == [0; N], "{a:x?} {operation} {b:x?}");
                }
                assert_eq!(field.is_same(&entered, &other), a == b, "{a:x?} {b:x?}");
            }
        }
        for a in values.iter().filter(|a| **a != [0; N]) {
            let entered = field.enter(a);
            let inverse = field.inverse(&entered);
            assert!(field.is_same(&field.multiply(&entered, &inverse), &field.one()), "1/{a:x?}");
            assert!(field.is_same(&field.slow_inverse(&entered), &inverse), "1/{a:x?} by Fermat");
        }
        assert!(field.is_zero(&field.inverse(&[0; N])));
    }

    /// Compares results of operations as arguments of others, since forms differ that stand for one number.
    fn chains_agree<const N: usize, F: Field<N>>(prime: &[u8]) {
        let (field, other) = (F::new(prime).unwrap(), <Modulus<N> as Field<N>>::new(prime).unwrap());
        let below = numbers::<N>(7).map(|number| other.reduced(&bytes(&number))).take(3);
        for [a, b, c] in [
            below.collect::<Vec<_>>().try_into().unwrap(),
            [[0; N], other.value, other.value].map(|n| {
                let mut unit = [0; N];
                unit[0] = 1;
                if n == [0; N] { n } else { subtract(&n, &unit).0 }
            }),
        ] {
            let mut own = [a, b, c].map(|n| field.enter(&n));
            let mut expected = [a, b, c].map(|n| other.enter(&n));
            for step in 0..2_000 {
                own = turned(&field, own, step);
                expected = turned(&other, expected, step);
                let left = (own.map(|n| field.leave(&n)), expected.map(|n| other.leave(&n)));
                assert_eq!(left.0, left.1, "step {step}");
            }
        }
    }

    fn turned<const N: usize>(field: &impl Field<N>, [a, b, c]: [Number<N>; 3], step: usize) -> [Number<N>; 3] {
        let next = match step % 5 {
            0 => field.subtract(&field.add(&a, &a), &field.add(&b, &b)),
            1 => field.multiply(&field.subtract(&a, &b), &field.add(&a, &c)),
            2 => field.squared(&field.subtract(&c, &field.negate(&b))),
            3 => field.negate(&field.subtract(&field.negate(&a), &field.add(&b, &c))),
            _ => field.multiply(&a, &field.squared(&b)),
        };
        [b, c, next]
    }

    fn agrees<const N: usize, F: Field<N>>(prime: &[u8]) {
        calculates_as_whole_numbers_do::<N, F>(prime);
        chains_agree::<N, F>(prime);
        // Another prime, an even number, one that is too long: no field.
        for wrong in
            [&[3][..], &[0xff; 8 * 8], &[0xff; 9 * 8], &[0xff; 9 * 8 + 1], &[&prime[..prime.len() - 1], &[0]].concat()]
        {
            assert!(F::new(wrong).is_none(), "{wrong:x?}");
        }
    }

    #[test]
    fn secp256r1() {
        agrees::<4, P256>(&prime_of("secp256r1"));
    }

    #[test]
    fn secp256k1() {
        agrees::<4, Secp256k1>(&prime_of("secp256k1"));
    }

    #[test]
    fn secp384r1() {
        agrees::<6, P384>(&prime_of("secp384r1"));
    }

    #[test]
    fn ed448() {
        agrees::<8, P448>(&unhex(P448_DIGITS));
    }

    #[test]
    fn secp521r1() {
        agrees::<9, P521>(&prime_of("secp521r1"));
    }

    /// The fields whose arithmetic is not proved, on the same numbers.
    #[test]
    fn every_other_curve() {
        for curve in &CURVES {
            let (p, n) = (unhex(curve.domain.p), unhex(curve.domain.n));
            match curve.bits {
                0..=256 => [p, n].iter().for_each(|prime| calculates_as_whole_numbers_do::<4, Modulus<4>>(prime)),
                257..=384 => [p, n].iter().for_each(|prime| calculates_as_whole_numbers_do::<6, Modulus<6>>(prime)),
                385..=512 => [p, n].iter().for_each(|prime| calculates_as_whole_numbers_do::<8, Modulus<8>>(prime)),
                _ => calculates_as_whole_numbers_do::<9, Modulus<9>>(&n),
            }
        }
    }
}
