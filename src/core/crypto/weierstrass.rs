//! Short Weierstrass curves over prime fields with prime order, for verification only.
//!
//! Points are in Jacobian coordinates (x = X/Z², 2y = Y/Z³; Z = 0 is the point at
//! infinity) of the curve (2y)² = 4(x³ + ax + b), whose formulas halve nothing; numbers of
//! the field in its own form. Two multiples are added in one pass over both scalars (Straus),
//! each written with few non-zero digits (NAF of some width). Time depends on the
//! input: public data only.

use super::bytes::unhex;
use super::field::Field;
use super::montgomery::Modulus;
use super::number::{Number, add, bit_length, bits, is_below, number};

/// Width of the digits for the generator, whose multiples are kept: 64 odd ones, 4 to 9 KiB a curve.
const GENERATOR_WIDTH: usize = 8;
/// Width of the digits for a key's point, whose multiples are made for each verification.
const POINT_WIDTH: usize = 5;

/// Elliptic curve domain parameters (SEC 1 §3.1.1) in hexadecimal: y² = x³ + ax + b over the integers modulo p, with
/// the generator (x, y) of order n.
pub(super) struct DomainParameters {
    pub p: &'static str,
    pub a: &'static str,
    pub b: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    pub n: &'static str,
}

/// A curve ready for calculation.
pub(super) struct Group<const N: usize, F = Modulus<N>> {
    field: F,
    /// Bytes of a field element.
    length: usize,
    order: Modulus<N>,
    order_bits: usize,
    a: Number<N>,
    /// a is −3 or 0, for which doubling is cheaper.
    shape: Shape,
    b: Number<N>,
    /// The generator times 1, 3, 5, …
    generator: Vec<Affine<N>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    MinusThree,
    Zero,
    Other,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Affine<const N: usize> {
    x: Number<N>,
    twice_y: Number<N>,
}

#[derive(Debug, Clone, Copy)]
struct Jacobian<const N: usize> {
    x: Number<N>,
    twice_y: Number<N>,
    z: Number<N>,
}

impl<const N: usize, F: Field<N>> Group<N, F> {
    /// Prepares a curve for calculation; `None` if its numbers do not fit N limbs.
    pub fn new(domain: &DomainParameters) -> Option<Self> {
        let prime = unhex(domain.p);
        let (field, length) = (F::new(&prime)?, prime.len());
        let order = Modulus::new(&unhex(domain.n))?;
        let element = |digits: &str| number(&unhex(digits)).map(|number| field.enter(&number));
        let (a, b) = (element(domain.a)?, element(domain.b)?);
        let (x, y) = (element(domain.x)?, element(domain.y)?);
        let base = Affine { x, twice_y: field.add(&y, &y) };
        let three = field.add(&field.one(), &field.add(&field.one(), &field.one()));
        let shape = match a {
            a if field.is_zero(&field.add(&a, &three)) => Shape::MinusThree,
            a if field.is_zero(&a) => Shape::Zero,
            _ => Shape::Other,
        };
        let order_bits = bit_length(&order.value);
        let mut group = Self { field, length, order, order_bits, a, shape, b, generator: vec![] };
        group.generator = group.odd_multiples(&base, GENERATOR_WIDTH);
        Some(group)
    }

    /// Reads a point on the curve and not at infinity: 04 x y, or 02 or 03 and x (SEC 1 §2.3.4).
    pub fn point(&self, bytes: &[u8]) -> Option<Affine<N>> {
        let ((form, rest), length) = (bytes.split_first()?, self.length);
        let element = |bytes: &[u8]| {
            let number = number(bytes).filter(|number| is_below(number, self.field.prime()))?;
            Some(self.field.enter(&number))
        };
        match form {
            4 if rest.len() == 2 * length => {
                let (x, y) = (element(&rest[..length])?, element(&rest[length..])?);
                let on_curve = self.field.is_same(&self.field.squared(&y), &self.right_side(&x));
                on_curve.then(|| Affine { x, twice_y: self.field.add(&y, &y) })
            }
            2 | 3 if rest.len() == length => {
                let x = element(rest)?;
                let y = self.square_root(&self.right_side(&x))?;
                let odd = self.field.leave(&y)[0] & 1 == 1;
                let y = if odd == (*form == 3) { y } else { self.field.negate(&y) };
                Some(Affine { x, twice_y: self.field.add(&y, &y) })
            }
            _ => None,
        }
    }

    /// Returns x³ + ax + b.
    fn right_side(&self, x: &Number<N>) -> Number<N> {
        let f = &self.field;
        f.add(&f.multiply(&f.add(&f.squared(x), &self.a), x), &self.b)
    }

    /// Returns the square root for p ≡ 3 modulo 4, a^((p+1)/4): all curves of the table but secp224r1 and secp224k1.
    fn square_root(&self, a: &Number<N>) -> Option<Number<N>> {
        let f = &self.field;
        let mut exponent = *f.prime();
        if exponent[0] & 3 != 3 {
            return None;
        }
        for index in 0..N {
            let above = exponent.get(index + 1).copied().unwrap_or(0);
            exponent[index] = exponent[index] >> 2 | above << 62;
        }
        let mut unit = [0; N];
        unit[0] = 1;
        let root = f.power(a, &add(&exponent, &unit).0);
        f.is_same(&f.squared(&root), a).then_some(root)
    }

    /// Returns whether the signature value is right (ECDSA, FIPS 186-5 §6.4.2): r and s big-endian, `digest` as its
    /// function yields it.
    pub fn verifies(&self, point: &Affine<N>, digest: &[u8], r: &[u8], s: &[u8]) -> Option<bool> {
        let n = &self.order;
        let inside = |bytes: &[u8]| number(bytes).filter(|number| *number != [0; N] && is_below(number, &n.value));
        let (r, s) = (inside(r)?, inside(s)?);
        let e = self.leading_bits(digest);
        let w = n.inverse(&n.enter(&s));
        // One factor in Montgomery's form and one not: the product is not.
        let (u1, u2) = (n.multiply(&e, &w), n.multiply(&r, &w));
        let sum = self.sum(&u1, &u2, point);
        Some(!self.field.is_zero(&sum.z) && self.has_x(&sum, &r))
    }

    /// Returns as many leading bits of the digest as the order has.
    fn leading_bits(&self, digest: &[u8]) -> Number<N> {
        let kept = &digest[..digest.len().min(self.order_bits.div_ceil(8))];
        let mut e: Number<N> = number(kept).expect("not longer than the order");
        let excess = (kept.len() * 8).saturating_sub(self.order_bits);
        if excess > 0 {
            for index in 0..N {
                let above = e.get(index + 1).copied().unwrap_or(0);
                e[index] = e[index] >> excess | above << (64 - excess);
            }
        }
        e
    }

    /// Returns whether the point's x, modulo the order, is r; without leaving the coordinates.
    fn has_x(&self, point: &Jacobian<N>, r: &Number<N>) -> bool {
        let f = &self.field;
        let zz = f.squared(&point.z);
        let is = |x: &Number<N>| is_below(x, f.prime()) && f.is_same(&f.multiply(&f.enter(x), &zz), &point.x);
        let (wrapped, over) = add(r, &self.order.value);
        is(r) || (!over && is(&wrapped))
    }

    /// Returns u1·generator + u2·point.
    fn sum(&self, u1: &Number<N>, u2: &Number<N>, point: &Affine<N>) -> Jacobian<N> {
        let multiples = self.odd_multiples(point, POINT_WIDTH);
        let (digits1, digits2) = (digits(u1, GENERATOR_WIDTH), digits(u2, POINT_WIDTH));
        let mut sum = self.infinity();
        for index in (0..digits1.len()).rev() {
            sum = self.double(&sum);
            for (digit, multiples) in [(digits1[index], &self.generator), (digits2[index], &multiples)] {
                if digit != 0 {
                    let Affine { x, twice_y } = multiples[usize::from(digit.unsigned_abs()) / 2];
                    let twice_y = if digit < 0 { self.field.negate(&twice_y) } else { twice_y };
                    sum = self.add(&sum, &Affine { x, twice_y });
                }
            }
        }
        sum
    }

    /// Returns the point times 1, 3, 5, …, as far as digits of that width go.
    fn odd_multiples(&self, point: &Affine<N>, width: usize) -> Vec<Affine<N>> {
        let mut multiple = self.jacobian(point);
        let twice = self.affine(&[self.double(&multiple)])[0];
        let mut multiples = vec![multiple];
        for _ in 1..1 << (width - 2) {
            multiple = self.add(&multiple, &twice);
            multiples.push(multiple);
        }
        self.affine(&multiples)
    }

    fn infinity(&self) -> Jacobian<N> {
        Jacobian { x: self.field.one(), twice_y: self.field.one(), z: [0; N] }
    }

    fn jacobian(&self, point: &Affine<N>) -> Jacobian<N> {
        Jacobian { x: point.x, twice_y: point.twice_y, z: self.field.one() }
    }

    /// Returns x = X/Z², 2y = Y/Z³ of points that are not at infinity. Only the product of all Z is inverted.
    fn affine(&self, points: &[Jacobian<N>]) -> Vec<Affine<N>> {
        let f = &self.field;
        let products = points.iter().scan(f.one(), |product, point| {
            let others = *product;
            *product = f.multiply(product, &point.z);
            Some((others, *product))
        });
        let products: Vec<_> = products.collect();
        let mut inverse = products.last().map_or(f.one(), |(_, all)| f.inverse(all));
        let mut affine = vec![];
        for (point, (others, _)) in points.iter().zip(&products).rev() {
            let own = f.multiply(&inverse, others);
            inverse = f.multiply(&inverse, &point.z);
            let squared = f.squared(&own);
            let x = f.multiply(&point.x, &squared);
            let twice_y = f.multiply(&point.twice_y, &f.multiply(&squared, &own));
            affine.push(Affine { x, twice_y });
        }
        affine.reverse();
        affine
    }

    fn double(&self, point: &Jacobian<N>) -> Jacobian<N> {
        let f = &self.field;
        let yy = f.squared(&point.twice_y);
        let zz = f.squared(&point.z);
        // The tangent's slope (3x² + a)/2y, times YZ: 3X² + aZ⁴.
        let third = match self.shape {
            Shape::MinusThree => f.multiply(&f.subtract(&point.x, &zz), &f.add(&point.x, &zz)),
            Shape::Zero | Shape::Other => f.squared(&point.x),
        };
        let mut slope = f.add(&f.add(&third, &third), &third);
        if self.shape == Shape::Other {
            slope = f.add(&slope, &f.multiply(&self.a, &f.squared(&zz)));
        }
        let xyy = f.multiply(&point.x, &yy);
        let x = f.subtract(&f.subtract(&f.squared(&slope), &xyy), &xyy);
        let back = f.subtract(&xyy, &x);
        let twice_y = f.subtract(&f.multiply(&slope, &f.add(&back, &back)), &f.squared(&yy));
        let z = f.multiply(&point.twice_y, &point.z);
        Jacobian { x, twice_y, z }
    }

    fn add(&self, left: &Jacobian<N>, right: &Affine<N>) -> Jacobian<N> {
        let f = &self.field;
        if f.is_zero(&left.z) {
            return self.jacobian(right);
        }
        // How far the right point is from the left one, over the left one's denominators.
        let zz = f.squared(&left.z);
        let h = f.subtract(&f.multiply(&right.x, &zz), &left.x);
        let d = f.subtract(&f.multiply(&right.twice_y, &f.multiply(&zz, &left.z)), &left.twice_y);
        if f.is_zero(&h) {
            // The same x: the same point, or its negative.
            return if f.is_zero(&d) { self.double(left) } else { self.infinity() };
        }
        // The slope is d/2hZ; 2hZ is the new denominator.
        let twice_h = f.add(&h, &h);
        let hh = f.squared(&twice_h);
        let hhh = f.multiply(&h, &hh);
        let v = f.multiply(&left.x, &hh);
        let x = f.subtract(&f.subtract(&f.subtract(&f.squared(&d), &hhh), &v), &v);
        let y = f.subtract(&f.multiply(&d, &f.subtract(&v, &x)), &f.multiply(&left.twice_y, &hhh));
        Jacobian { x, twice_y: f.add(&y, &y), z: f.multiply(&left.z, &twice_h) }
    }
}

/// Returns the scalar as odd digits between −2^(width−1) and 2^(width−1), each followed by at least width−1 zeros.
pub(super) fn digits<const N: usize>(scalar: &Number<N>, width: usize) -> Vec<i8> {
    let length = 64 * N + 1;
    let mut digits = vec![0; length];
    let (mut at, mut carry) = (0, 0u64);
    while at < length {
        if bits(scalar, at, 1) == carry {
            // Zero here, or two with the carry still to come: no digit.
            at += 1;
            continue;
        }
        let window = bits(scalar, at, width) + carry;
        carry = window >> (width - 1);
        digits[at] = (window as i64 - ((carry as i64) << width)) as i8;
        at += width;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::super::curve::CURVES;
    use super::super::fiat::P384;
    use super::super::number::{subtract, tests::numbers};
    use super::*;

    /// Returns x and y as they are; none at infinity.
    fn place<F: Field<6>>(group: &Group<6, F>, point: &Jacobian<6>) -> Option<[Number<6>; 2]> {
        let f = &group.field;
        (!f.is_zero(&point.z))
            .then(|| group.affine(&[*point])[0])
            .map(|Affine { x, twice_y }| [x, twice_y].map(|a| f.leave(&a)))
    }

    #[test]
    fn secp384r1_is_a_curve_like_others() {
        let curve = CURVES.iter().find(|curve| curve.name == "secp384r1").unwrap();
        let (own, other): (Group<6, P384>, Group<6>) =
            (Group::new(&curve.domain).unwrap(), Group::new(&curve.domain).unwrap());
        let mut scalars: Vec<Number<6>> = (0u8..4).map(|small| number(&[small]).unwrap()).collect();
        scalars.extend(scalars.clone().iter().map(|small| subtract(&own.order.value, small).0));
        scalars.extend(numbers::<6>(3).filter(|number| is_below(number, &own.order.value)).take(4));
        let mut at_infinity = 0;
        for multiple in [0, 1] {
            for u1 in &scalars {
                for u2 in &scalars {
                    let found = place(&own, &own.sum(u1, u2, &own.generator[multiple]));
                    let expected = place(&other, &other.sum(u1, u2, &other.generator[multiple]));
                    assert_eq!(found, expected, "{u1:x?} {u2:x?} {multiple}");
                    at_infinity += u32::from(found.is_none());
                }
            }
        }
        // u1 and u2 both 0 or the order, and opposite numbers.
        assert!(at_infinity > 10, "{at_infinity}");
    }
}
