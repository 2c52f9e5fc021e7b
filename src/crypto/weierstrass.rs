//! Short Weierstrass curves over prime fields with prime order, for verification only.
//!
//! Points are in Jacobian coordinates (x = X/Z², y = Y/Z³; Z = 0 is the point at
//! infinity), numbers of the field in Montgomery's form. Two multiples are added
//! in one pass over both scalars (Straus), each written with few non-zero digits
//! (NAF of some width). Time depends on the input: public data only.

use super::curve::{Curve, unhex};
use super::field::Field;
use super::montgomery::{Modulus, Number, add, is_below, number};

/// Width of the digits for the generator, whose multiples are kept: 32 odd ones, 2 to 4 KiB a curve.
const GENERATOR_WIDTH: usize = 7;
/// Width of the digits for a key's point, whose multiples are made for each verification.
const POINT_WIDTH: usize = 5;

/// A curve ready for calculation.
#[derive(Debug)]
pub(super) struct Group<const N: usize, F = Modulus<N>> {
    field: F,
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
    y: Number<N>,
}

#[derive(Debug, Clone, Copy)]
struct Jacobian<const N: usize> {
    x: Number<N>,
    y: Number<N>,
    z: Number<N>,
}

impl<const N: usize, F: Field<N>> Group<N, F> {
    /// From a row of the table of curves; none if it does not fit N limbs.
    pub fn new(curve: &Curve) -> Option<Self> {
        let field = F::new(&unhex(curve.p))?;
        let order = Modulus::new(&unhex(curve.n))?;
        let element = |digits: &str| number(&unhex(digits)).map(|number| field.enter(&number));
        let (a, b) = (element(curve.a)?, element(curve.b)?);
        let base = Affine { x: element(curve.x)?, y: element(curve.y)? };
        let three = field.add(&field.one(), &field.add(&field.one(), &field.one()));
        let shape = match a {
            a if field.is_zero(&field.add(&a, &three)) => Shape::MinusThree,
            a if field.is_zero(&a) => Shape::Zero,
            _ => Shape::Other,
        };
        let order_bits = bit_length(&order.value);
        let mut group = Self { field, order, order_bits, a, shape, b, generator: vec![] };
        group.generator = group.affine(&group.odd_multiples(&base, 1 << (GENERATOR_WIDTH - 2)));
        Some(group)
    }

    /// SEC 1 §2.3.4: 04 x y, or 02 or 03 and x; the point is on the curve and not at infinity.
    pub fn point(&self, octets: &[u8], length: usize) -> Option<Affine<N>> {
        let (form, rest) = octets.split_first()?;
        let element = |octets: &[u8]| {
            let number = number(octets).filter(|number| is_below(number, self.field.prime()))?;
            Some(self.field.enter(&number))
        };
        match form {
            4 if rest.len() == 2 * length => {
                let (x, y) = (element(&rest[..length])?, element(&rest[length..])?);
                self.field.is_same(&self.field.squared(&y), &self.right_side(&x)).then_some(Affine { x, y })
            }
            2 | 3 if rest.len() == length => {
                let x = element(rest)?;
                let y = self.square_root(&self.right_side(&x))?;
                let odd = self.field.leave(&y)[0] & 1 == 1;
                Some(Affine { x, y: if odd == (*form == 3) { y } else { self.field.negate(&y) } })
            }
            _ => None,
        }
    }

    /// x³ + ax + b.
    fn right_side(&self, x: &Number<N>) -> Number<N> {
        let f = &self.field;
        f.add(&f.multiply(&f.add(&f.squared(x), &self.a), x), &self.b)
    }

    /// For p ≡ 3 modulo 4, a^((p+1)/4): all curves of the table but secp224r1 and secp224k1.
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

    /// ECDSA verification, FIPS 186-5 §6.4.2: r and s big-endian, `digest` as its function yields it.
    pub fn verifies(&self, point: &Affine<N>, digest: &[u8], r: &[u8], s: &[u8]) -> Option<bool> {
        let n = &self.order;
        let inside = |octets: &[u8]| number(octets).filter(|number| *number != [0; N] && is_below(number, &n.value));
        let (r, s) = (inside(r)?, inside(s)?);
        let e = self.leading_bits(digest);
        let w = n.inverse(&n.enter(&s));
        // One factor in Montgomery's form and one not: the product is not.
        let (u1, u2) = (n.multiply(&e, &w), n.multiply(&r, &w));
        let sum = self.sum(&u1, &u2, point);
        Some(!self.field.is_zero(&sum.z) && self.has_x(&sum, &r))
    }

    /// As many leading bits of the digest as the order has.
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

    /// Whether the point's x, modulo the order, is r; without leaving the coordinates.
    fn has_x(&self, point: &Jacobian<N>, r: &Number<N>) -> bool {
        let f = &self.field;
        let zz = f.squared(&point.z);
        let is = |x: &Number<N>| is_below(x, f.prime()) && f.is_same(&f.multiply(&f.enter(x), &zz), &point.x);
        let (wrapped, over) = add(r, &self.order.value);
        is(r) || (!over && is(&wrapped))
    }

    /// u1·generator + u2·point.
    fn sum(&self, u1: &Number<N>, u2: &Number<N>, point: &Affine<N>) -> Jacobian<N> {
        let multiples: Vec<_> =
            self.odd_multiples(point, 1 << (POINT_WIDTH - 2)).iter().map(|p| self.prepare(p)).collect();
        let (digits1, digits2) = (digits(u1, GENERATOR_WIDTH), digits(u2, POINT_WIDTH));
        let mut sum = Jacobian { x: self.field.one(), y: self.field.one(), z: [0; N] };
        for index in (0..digits1.len()).rev() {
            sum = self.double(&sum);
            match digits1[index] {
                0 => {}
                digit => {
                    let Affine { x, y } = self.generator[usize::from(digit.unsigned_abs()) / 2];
                    let y = if digit < 0 { self.field.negate(&y) } else { y };
                    sum = self.add_affine(&sum, &Affine { x, y });
                }
            }
            match digits2[index] {
                0 => {}
                digit => sum = self.add(&sum, &multiples[usize::from(digit.unsigned_abs()) / 2], digit < 0),
            }
        }
        sum
    }

    /// The point times 1, 3, 5, …
    fn odd_multiples(&self, point: &Affine<N>, count: usize) -> Vec<Jacobian<N>> {
        let first = Jacobian { x: point.x, y: point.y, z: self.field.one() };
        let twice = self.prepare(&self.double(&first));
        let mut multiples = vec![first];
        for index in 1..count {
            multiples.push(self.add(&multiples[index - 1], &twice, false));
        }
        multiples
    }

    /// x = X/Z², y = Y/Z³ of points that are not at infinity.
    fn affine(&self, points: &[Jacobian<N>]) -> Vec<Affine<N>> {
        let f = &self.field;
        let one = |point: &Jacobian<N>| {
            let inverse = f.inverse(&point.z);
            let squared = f.squared(&inverse);
            Affine { x: f.multiply(&point.x, &squared), y: f.multiply(&point.y, &f.multiply(&squared, &inverse)) }
        };
        points.iter().map(one).collect()
    }

    #[inline]
    fn double(&self, point: &Jacobian<N>) -> Jacobian<N> {
        let f = &self.field;
        let twice = |a: &Number<N>| f.add(a, a);
        let yy = f.squared(&point.y);
        let zz = f.squared(&point.z);
        // The tangent's slope, times 2YZ: 3X² + aZ⁴.
        let slope = match self.shape {
            Shape::MinusThree => {
                let product = f.multiply(&f.subtract(&point.x, &zz), &f.add(&point.x, &zz));
                f.add(&twice(&product), &product)
            }
            Shape::Zero | Shape::Other => {
                let xx = f.squared(&point.x);
                let slope = f.add(&twice(&xx), &xx);
                if self.shape == Shape::Zero { slope } else { f.add(&slope, &f.multiply(&self.a, &f.squared(&zz))) }
            }
        };
        let xyy4 = twice(&twice(&f.multiply(&point.x, &yy)));
        let yyyy8 = twice(&f.squared(&twice(&yy)));
        let x = f.subtract(&f.squared(&slope), &twice(&xyy4));
        let y = f.subtract(&f.multiply(&slope, &f.subtract(&xyy4, &x)), &yyyy8);
        let z = twice(&f.multiply(&point.y, &point.z));
        Jacobian { x, y, z }
    }

    fn prepare(&self, point: &Jacobian<N>) -> Prepared<N> {
        let zz = self.field.squared(&point.z);
        Prepared { point: *point, zz, zzz: self.field.multiply(&zz, &point.z) }
    }

    /// left + right, or left − right.
    fn add(&self, left: &Jacobian<N>, right: &Prepared<N>, negate: bool) -> Jacobian<N> {
        let f = &self.field;
        let right_y = if negate { f.negate(&right.point.y) } else { right.point.y };
        if f.is_zero(&left.z) {
            return Jacobian { y: right_y, ..right.point };
        }
        let zz = f.squared(&left.z);
        let u1 = f.multiply(&left.x, &right.zz);
        let u2 = f.multiply(&right.point.x, &zz);
        let s1 = f.multiply(&left.y, &right.zzz);
        let s2 = f.multiply(&right_y, &f.multiply(&zz, &left.z));
        let z = f.multiply(&left.z, &right.point.z);
        self.chord(left, &u1, &s1, &f.subtract(&u2, &u1), &f.subtract(&s2, &s1), &z)
    }

    fn add_affine(&self, left: &Jacobian<N>, right: &Affine<N>) -> Jacobian<N> {
        let f = &self.field;
        if f.is_zero(&left.z) {
            return Jacobian { x: right.x, y: right.y, z: f.one() };
        }
        let zz = f.squared(&left.z);
        let u2 = f.multiply(&right.x, &zz);
        let s2 = f.multiply(&right.y, &f.multiply(&zz, &left.z));
        self.chord(left, &left.x, &left.y, &f.subtract(&u2, &left.x), &f.subtract(&s2, &left.y), &left.z)
    }

    /// The third point on the line through two: (u1, s1) is the left one over the common denominator `z`, and
    /// (h, d) the difference of the right one to it.
    #[inline(always)]
    fn chord(
        &self,
        left: &Jacobian<N>,
        u1: &Number<N>,
        s1: &Number<N>,
        h: &Number<N>,
        d: &Number<N>,
        z: &Number<N>,
    ) -> Jacobian<N> {
        let f = &self.field;
        if f.is_zero(h) {
            // The same x: the same point, or its negative.
            return if f.is_zero(d) { self.double(left) } else { Jacobian { x: f.one(), y: f.one(), z: [0; N] } };
        }
        let hh = f.squared(h);
        let hhh = f.multiply(h, &hh);
        let v = f.multiply(u1, &hh);
        let x = f.subtract(&f.subtract(&f.squared(d), &hhh), &f.add(&v, &v));
        let y = f.subtract(&f.multiply(d, &f.subtract(&v, &x)), &f.multiply(s1, &hhh));
        Jacobian { x, y, z: f.multiply(z, h) }
    }
}

/// A point with the powers of its Z that additions need.
struct Prepared<const N: usize> {
    point: Jacobian<N>,
    zz: Number<N>,
    zzz: Number<N>,
}

fn bit_length<const N: usize>(a: &Number<N>) -> usize {
    let zeros = a.iter().rev().take_while(|limb| **limb == 0).count();
    a.get(N.wrapping_sub(zeros + 1)).map_or(0, |top| 64 * (N - zeros) - top.leading_zeros() as usize)
}

/// The scalar as odd digits between −2^(width−1) and 2^(width−1), each followed by at least width−1 zeros.
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

/// `count` bits from `at`; beyond the number there are zeros.
fn bits<const N: usize>(number: &Number<N>, at: usize, count: usize) -> u64 {
    let (limb, shift) = (at / 64, at % 64);
    let low = number.get(limb).copied().unwrap_or(0) >> shift;
    let high = if shift == 0 { 0 } else { number.get(limb + 1).copied().unwrap_or(0) << (64 - shift) };
    (low | high) & ((1 << count) - 1)
}
