//! ECDSA over curves on prime fields: SEC 1 §4.1.4, FIPS 186-5 §6.4.2.

use super::bytes::strip_leading_zeros;
use super::curve::{Arithmetic, Curve};
use super::error::VerifyError;
use super::field::Field;
use super::weierstrass::Group;
use crate::algorithm::ValueForm;
use crate::asn1::{Tag, Tlv};

/// The two integers of a signature, big-endian and without leading zeros.
pub(super) struct Pair<'a> {
    pub r: &'a [u8],
    pub s: &'a [u8],
}

impl<'a> Pair<'a> {
    /// Reads a value in the form that the algorithm prescribes; concatenated integers have `length` bytes each.
    pub fn read(value: &'a [u8], form: ValueForm, length: usize) -> Result<Self, VerifyError> {
        match form {
            ValueForm::Usual => {
                Self::from_der(value).ok_or(VerifyError::Value { expected: "SEQUENCE { r INTEGER, s INTEGER }" })
            }
            ValueForm::Halves if value.len() < 2 * length && value.len().is_multiple_of(2) => Ok(Self::halves(value)),
            _ if value.len() == 2 * length => Ok(Self::halves(value)),
            _ => Err(VerifyError::Value { expected: "two integers as long as the order" }),
        }
    }

    fn halves(value: &'a [u8]) -> Self {
        let (r, s) = value.split_at(value.len() / 2);
        Self { r: strip_leading_zeros(r), s: strip_leading_zeros(s) }
    }

    /// Reads `Ecdsa-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` in DER and nothing after it (RFC 3279 §2.2.3).
    fn from_der(value: &'a [u8]) -> Option<Self> {
        // X.690 §8.9.1: a sequence is constructed.
        value.first().filter(|byte| **byte == 0x30)?;
        let sequence = Tlv::whole(value).ok()?.expecting(Tag::SEQUENCE).ok()?;
        if crate::asn1::to_der(value).ok()?.as_ref() != value {
            return None;
        }
        let mut parts = sequence.children();
        let mut next = || positive(parts.expect(Tag::INTEGER).ok()?.content);
        let (r, s) = (next()?, next()?);
        parts.finish().ok()?;
        Some(Self { r, s })
    }
}

/// Returns the bytes of a positive INTEGER in its shortest form, sign byte aside: X.690 §8.3.2.
fn positive(content: &[u8]) -> Option<&[u8]> {
    match content {
        [0, rest @ ..] if rest.first().is_some_and(|byte| byte & 0x80 != 0) => Some(rest),
        [first, ..] if (1..0x80).contains(first) => Some(content),
        _ => None,
    }
}

/// Checks that the value was made over the digest by the private half of the point.
pub(super) fn verify(curve: &'static Curve, point: &[u8], pair: &Pair<'_>, digest: &[u8]) -> Result<(), VerifyError> {
    curve.arithmetic().verify(point, pair, digest)
}

const OFF_CURVE: VerifyError = VerifyError::Key { expected: "a point of its curve (SEC 1 §2.3.4)" };
const OUTSIDE: VerifyError = VerifyError::Value { expected: "two integers between 1 and the order" };

impl<const N: usize, F: Field<N>> Arithmetic for Group<N, F> {
    fn has_point(&self, bytes: &[u8]) -> bool {
        self.point(bytes).is_some()
    }

    fn verify(&self, point: &[u8], pair: &Pair<'_>, digest: &[u8]) -> Result<(), VerifyError> {
        let point = self.point(point).ok_or(OFF_CURVE)?;
        match self.verifies(&point, digest, pair.r, pair.s) {
            Some(true) => Ok(()),
            Some(false) => Err(VerifyError::Invalid),
            None => Err(OUTSIDE),
        }
    }

    #[cfg(test)]
    fn field(&self) -> std::any::TypeId {
        std::any::TypeId::of::<F>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_integers_one_after_the_other() {
        let value = [0, 1].repeat(33);
        for (clause, situation, form, bytes, expected) in [
            ("XML Signature 1.1 6.4.3", "as long as the order", ValueForm::Halves, 64, true),
            ("XML Signature 1.1 6.4.3", "both shorter", ValueForm::Halves, 62, true),
            ("XML Signature 1.1 6.4.3", "no halves", ValueForm::Halves, 63, false),
            ("XML Signature 1.1 6.4.3", "longer", ValueForm::Halves, 66, false),
            ("TR-03111 5.2.2", "as long as the order", ValueForm::Concatenated, 64, true),
            ("TR-03111 5.2.2", "both shorter", ValueForm::Concatenated, 62, false),
            ("RFC 7518 3.4", "as long as the order", ValueForm::OnCurve("secp256r1"), 64, true),
            ("RFC 7518 3.4", "both shorter", ValueForm::OnCurve("secp256r1"), 62, false),
        ] {
            let read = Pair::read(&value[..bytes], form, 32);
            assert_eq!(read.is_ok(), expected, "{clause} {situation}");
        }
    }
}
