//! Digests and the verification of signature values.
//!
//! [`verify`] answers one question: was this value made over this message (or
//! digest) with the private half of this key and this algorithm? Whether the
//! algorithm is strong enough, and whether the key is the signer's, is decided
//! by the policy and the validation processes. Verification sees public data only, so
//! its time may depend on its input.
//!
//! ```text
//! names (algorithm.rs) ─► SignatureAlgorithm ┐
//! SubjectPublicKeyInfo ─► PublicKey ─────────┼─► verify ─► Ok or the reason
//! message or digest, value ──────────────────┘
//! ```

mod bytes;
#[cfg(test)]
mod constructed;
mod cost;
mod curve;
mod digest;
#[cfg(feature = "legacy-algorithms")]
mod dsa;
#[cfg(not(feature = "legacy-algorithms"))]
#[path = "dsa_left_out.rs"]
mod dsa;
mod ecdsa;
mod edwards;
mod error;
mod fiat;
mod field;
mod identifier;
mod implementations;
mod key;
mod material;
#[cfg(feature = "meter")]
pub mod meter;
#[cfg(not(feature = "meter"))]
#[path = "unmetered.rs"]
mod meter;
#[cfg(feature = "ml-dsa")]
mod ml_dsa;
#[cfg(not(feature = "ml-dsa"))]
#[path = "ml_dsa_left_out.rs"]
mod ml_dsa;
mod montgomery;
#[cfg(all(feature = "native", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod native;
#[cfg(not(all(feature = "native", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "portable.rs"]
mod native;
mod number;
mod prefix_hashes;
#[cfg(feature = "signing")]
mod private;
mod rsa;
mod signed;
mod validation;
mod verify;
mod weierstrass;

pub(crate) use digest::token_digest;
pub use digest::{Hasher, digest};
pub use error::VerifyError;
pub use identifier::{IdentifierError, digest_algorithm_identifier, digest_from_algorithm_identifier};
pub use implementations::implementations;
pub use key::{KeyError, PublicKey};
pub use prefix_hashes::PrefixHashes;
#[cfg(feature = "signing")]
pub use private::{
    KeyKind, PrivateKeyError, SignError, SigningKey, SoftwareKey, check_digest, decrypt as decrypt_with_password,
};
#[cfg(feature = "signing")]
pub use signature::rand_core::CryptoRng;
pub use signed::Signed;
pub use verify::{verify, verify_bare};
