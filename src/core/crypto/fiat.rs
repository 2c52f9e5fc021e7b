//! Fields whose arithmetic is proved: that of fiat-crypto, generated and verified in Coq
//! (A. Erbsen et al., Simple High-Level Code for Cryptographic Arithmetic, 2019).
//!
//! Here nothing is calculated. Each type gives fiat-crypto's functions for one prime the names of [`Field`], and holds
//! them to what they were proved for: arguments below the prime, limbs within the bounds of their type.

use fiat_crypto::p256_64::{
    fiat_p256_add, fiat_p256_montgomery_domain_field_element, fiat_p256_mul, fiat_p256_set_one, fiat_p256_sub,
};
use fiat_crypto::p384_64::{
    fiat_p384_add, fiat_p384_montgomery_domain_field_element, fiat_p384_mul, fiat_p384_set_one, fiat_p384_sub,
};
use fiat_crypto::p448_solinas_64::{
    fiat_p448_add, fiat_p448_carry, fiat_p448_carry_mul, fiat_p448_carry_square, fiat_p448_from_bytes,
    fiat_p448_loose_field_element, fiat_p448_sub, fiat_p448_tight_field_element, fiat_p448_to_bytes,
};
use fiat_crypto::p521_64::{
    fiat_p521_add, fiat_p521_carry, fiat_p521_carry_mul, fiat_p521_carry_square, fiat_p521_from_bytes,
    fiat_p521_loose_field_element, fiat_p521_sub, fiat_p521_tight_field_element, fiat_p521_to_bytes,
};
use fiat_crypto::secp256k1_montgomery_64::{
    fiat_secp256k1_montgomery_add, fiat_secp256k1_montgomery_montgomery_domain_field_element,
    fiat_secp256k1_montgomery_mul, fiat_secp256k1_montgomery_set_one, fiat_secp256k1_montgomery_sub,
};

use super::field::Field;
use super::number::{self, Number};

/// Makes a field of numbers in Montgomery's form, below the prime: what fiat-crypto calls word-by-word Montgomery.
macro_rules! montgomery_field {
    (
        $(#[$doc:meta])* $field:ident, $limbs:literal,
        $form:ident, $one:ident, $add:ident, $subtract:ident, $multiply:ident
    ) => {
        $(#[$doc])*
        pub(super) struct $field {
            prime: Number<$limbs>,
            /// The form of R = 2^(64·N), which brings numbers into it.
            radix: Number<$limbs>,
        }

        impl Field<$limbs> for $field {
            fn new(prime: &[u8]) -> Option<Self> {
                let mut field = Self { prime: number::number(prime)?, radix: [0; $limbs] };
                field.radix = (0..64 * $limbs).fold(field.one(), |power, _| field.add(&power, &power));
                is_own_prime(&field).then_some(field)
            }

            fn prime(&self) -> &Number<$limbs> {
                &self.prime
            }

            fn one(&self) -> Number<$limbs> {
                let mut one = $form([0; $limbs]);
                $one(&mut one);
                one.0
            }

            // A product is a·b/R.
            fn enter(&self, a: &Number<$limbs>) -> Number<$limbs> {
                self.multiply(a, &self.radix)
            }

            fn leave(&self, a: &Number<$limbs>) -> Number<$limbs> {
                let mut unit = [0; $limbs];
                unit[0] = 1;
                self.multiply(a, &unit)
            }

            fn add(&self, a: &Number<$limbs>, b: &Number<$limbs>) -> Number<$limbs> {
                let mut sum = $form([0; $limbs]);
                $add(&mut sum, &$form(*a), &$form(*b));
                sum.0
            }

            fn subtract(&self, a: &Number<$limbs>, b: &Number<$limbs>) -> Number<$limbs> {
                let mut difference = $form([0; $limbs]);
                $subtract(&mut difference, &$form(*a), &$form(*b));
                difference.0
            }

            fn multiply(&self, a: &Number<$limbs>, b: &Number<$limbs>) -> Number<$limbs> {
                let mut product = $form([0; $limbs]);
                $multiply(&mut product, &$form(*a), &$form(*b));
                product.0
            }

            /// Returns a². A function of its own would be as long, and no quicker.
            fn squared(&self, a: &Number<$limbs>) -> Number<$limbs> {
                self.multiply(a, a)
            }

            fn is_zero(&self, a: &Number<$limbs>) -> bool {
                number::is_zero(a)
            }
        }
    };
}

/// Makes a field of numbers with fewer bits in a limb than it has room for: what fiat-crypto calls unsaturated Solinas.
/// Numbers here are tight, so that each operation ends with carries.
macro_rules! unsaturated_field {
    (
        $(#[$doc:meta])* $field:ident, $limbs:literal, $bytes:literal,
        $tight:ident, $loose:ident, $from:ident, $to:ident, $carry:ident, $add:ident, $subtract:ident, $multiply:ident,
        $square:ident
    ) => {
        $(#[$doc])*
        pub(super) struct $field {
            prime: Number<$limbs>,
        }

        impl Field<$limbs> for $field {
            fn new(prime: &[u8]) -> Option<Self> {
                let field = Self { prime: number::number(prime)? };
                is_own_prime(&field).then_some(field)
            }

            fn prime(&self) -> &Number<$limbs> {
                &self.prime
            }

            fn one(&self) -> Number<$limbs> {
                let mut one = [0; $limbs];
                one[0] = 1;
                one
            }

            fn enter(&self, a: &Number<$limbs>) -> Number<$limbs> {
                let mut bytes = [0; $bytes];
                for (bytes, limb) in bytes.chunks_mut(8).zip(a) {
                    bytes.copy_from_slice(&limb.to_le_bytes()[..bytes.len()]);
                }
                let mut entered = $tight([0; $limbs]);
                $from(&mut entered, &bytes);
                entered.0
            }

            fn leave(&self, a: &Number<$limbs>) -> Number<$limbs> {
                let mut bytes = [0; $bytes];
                $to(&mut bytes, &$tight(*a));
                let mut left = [0; $limbs];
                for (limb, bytes) in left.iter_mut().zip(bytes.chunks(8)) {
                    *limb = bytes.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
                }
                left
            }

            fn add(&self, a: &Number<$limbs>, b: &Number<$limbs>) -> Number<$limbs> {
                let (mut loose, mut sum) = ($loose([0; $limbs]), $tight([0; $limbs]));
                $add(&mut loose, &$tight(*a), &$tight(*b));
                $carry(&mut sum, &loose);
                sum.0
            }

            fn subtract(&self, a: &Number<$limbs>, b: &Number<$limbs>) -> Number<$limbs> {
                let (mut loose, mut difference) = ($loose([0; $limbs]), $tight([0; $limbs]));
                $subtract(&mut loose, &$tight(*a), &$tight(*b));
                $carry(&mut difference, &loose);
                difference.0
            }

            // What is tight is loose as well.
            fn multiply(&self, a: &Number<$limbs>, b: &Number<$limbs>) -> Number<$limbs> {
                let mut product = $tight([0; $limbs]);
                $multiply(&mut product, &$loose(*a), &$loose(*b));
                product.0
            }

            fn squared(&self, a: &Number<$limbs>) -> Number<$limbs> {
                let mut square = $tight([0; $limbs]);
                $square(&mut square, &$loose(*a));
                square.0
            }

            fn is_zero(&self, a: &Number<$limbs>) -> bool {
                let mut bytes = [0; $bytes];
                $to(&mut bytes, &$tight(*a));
                bytes == [0; $bytes]
            }
        }
    };
}

/// Returns whether the prime is the one whose arithmetic this is: −1 is one less.
fn is_own_prime<const N: usize>(field: &impl Field<N>) -> bool {
    let mut unit = [0; N];
    unit[0] = 1;
    number::add(&field.leave(&field.negate(&field.one())), &unit) == (*field.prime(), false)
}

montgomery_field!(
    /// The field of secp256r1.
    P256,
    4,
    fiat_p256_montgomery_domain_field_element,
    fiat_p256_set_one,
    fiat_p256_add,
    fiat_p256_sub,
    fiat_p256_mul
);

montgomery_field!(
    /// The field of secp256k1.
    Secp256k1,
    4,
    fiat_secp256k1_montgomery_montgomery_domain_field_element,
    fiat_secp256k1_montgomery_set_one,
    fiat_secp256k1_montgomery_add,
    fiat_secp256k1_montgomery_sub,
    fiat_secp256k1_montgomery_mul
);

montgomery_field!(
    /// The field of secp384r1.
    P384,
    6,
    fiat_p384_montgomery_domain_field_element,
    fiat_p384_set_one,
    fiat_p384_add,
    fiat_p384_sub,
    fiat_p384_mul
);

unsaturated_field!(
    /// The field of Ed448, in eight limbs of 56 bits.
    P448,
    8,
    56,
    fiat_p448_tight_field_element,
    fiat_p448_loose_field_element,
    fiat_p448_from_bytes,
    fiat_p448_to_bytes,
    fiat_p448_carry,
    fiat_p448_add,
    fiat_p448_sub,
    fiat_p448_carry_mul,
    fiat_p448_carry_square
);

unsaturated_field!(
    /// The field of secp521r1, in nine limbs of 58 bits.
    P521,
    9,
    66,
    fiat_p521_tight_field_element,
    fiat_p521_loose_field_element,
    fiat_p521_from_bytes,
    fiat_p521_to_bytes,
    fiat_p521_carry,
    fiat_p521_add,
    fiat_p521_sub,
    fiat_p521_carry_mul,
    fiat_p521_carry_square
);
