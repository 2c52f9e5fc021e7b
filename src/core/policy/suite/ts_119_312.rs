//! The algorithms of TS 119 312 v2.1.1, and those of its predecessors with the dates on which they ended.

use super::CryptographicSuite;
use super::constraint::Constraint;
use crate::algorithm::{DigestAlgorithm as D, KeyAlgorithm as K};

/// A day: year, month, day.
pub(super) type Day = (i64, u8, u8);

/// Digest functions (clause 5) and when they end; TS 102 176-1 for those before.
pub(super) const DIGESTS: &[(D, Option<Day>)] = &[
    (D::Md5, Some((2004, 8, 1))),
    (D::Sha1, Some((2012, 8, 1))),
    (D::Sha224, Some((2029, 1, 1))),
    (D::Sha256, None),
    (D::Sha384, None),
    (D::Sha512, None),
    (D::Sha3_256, None),
    (D::Sha3_384, None),
    (D::Sha3_512, None),
    (D::Ripemd160, Some((2014, 8, 1))),
    (D::Whirlpool, Some((2020, 12, 1))),
];

/// Key algorithms (clause 6): from which size on, in bits, and when that ends.
pub(super) const KEYS: &[(K, &[(u32, Option<Day>)])] = &[
    (K::Dsa, &[(1024, Some((2015, 12, 1))), (1900, Some((2027, 1, 1))), (3000, None)]),
    (
        K::Rsa,
        &[
            (786, Some((2010, 8, 1))),
            (1024, Some((2019, 10, 1))),
            (1536, Some((2019, 10, 1))),
            (1900, Some((2027, 1, 1))),
            (3000, Some((2035, 1, 1))),
        ],
    ),
    (
        K::RsassaPss,
        &[
            (786, Some((2010, 8, 1))),
            (1024, Some((2019, 10, 1))),
            (1536, Some((2019, 10, 1))),
            (1900, Some((2027, 1, 1))),
            (3000, None),
        ],
    ),
    (K::Ecdsa, ELLIPTIC_CURVES),
    (K::PlainEcdsa, ELLIPTIC_CURVES),
];

const ELLIPTIC_CURVES: &[(u32, Option<Day>)] =
    &[(160, Some((2012, 8, 1))), (163, Some((2012, 8, 1))), (224, Some((2021, 10, 1))), (256, None)];

/// When these values were last reviewed.
pub(super) const UPDATE: Day = (2026, 2, 1);

/// Returns the suite: every step fails what it does not accept, but for ends that were still to come at
/// the last review, which warn.
pub(in crate::policy) fn suite() -> CryptographicSuite {
    Constraint::of_tables(KEYS, DIGESTS, UPDATE).suite()
}
