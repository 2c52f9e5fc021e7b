//! What a verification costs: counted, since an RSA key of 8,192 bits takes a hundred times as long as one of 2,048.
//!
//! The unit is one verification with P-256: with the portable arithmetic some 120 µs on one core of 2026, with the faster
//! backend half of it. The figures are rounded upwards from what was measured with the portable arithmetic, so that they
//! are the same on every machine.

use super::key::PublicKey;
use super::material::Material;
use crate::algorithm::KeyAlgorithm;

/// Bytes of a message that are digested in the time of one unit.
const BYTES: u64 = 32 << 10;

impl PublicKey {
    /// Returns what one verification with the key over a message of so many bytes costs.
    pub(crate) fn verification_cost(&self, bytes: usize) -> u64 {
        let own = match self.material() {
            // What is not believed is not calculated with.
            Material::Rsa { .. } if self.validate().is_err() => 0,
            // Squarings of numbers of so many limbs, one for each bit of the exponent.
            Material::Rsa { key, .. } => {
                let limbs = u64::from(key.bits().div_ceil(64));
                limbs * limbs * u64::from(key.exponent_bits().max(17)) / 25_000
            }
            Material::Ec { curve, .. } => match curve.bits {
                0..=256 => 1,
                257..=384 => 4,
                _ => 8,
            },
            Material::Dsa(key) => u64::from(key.bits().min(3_072) / 1_024).pow(2) * 20,
            Material::Ed25519(_) => 1,
            Material::Ed448(_) => 8,
            Material::MlDsa(_) => match self.algorithm() {
                KeyAlgorithm::MlDsa44 => 3,
                KeyAlgorithm::MlDsa65 => 5,
                _ => 8,
            },
            Material::Other => 0,
        };
        own.max(1) + bytes as u64 / BYTES
    }

    /// Returns what the first verification costs beside that: to validate the key, where that takes long.
    pub(crate) fn validation_cost(&self) -> u64 {
        match self.material() {
            // Two powers, and the primality of p, which grows with the cube of its length.
            Material::Dsa(key) => u64::from(key.bits().min(3_072) / 1_024).pow(3) * 100,
            _ => 0,
        }
    }
}
