//! EdDSA: RFC 8032 §5.1.7 and §5.2.7.

use std::sync::OnceLock;

use ::digest::{ExtendableOutput, Update, XofReader};

use super::bytes::unhex;
use super::error::VerifyError;
use super::fiat::P448;
use super::field::Field;
use super::montgomery::Modulus;
use super::number::{Number, is_below, number, shifted_right};
use super::weierstrass::digits;

/// What a key of small order is not: then one value is good for every message, or for every eighth one.
const LARGE_ORDER: &str = "a point of large order, canonically encoded (RFC 8032 §5.1.3, FIPS 186-5 §7.8)";

/// y of the points whose order divides 8, without the sign of x: 1, −1, 0 and two of order 8.
const SMALL_ORDER: [[u8; 32]; 5] = [
    little_endian(1, 0, 0),
    little_endian(0xec, 0xff, 0x7f),
    [0; 32],
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf,
        0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20,
        0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
];

/// 2^255 − 19.
const P25519: [u8; 32] = little_endian(0xed, 0xff, 0x7f);

const fn little_endian(first: u8, between: u8, last: u8) -> [u8; 32] {
    let mut bytes = [between; 32];
    bytes[0] = first;
    bytes[31] = last;
    bytes
}

/// Returns whether the first 32 bytes encode, as decoders take them, a point whose order divides 8.
fn is_small_25519(bytes: &[u8]) -> bool {
    let Some((last, low)) = bytes.get(..32).and_then(<[u8]>::split_last) else { return false };
    SMALL_ORDER.iter().any(|y| low == &y[..31] && last & 0x7f == y[31])
}

/// Checks that the key is a canonically encoded point of large order.
pub(super) fn validate_ed25519(key: &[u8; 32]) -> Result<(), &'static str> {
    let mut y = *key;
    y[31] &= 0x7f;
    // RFC 8032 §5.1.3 1): y below p. The points with x = 0, which have no sign, are of small order.
    if !y.iter().rev().lt(P25519.iter().rev()) || is_small_25519(key) {
        return Err(LARGE_ORDER);
    }
    ed25519_dalek::VerifyingKey::from_bytes(key).map(|_| ()).map_err(|_| "a point of its curve (RFC 8032 §5.1.3)")
}

/// Checks that the key is a canonically encoded point of large order.
pub(super) fn validate_ed448(key: &[u8; 57]) -> Result<(), &'static str> {
    let group = Ed448::get();
    let point = group.decode(key).ok_or("a point of its curve (RFC 8032 §5.2.3)")?;
    if group.is_small(&point) { Err(LARGE_ORDER) } else { Ok(()) }
}

/// Verifies an Ed25519 signature: equation without cofactor, canonical encodings only, as RFC 8032's strict reading and
/// its users do.
pub(super) fn verify_ed25519(key: &[u8; 32], message: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    use signature::Verifier;
    let key = ed25519_dalek::VerifyingKey::from_bytes(key)
        .map_err(|_| VerifyError::Key { expected: "a point of its curve (RFC 8032 §5.1.3)" })?;
    let value = ed25519_dalek::Signature::from_slice(value)
        .map_err(|_| VerifyError::Value { expected: "64 bytes (RFC 8032 §5.1.6)" })?;
    // The equation holds for canonical encodings of R only; of those the ones of small order are known.
    if is_small_25519(value.r_bytes()) {
        return Err(VerifyError::Value { expected: "a point of large order and an integer (FIPS 186-5 §7.8)" });
    }
    key.verify(message, &value).map_err(|_| VerifyError::Invalid)
}

/// Verifies an Ed448 signature, with the step numbers of RFC 8032 §5.2.7.
pub(super) fn verify_ed448(key: &[u8; 57], message: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    let group = Ed448::get();
    // 1) Two halves, S below the order, the key a point.
    let key_point =
        group.decode(key).ok_or(VerifyError::Key { expected: "a point of its curve (RFC 8032 §5.2.3)" })?;
    let wrong = VerifyError::Value { expected: "a point and an integer below the order (RFC 8032 §5.2.7)" };
    let (r, s) = value.split_at_checked(57).filter(|(_, s)| s.len() == 57).ok_or(wrong.clone())?;
    let big_endian = |bytes: &[u8]| bytes.iter().rev().copied().collect::<Vec<u8>>();
    let s = number(&big_endian(s)).filter(|s| is_below(s, &group.order.value)).ok_or(wrong)?;
    // 2) k: SHAKE256 over dom4(0, ""), R, A and the message.
    let mut shake = shake::Shake256::default();
    for piece in [b"SigEd448\0\0".as_slice(), r, key, message] {
        shake.update(piece);
    }
    let mut k = [0; 114];
    shake.finalize_xof().read(&mut k);
    let k = group.order.reduced(&big_endian(&k));
    // 3) S·B = R + k·A, that is R = S·B − k·A; without the cofactor, which the clause leaves open.
    let negative = Point { x: group.field.negate(&key_point.x), ..key_point };
    let sum = group.sum(&s, &group.base, &k, &negative);
    if group.encode(&sum) == *r && !group.is_small(&sum) { Ok(()) } else { Err(VerifyError::Invalid) }
}

/// The curve x² + y² = 1 + d·x²·y²: RFC 8032 §5.2.
struct Ed448 {
    field: P448,
    order: Modulus<7>,
    d: Number<8>,
    base: Point,
}

/// x = X/Z, y = Y/Z.
#[derive(Clone, Copy)]
struct Point {
    x: Number<8>,
    y: Number<8>,
    z: Number<8>,
}

impl Ed448 {
    fn get() -> &'static Self {
        static GROUP: OnceLock<Ed448> = OnceLock::new();
        GROUP.get_or_init(Self::new)
    }

    /// Returns whether the order divides the cofactor 4: four times the point is neutral, x = 0 and y = 1.
    fn is_small(&self, point: &Point) -> bool {
        let four = self.double(&self.double(point));
        self.field.is_zero(&four.x) && self.field.is_same(&four.y, &four.z)
    }

    fn new() -> Self {
        const P: &str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffe\
                         ffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
        const L: &str = "3fffffffffffffffffffffffffffffffffffffffffffffffffffffff\
                         7cca23e9c44edb49aed63690216cc2728dc58f552378c292ab5844f3";
        const X: &str = "4f1970c66bed0ded221d15a622bf36da9e146570470f1767ea6de324\
                         a3d3a46412ae1af72ab66511433b80e18b00938e2626a82bc70cc05e";
        const Y: &str = "693f46716eb6bc248876203756c9c7624bea73736ca3984087789c1e\
                         05a0c2d73ad3ff1ce67c39c4fdbd132c4ed7c8ad9808795bf230fa14";
        let field = P448::new(&unhex(P)).expect("a test makes the curve");
        let order = Modulus::new(&unhex(L)).expect("an odd constant of 446 bits");
        let element = |digits| field.enter(&number(&unhex(digits)).expect("a constant of 448 bits"));
        let d = field.negate(&field.enter(&[39_081, 0, 0, 0, 0, 0, 0, 0]));
        let base = Point { x: element(X), y: element(Y), z: field.one() };
        Self { field, order, d, base }
    }

    /// Decodes a point (RFC 8032 §5.2.3).
    fn decode(&self, bytes: &[u8; 57]) -> Option<Point> {
        let f = &self.field;
        // 1) y, and the sign of x in the topmost bit.
        let (sign, rest) = (bytes[56] >> 7, bytes[56] & 0x7f);
        let y: Vec<u8> = bytes[..56].iter().rev().copied().collect();
        let y = number(&y).filter(|y| rest == 0 && is_below(y, f.prime()))?;
        let y = f.enter(&y);
        // 2) and 3) x = ±√((y² − 1)/(d·y² − 1)) = u³·v·(u⁵·v³)^((p−3)/4).
        let yy = f.squared(&y);
        let u = f.subtract(&yy, &f.one());
        let v = f.subtract(&f.multiply(&self.d, &yy), &f.one());
        let uuv = f.multiply(&f.squared(&u), &v);
        let u3v = f.multiply(&uuv, &u);
        let u5v3 = f.multiply(&u3v, &f.multiply(&uuv, &v));
        // p ends with ones.
        let exponent = shifted_right(f.prime(), 0, 2);
        let x = f.multiply(&u3v, &f.power(&u5v3, &exponent));
        if !f.is_same(&f.multiply(&v, &f.squared(&x)), &u) {
            return None;
        }
        // 4) The sign; zero has none.
        let odd = (f.leave(&x)[0] & 1) as u8;
        match (f.is_zero(&x), sign) {
            (true, 1) => None,
            _ => Some(Point { x: if odd == sign { x } else { f.negate(&x) }, y, z: f.one() }),
        }
    }

    /// Encodes a point (RFC 8032 §5.2.2).
    fn encode(&self, point: &Point) -> [u8; 57] {
        let f = &self.field;
        let inverse = f.inverse(&point.z);
        let (x, y) = (f.leave(&f.multiply(&point.x, &inverse)), f.leave(&f.multiply(&point.y, &inverse)));
        let mut bytes = [0; 57];
        for (piece, limb) in bytes.chunks_exact_mut(8).zip(y) {
            piece.copy_from_slice(&limb.to_le_bytes());
        }
        bytes[56] = ((x[0] & 1) as u8) << 7;
        bytes
    }

    /// Returns s·left + k·right.
    fn sum(&self, s: &Number<7>, left: &Point, k: &Number<7>, right: &Point) -> Point {
        const WIDTH: usize = 5;
        let multiples = [left, right].map(|point| self.odd_multiples(point, 1 << (WIDTH - 2)));
        let digits = [s, k].map(|scalar| digits(scalar, WIDTH));
        let mut sum = Point { x: [0; 8], y: self.field.one(), z: self.field.one() };
        for index in (0..digits[0].len()).rev() {
            sum = self.double(&sum);
            for (multiples, digits) in multiples.iter().zip(&digits) {
                let digit = digits[index];
                if digit != 0 {
                    let Point { x, y, z } = multiples[usize::from(digit.unsigned_abs()) / 2];
                    let x = if digit < 0 { self.field.negate(&x) } else { x };
                    sum = self.add(&sum, &Point { x, y, z });
                }
            }
        }
        sum
    }

    /// Returns the point times 1, 3, 5, …
    fn odd_multiples(&self, point: &Point, count: usize) -> Vec<Point> {
        let twice = self.double(point);
        std::iter::successors(Some(*point), |last| Some(self.add(last, &twice))).take(count).collect()
    }

    /// Adds two points (RFC 8032 §5.2.4); holds for all points, since d is not a square.
    fn add(&self, left: &Point, right: &Point) -> Point {
        let f = &self.field;
        let a = f.multiply(&left.z, &right.z);
        let b = f.squared(&a);
        let c = f.multiply(&left.x, &right.x);
        let d = f.multiply(&left.y, &right.y);
        let e = f.multiply(&self.d, &f.multiply(&c, &d));
        let (minus, plus) = (f.subtract(&b, &e), f.add(&b, &e));
        let h = f.multiply(&f.add(&left.x, &left.y), &f.add(&right.x, &right.y));
        let cross = f.subtract(&f.subtract(&h, &c), &d);
        Point {
            x: f.multiply(&f.multiply(&a, &minus), &cross),
            y: f.multiply(&f.multiply(&a, &plus), &f.subtract(&d, &c)),
            z: f.multiply(&minus, &plus),
        }
    }

    /// Doubles a point (RFC 8032 §5.2.4).
    fn double(&self, point: &Point) -> Point {
        let f = &self.field;
        let b = f.squared(&f.add(&point.x, &point.y));
        let (c, d) = (f.squared(&point.x), f.squared(&point.y));
        let e = f.add(&c, &d);
        let h = f.squared(&point.z);
        let j = f.subtract(&e, &f.add(&h, &h));
        Point { x: f.multiply(&f.subtract(&b, &e), &j), y: f.multiply(&e, &f.subtract(&c, &d)), z: f.multiply(&e, &j) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::{add, bytes, subtract};
    use super::*;

    /// RFC 8032 §7.4, "Blank".
    const KEY: &str = "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180";
    const VALUE: &str = "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980\
                         ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4dbb61149f05a7363268c71d95808ff2e652600";

    fn encoded<const N: usize>(number: &Number<N>, sign: u8) -> [u8; 57] {
        let mut bytes: Vec<u8> = bytes(number).into_iter().rev().take(56).collect();
        bytes.push(sign << 7);
        bytes.try_into().unwrap()
    }

    fn small(value: u64) -> Number<8> {
        let mut number = [0; 8];
        number[0] = value;
        number
    }

    #[test]
    fn points_of_ed448_have_one_encoding() {
        let group = Ed448::get();
        let prime = *group.field.prime();
        let mut points = 0;
        for y in 0..40 {
            for sign in [0, 1] {
                let Some(point) = group.decode(&encoded(&small(y), sign)) else { continue };
                assert_eq!(group.encode(&point), encoded(&small(y), sign), "{y}");
                assert!(group.decode(&encoded(&add(&small(y), &prime).0, sign)).is_none(), "{y} + p");
                let mut beyond = encoded(&small(y), sign);
                beyond[56] |= 0x40;
                assert!(group.decode(&beyond).is_none(), "{y} + 2^454");
                points += 1;
            }
        }
        assert!(points > 20, "{points}");
        // x = 0 has no sign.
        for y in [small(1), subtract(&prime, &small(1)).0] {
            assert!(group.decode(&encoded(&y, 0)).is_some_and(|point| group.is_small(&point)));
            assert!(group.decode(&encoded(&y, 1)).is_none(), "−0");
        }
    }

    #[test]
    fn values_of_ed448() {
        let (group, key, value) = (Ed448::get(), unhex(KEY).try_into().unwrap(), unhex(VALUE));
        assert_eq!(verify_ed448(&key, b"", &value), Ok(()));
        assert_eq!(verify_ed448(&key, b" ", &value), Err(VerifyError::Invalid));
        let (r, s) = value.split_at(57);
        let s: Number<7> = number(&s.iter().rev().copied().collect::<Vec<u8>>()).unwrap();
        let with = |s: &Number<7>| verify_ed448(&key, b"", &[r, &encoded(s, 0)].concat());
        assert_eq!(with(&s), Ok(()));
        for outside in [add(&s, &group.order.value).0, group.order.value, [u64::MAX; 7]] {
            assert!(matches!(with(&outside), Err(VerifyError::Value { .. })), "S + order: {outside:x?}");
        }
        let below = subtract(&group.order.value, &s).0;
        assert_eq!(with(&below), Err(VerifyError::Invalid), "−S");
        for length in [0, 56, 57, 113, 115] {
            let bytes = [&value[..], &[0]].concat();
            assert!(matches!(verify_ed448(&key, b"", &bytes[..length]), Err(VerifyError::Value { .. })), "{length}");
        }
    }

    #[test]
    fn a_value_of_ed448_with_r_of_small_order_is_bad() {
        let group = Ed448::get();
        // The key is five times the base; S = 5·k makes S·B − k·A neutral.
        let five = [5, 0, 0, 0, 0, 0, 0];
        let key = group.encode(&group.sum(&five, &group.base, &[0; 7], &group.base));
        assert_eq!(validate_ed448(&key), Ok(()));
        let r = encoded(&small(1), 0);
        let mut shake = shake::Shake256::default();
        for piece in [b"SigEd448\0\0".as_slice(), &r, &key, b"any"] {
            shake.update(piece);
        }
        let mut k = [0; 114];
        shake.finalize_xof().read(&mut k);
        k.reverse();
        let order = &group.order;
        let k = order.reduced(&k);
        let s = order.multiply(&order.enter(&k), &five);
        let negative = Point { x: group.field.negate(&group.decode(&key).unwrap().x), ..group.decode(&key).unwrap() };
        assert_eq!(group.encode(&group.sum(&s, &group.base, &k, &negative)), r, "the equation holds");
        assert_eq!(verify_ed448(&key, b"any", &[r, encoded(&s, 0)].concat()), Err(VerifyError::Invalid));
    }
}
