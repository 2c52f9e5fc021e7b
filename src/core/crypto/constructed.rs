//! ECDSA values for every curve that are made so that one step of the verification is an exceptional one: tests.
//!
//! Expected is what SEC 1 §4.1.4 says, calculated with whole numbers of crypto-bigint and the schoolbook formulas of
//! affine points (SEC 1 §2.2.1), neither of which the verification uses.

use crypto_bigint::{BoxedUint, NonZero, Odd, Resize};

use super::curve::{CURVES, Curve};
use super::ecdsa::{self, Pair};
use super::error::VerifyError;

/// Bits that the product of two numbers of any curve fits in.
const BITS: u32 = 1_152;

fn number(digits: &str) -> BoxedUint {
    BoxedUint::from_be_slice(&super::bytes::unhex(digits), BITS).unwrap()
}

fn small(value: u64) -> BoxedUint {
    BoxedUint::from(value).resize(BITS)
}

/// The integers modulo an odd number.
struct Modulo(NonZero<BoxedUint>);

impl Modulo {
    fn new(digits: &str) -> Self {
        Self(NonZero::new(number(digits)).unwrap())
    }

    fn reduced(&self, a: &BoxedUint) -> BoxedUint {
        a.rem_vartime(&self.0)
    }

    fn add(&self, a: &BoxedUint, b: &BoxedUint) -> BoxedUint {
        self.reduced(&a.wrapping_add(b))
    }

    fn subtract(&self, a: &BoxedUint, b: &BoxedUint) -> BoxedUint {
        self.reduced(&a.wrapping_add(&*self.0).wrapping_sub(self.reduced(b)))
    }

    fn multiply(&self, a: &BoxedUint, b: &BoxedUint) -> BoxedUint {
        self.reduced(&a.wrapping_mul(b))
    }

    fn divide(&self, a: &BoxedUint, b: &BoxedUint) -> BoxedUint {
        let odd = Odd::new((*self.0).clone()).unwrap();
        self.multiply(a, &b.invert_odd_mod(&odd).into_option().expect("not 0 modulo a prime"))
    }

    /// Returns a square root, for a prime of 4k + 3.
    fn root(&self, a: &BoxedUint) -> Option<BoxedUint> {
        let exponent = self.0.wrapping_add(small(1)).shr(2);
        let mut root = small(1);
        for bit in (0..exponent.bit_width()).rev() {
            root = self.multiply(&root, &root);
            if exponent.bit_vartime(bit) {
                root = self.multiply(&root, a);
            }
        }
        (self.multiply(&root, &root) == self.reduced(a)).then_some(root)
    }
}

/// x and y; none at infinity.
type Point = Option<(BoxedUint, BoxedUint)>;

struct Reference {
    curve: &'static Curve,
    p: Modulo,
    n: Modulo,
    a: BoxedUint,
    b: BoxedUint,
    base: Point,
}

impl Reference {
    fn new(curve: &'static Curve) -> Self {
        let domain = &curve.domain;
        let base = Some((number(domain.x), number(domain.y)));
        let (p, n) = (Modulo::new(domain.p), Modulo::new(domain.n));
        Self { curve, p, n, a: number(domain.a), b: number(domain.b), base }
    }

    fn add(&self, left: &Point, right: &Point) -> Point {
        let (Some((x1, y1)), Some((x2, y2))) = (left, right) else { return left.clone().or(right.clone()) };
        let p = &self.p;
        let slope = if x1 != x2 {
            p.divide(&p.subtract(y2, y1), &p.subtract(x2, x1))
        } else if y1 == y2 && *y1 != small(0) {
            let xx = p.multiply(x1, x1);
            p.divide(&p.add(&p.multiply(&xx, &small(3)), &self.a), &p.add(y1, y1))
        } else {
            return None;
        };
        let x = p.subtract(&p.subtract(&p.multiply(&slope, &slope), x1), x2);
        let y = p.subtract(&p.multiply(&slope, &p.subtract(x1, &x)), y1);
        Some((x, y))
    }

    fn times(&self, factor: u64, point: &Point) -> Point {
        (0..64).rev().fold(None, |sum, bit| {
            let sum = self.add(&sum, &sum);
            if factor >> bit & 1 == 1 { self.add(&sum, point) } else { sum }
        })
    }

    fn negative(&self, point: &Point) -> Point {
        point.as_ref().map(|(x, y)| (x.clone(), self.p.subtract(&small(0), y)))
    }

    /// Returns the first point whose x is at least that and below the end; none where roots are not easily found.
    fn point_from(&self, least: &BoxedUint, end: &BoxedUint) -> Point {
        if !self.p.0.bit_vartime(1) {
            return None;
        }
        let mut x = least.clone();
        while x < *end {
            let cube = self.p.multiply(&self.p.multiply(&x, &x), &x);
            let right = self.p.add(&self.p.add(&cube, &self.p.multiply(&self.a, &x)), &self.b);
            match self.p.root(&right) {
                Some(y) => return Some((x, y)),
                None => x = x.wrapping_add(small(1)),
            }
        }
        None
    }

    fn bytes(&self, number: &BoxedUint, length: usize) -> Vec<u8> {
        let bytes = number.to_be_bytes();
        bytes[bytes.len() - length..].to_vec()
    }

    fn field_length(&self) -> usize {
        self.curve.domain.p.len() / 2
    }

    fn encoded(&self, point: &Point) -> Vec<u8> {
        let (x, y) = point.as_ref().expect("not at infinity");
        let length = self.field_length();
        [&[4][..], &self.bytes(x, length), &self.bytes(y, length)].concat()
    }

    /// Returns the digest from which verification takes this e: as many leading bits as the order has.
    fn digest(&self, e: &BoxedUint) -> Vec<u8> {
        let length = self.curve.order_length();
        let excess = length as u32 * 8 - self.n.0.bit_width();
        self.bytes(&e.shl(excess), length)
    }

    fn verify(&self, key: &Point, e: &BoxedUint, r: &BoxedUint, s: &BoxedUint) -> Result<(), VerifyError> {
        let [r, s] = [r, s].map(|number| number.to_be_bytes());
        let strip = super::bytes::strip_leading_zeros;
        let pair = Pair { r: strip(&r), s: strip(&s) };
        ecdsa::verify(self.curve, &self.encoded(key), &pair, &self.digest(e))
    }

    /// Asserts that the value is accepted, and nothing beside it is.
    fn accepts(&self, situation: &str, key: &Point, e: &BoxedUint, r: &BoxedUint, s: &BoxedUint) {
        let name = self.curve.name;
        let (n, one) = (&*self.n.0, small(1));
        assert_eq!(self.verify(key, e, r, s), Ok(()), "{name}: {situation}");
        assert_eq!(self.verify(key, e, r, &n.wrapping_sub(s)), Ok(()), "{name}: {situation}, −s");
        let (next, other) = (self.n.add(e, &one), self.negative(key));
        assert_eq!(self.verify(key, &next, r, s), Err(VerifyError::Invalid), "{name}: {situation}, e + 1");
        if self.n.reduced(e) != small(0) {
            assert_eq!(self.verify(&other, e, r, s), Err(VerifyError::Invalid), "{name}: {situation}, −Q");
        }
        for (beside, r, s) in [("r + 1", self.n.add(r, &one), s.clone()), ("s + 1", r.clone(), self.n.add(s, &one))] {
            assert!(self.verify(key, e, &r, &s).is_err(), "{name}: {situation}, {beside}");
        }
        for (outside, r, s) in [
            ("r = 0", small(0), s.clone()),
            ("s = 0", r.clone(), small(0)),
            ("r + n", r.wrapping_add(n), s.clone()),
            ("s + n", r.clone(), s.wrapping_add(n)),
            ("r = n", n.clone(), s.clone()),
            ("s = n", r.clone(), n.clone()),
        ] {
            let found = self.verify(key, e, &r, &s);
            assert!(matches!(found, Err(VerifyError::Value { .. })), "{name}: {situation}, {outside}: {found:?}");
        }
    }
}

/// Returns two numbers of 64 bits, others for each curve.
fn secrets(curve: &Curve) -> [u64; 2] {
    let seed = curve
        .name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    [seed | 1 << 63, seed.rotate_left(29) | 1 << 62]
}

#[test]
fn every_digest_and_every_sum() {
    for curve in &CURVES {
        let it = Reference::new(curve);
        let [d, k] = secrets(curve);
        let (key, point) = (it.times(d, &it.base), it.times(k, &it.base));
        let (d, k) = (small(d), small(k));
        let r = it.n.reduced(&point.expect("k is below the order").0);
        let rd = it.n.multiply(&r, &d);
        let ones = small(1).shl(it.n.0.bit_width()).wrapping_sub(small(1));
        let n = &*it.n.0;
        for (situation, e) in [
            ("e = 0", small(0)),
            ("e = 1", small(1)),
            ("e = n − 1", n.wrapping_sub(small(1))),
            ("e = n", n.clone()),
            ("e all ones", ones.clone()),
            ("only the highest bit of e", small(1).shl(n.bit_width() - 1)),
            ("u1·G = u2·Q", rd.clone()),
        ] {
            let s = it.n.divide(&it.n.add(&it.n.reduced(&e), &rd), &k);
            it.accepts(situation, &key, &e, &r, &s);
        }
        // The sum is at infinity, whatever r and s: a comparison of X with r·Z² would find both 0.
        for r in [r.clone(), small(1), n.wrapping_sub(small(1))] {
            let e = it.n.subtract(&small(0), &it.n.multiply(&r, &d));
            for s in [small(1), k.clone(), n.wrapping_sub(small(1))] {
                let found = it.verify(&key, &e, &r, &s);
                assert_eq!(found, Err(VerifyError::Invalid), "{}: u1·G = −u2·Q", curve.name);
            }
        }
        // Keys that are the generator, its negative, and its double, which meet its multiples.
        for (d, key) in [(1, it.base.clone()), (0, it.negative(&it.base)), (2, it.times(2, &it.base))] {
            let d = if d == 0 { n.wrapping_sub(small(1)) } else { small(d) };
            let rd = it.n.multiply(&r, &d);
            for e in [small(0), rd.clone(), it.n.multiply(&rd, &small(2)), ones.clone()] {
                let s = it.n.divide(&it.n.add(&it.n.reduced(&e), &rd), &k);
                it.accepts("a key beside the generator", &key, &e, &r, &s);
            }
        }
    }
}

#[test]
fn x_past_the_order() {
    let (mut past, mut wrapped, mut carried, mut beyond) = (vec![], vec![], vec![], vec![]);
    for curve in &CURVES {
        let it = Reference::new(curve);
        let (p, n) = (&*it.p.0, &*it.n.0);
        let u1 = secrets(curve)[0];
        // With u2 = 1 the key that has R as the sum is R − u1·G; s is r, and e is u1·r.
        let value = |point: &Point, r: &BoxedUint| {
            let key = it.add(point, &it.negative(&it.times(u1, &it.base)));
            (key, it.n.multiply(&small(u1), r))
        };
        // x between the order and the prime: r is x − n.
        if n < p
            && let point @ Some(_) = it.point_from(&n.wrapping_add(small(1)), p)
        {
            let r = point.as_ref().map(|(x, _)| x.wrapping_sub(n)).unwrap_or(small(0));
            let (key, e) = value(&point, &r);
            it.accepts("x ≥ n", &key, &e, &r, &r);
            past.push(curve.name);
        }
        // r + n is x, but for the prime: r + n ≥ p.
        if n < p
            && let point @ Some(_) = it.point_from(&small(1), n)
        {
            let r = point.as_ref().map(|(x, _)| x.wrapping_add(p).wrapping_sub(n)).unwrap_or(small(0));
            let (key, e) = value(&point, &r);
            assert_eq!(it.verify(&key, &e, &r, &r), Err(VerifyError::Invalid), "{}: r + n ≥ p", curve.name);
            wrapped.push(curve.name);
        }
        // r + n is x, but for what the limbs that hold it have no room for.
        let limbs = [4, 6, 8, 9].into_iter().find(|limbs| 64 * limbs >= n.bit_width()).expect("at most 576 bits");
        let limit = small(1).shl(64 * limbs);
        if n.bit_width() == 64 * limbs
            && let point @ Some(_) = it.point_from(&small(1), &n.wrapping_add(n).wrapping_sub(&limit))
        {
            let r = point.as_ref().map(|(x, _)| x.wrapping_add(&limit).wrapping_sub(n)).unwrap_or(small(0));
            let (key, e) = value(&point, &r);
            assert_eq!(it.verify(&key, &e, &r, &r), Err(VerifyError::Invalid), "{}: r + n ≥ 2^64·N", curve.name);
            carried.push(curve.name);
        }
        // r is x, but for the prime: r ≥ p.
        if n > p
            && let point @ Some(_) = it.point_from(&small(1), &n.wrapping_sub(p))
        {
            let r = point.as_ref().map(|(x, _)| x.wrapping_add(p)).unwrap_or(small(0));
            let (key, e) = value(&point, &r);
            assert_eq!(it.verify(&key, &e, &r, &r), Err(VerifyError::Invalid), "{}: r ≥ p", curve.name);
            beyond.push(curve.name);
        }
    }
    // Of the others either the order is greater, or the prime is none of 4k + 3 (secp224k1, secp224r1).
    let found = [past, wrapped, carried, beyond];
    assert_eq!(found.each_ref().map(Vec::len), [21, 21, 9, 3], "{found:?}");
}

#[test]
fn points() {
    for curve in &CURVES {
        let it = Reference::new(curve);
        let (p, length) = (&*it.p.0, it.field_length());
        let has = |bytes: &[u8]| curve.arithmetic().has_point(bytes);
        let point = it.times(secrets(curve)[1], &it.base);
        let (x, y) = point.clone().expect("not at infinity");
        let whole = it.encoded(&point);
        assert!(has(&whole) && has(&it.encoded(&it.negative(&point))), "{}", curve.name);
        let beside = Some((x.clone(), it.p.add(&y, &small(1))));
        assert!(!has(&it.encoded(&beside)), "{}: beside the curve", curve.name);
        assert!(!has(&whole[..whole.len() - 1]) && !has(&[&whole[..], &[0]].concat()), "{}: length", curve.name);
        for form in [0, 1, 5, 6, 7] {
            assert!(!has(&[&[form], &whole[1..]].concat()), "{}: form {form}", curve.name);
        }
        assert!(!has(&[0]) && !has(&[]) && !has(&[4]), "{}: infinity, nothing", curve.name);
        // Coordinates not below the prime, where they fit as many bytes.
        let limit = small(1).shl(8 * length as u32);
        if let point @ Some(_) = it.point_from(&small(1), &limit.wrapping_sub(p)) {
            let (x, y) = point.clone().expect("some");
            assert!(has(&it.encoded(&point)), "{}", curve.name);
            let too_great = x.wrapping_add(p);
            assert!(!has(&it.encoded(&Some((too_great.clone(), y)))), "{}: x ≥ p", curve.name);
            assert!(!has(&[&[2][..], &it.bytes(&too_great, length)].concat()), "{}: x ≥ p, compressed", curve.name);
        }
        if y.wrapping_add(p) < limit {
            assert!(!has(&it.encoded(&Some((x.clone(), y.wrapping_add(p))))), "{}: y ≥ p", curve.name);
        }
        // Compressed: both parities of x, and half of the numbers are no x.
        let compressed = |form: u8, x: &BoxedUint| [&[form][..], &it.bytes(x, length)].concat();
        if p.bit_vartime(1) {
            let mut off = x.clone();
            while it.point_from(&off, &off.wrapping_add(small(1))).is_some() {
                off = it.p.add(&off, &small(1));
            }
            assert!(has(&compressed(2, &x)) && has(&compressed(3, &x)), "{}", curve.name);
            assert!(!has(&compressed(2, &off)) && !has(&compressed(3, &off)), "{}: no x", curve.name);
            // The y that is meant: a value by one of both keys does not verify with the other.
            let [d, k] = secrets(curve);
            let (key, r) = (it.times(d, &it.base), it.times(k, &it.base).expect("below the order").0);
            let (r, e) = (it.n.reduced(&r), small(1));
            let s = it.n.divide(&it.n.add(&e, &it.n.multiply(&r, &small(d))), &small(k));
            let (x, y) = key.expect("below the order");
            let odd = u8::from(y.bit_vartime(0));
            let [r, s] = [&r, &s].map(|number| number.to_be_bytes());
            let strip = super::bytes::strip_leading_zeros;
            let verify = |form| {
                let pair = Pair { r: strip(&r), s: strip(&s) };
                ecdsa::verify(curve, &compressed(form, &x), &pair, &it.digest(&e))
            };
            assert_eq!(verify(2 + odd), Ok(()), "{}: compressed", curve.name);
            assert_eq!(verify(3 - odd), Err(VerifyError::Invalid), "{}: compressed, the other", curve.name);
        }
    }
}
