//! Which implementation decides about a value: the words of `lacre --version`, and of docs/cryptography.md.

use super::native;

/// Curves and RSA with the arithmetic of this library.
const OWN: &str = "lacre";
/// Curves of this library over fields of another.
const FIAT: &str = "lacre (fields: fiat-crypto 0.3)";

/// Returns what decides about signature values on this machine: the algorithm, and the implementation that alone accepts
/// its values. The first row that fits counts.
pub fn implementations() -> impl Iterator<Item = (&'static str, &'static str)> {
    let dsa = cfg!(feature = "legacy-algorithms").then_some(("DSA", "lacre (numbers: crypto-bigint 0.7)"));
    let ml_dsa = cfg!(feature = "ml-dsa").then_some(("ML-DSA", "ml-dsa 0.1"));
    let rows = [
        ("ECDSA P-256, P-384, P-521, secp256k1", FIAT),
        ("ECDSA on other curves", OWN),
        ("Ed448", FIAT),
        ("Ed25519", "ed25519-dalek 3"),
        ("RSA", OWN),
    ];
    native::decides().iter().copied().chain(rows).chain(dsa).chain(ml_dsa)
}
