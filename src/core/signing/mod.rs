//! Signing: the data to be signed, the signature value over it, the signature.
//!
//! Signing takes three steps, because the key is often elsewhere: [`cades::Preparation`] makes the data to be signed, a
//! [`SigningKey`](crate::crypto::SigningKey) or a remote service makes the signature value, and
//! [`assemble`](cades::Preparation::assemble) makes the signature of both.
//!
//! ```
//! use lacre::signing::{DigestAlgorithm, KeyKind, SigningKey, SoftwareKey};
//! use lacre::issuance::{Issuer, Locations, Subject, Validity};
//! use lacre::signing::cades::Preparation;
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
//! let (algorithm, letter) = (key.algorithm(DigestAlgorithm::Sha256), std::fs::read("examples/documents/letter.txt")?);
//! let prepared = Preparation::enveloping(issuer.certificate(), &[], algorithm, &letter, time)?;
//! let value = key.sign(&algorithm, &prepared.digest(), &mut randomness)?;
//! let signature = prepared.assemble(&value)?;
//!
//! let validator = Validator::new(Policy::eidas()).trust_anchor(issuer.certificate().der())?;
//! let facts = validator.facts(&Document::new(&signature), time)?;
//! assert!(facts.signatures[0].basic.valid);
//! # Ok(())
//! # }
//! ```

pub mod cades;
mod error;
mod output;
mod parameters;
mod signed_data;
mod signer;
mod timestamp;

pub use error::{SigningError, SigningErrorCode};
pub use output::{Output, Piece};
pub use parameters::{Commitment, EmbeddedCertificates, ExplicitPolicy, Place, SignatureParameters, SignaturePolicy};
pub use signer::Signer;

pub(crate) use signed_data::{Content, SignedData};
