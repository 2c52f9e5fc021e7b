//! Signing: the data to be signed, the signature value over it, the signature.
//!
//! Signing takes three steps, because the key is often elsewhere: a format's `prepare` makes the data to be signed, a
//! [`SigningKey`](crate::crypto::SigningKey) or a remote service makes the signature value, and
//! [`Prepared::finish`] makes the signature of both.
//!
//! ```
//! use lacre::signing::{DigestAlgorithm, KeyKind, SignatureParameters, Signer, SigningKey, SoftwareKey, cades};
//! use lacre::issuance::{Issuer, Locations, Profile, Subject, Validity};
//! use lacre::{Document, Policy, Validator};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut randomness = signature::rand_core::UnwrapErr(getrandom::SysRng);
//! let key = SoftwareKey::generate(KeyKind::P256, &mut randomness)?;
//! # let subject = Subject::LegalPerson {
//! #     country: "EE".into(),
//! #     organization: "Example AS".into(),
//! #     organization_identifier: "NTREE-12345678".into(),
//! #     common_name: "Example".into(),
//! # };
//! let (time, locations) = ("2027-03-01T12:00:00Z".parse()?, Locations::default());
//! let issuer = Issuer::root(&subject, &key, Validity::days(time, 365), locations, &mut randomness)?;
//!
//! # std::env::set_current_dir("../..")?;
//! let letter = std::fs::read("examples/documents/letter.txt")?;
//! let certificate =
//!     issuer.issue(Profile::LegalPerson, &subject, key.public_key(), Validity::days(time, 365), &mut randomness)?;
//! let signer = Signer::new(certificate, key.algorithm(DigestAlgorithm::Sha256))?;
//! let parameters = SignatureParameters::new(time);
//! let prepared =
//!     cades::prepare(&cades::Content::Enveloped(&letter), &parameters, &cades::Options::default(), &signer)?;
//!
//! // `Prepared::sign` does these two steps in one.
//! let value = key.sign(prepared.algorithm(), &prepared.digest(), &mut randomness)?;
//! let signature = prepared.finish(&Document::new(&letter), &value)?.to_vec(&letter);
//!
//! let validator = Validator::new(Policy::eidas()).trust_anchor(issuer.certificate().der())?;
//! let facts = validator.facts(&Document::new(&signature), time)?;
//! assert!(facts.signatures[0].basic.valid);
//! # Ok(())
//! # }
//! ```

mod attributes;
pub mod cades;
mod check;
mod cms;
mod error;
#[cfg(feature = "pdf")]
pub mod pades;
mod parameters;
mod prepared;
mod signer;
mod timestamp;
mod value;

pub use crate::output::{Output, Piece};
pub use error::{SigningError, SigningErrorCode};
pub use parameters::{
    Commitment, CommitmentQualifier, EmbeddedCertificates, ExplicitPolicy, Place, SignatureParameters, SignaturePolicy,
};
pub use prepared::{Packaging, Prepared};
pub use signer::{Signer, usual_digest};

pub(crate) use attributes::{Profile, signed_attributes};
pub(crate) use cms::{SignedData, SignerInfo};
