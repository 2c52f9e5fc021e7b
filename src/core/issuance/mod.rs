//! Issuing: certificates, revocation lists, OCSP responses, time-stamps.
//!
//! An [`Issuer`] is a certificate and its key. What it issues follows one row of the table of [profiles](Profile):
//! EN 319 412-2 and -3 for persons, RFC 5280 for authorities, RFC 6960 for responders, EN 319 422 for time-stamping
//! units. The caller supplies randomness, time and numbers.
//!
//! ```
//! use lacre::signing::{KeyKind, SigningKey, SoftwareKey};
//! use lacre::issuance::{Issuer, Locations, Profile, RevocationList, Subject, Validity};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut randomness = signature::rand_core::UnwrapErr(getrandom::SysRng);
//! let authority = Subject::LegalPerson {
//!     country: "EE".into(),
//!     organization: "Example Trust AS".into(),
//!     organization_identifier: "NTREE-12345678".into(),
//!     common_name: "Example Root".into(),
//! };
//! let person = Subject::NaturalPerson {
//!     country: "PT".into(),
//!     given_name: "Inês".into(),
//!     surname: "Conceição".into(),
//!     serial_number: "PASPT-C123456".into(),
//! };
//! let (from, root_key) = ("2027-01-01T00:00:00Z".parse()?, SoftwareKey::generate(KeyKind::P256, &mut randomness)?);
//! let root = Issuer::root(&authority, &root_key, Validity::days(from, 3650), Locations::default(), &mut randomness)?;
//!
//! let key = SoftwareKey::generate(KeyKind::P256, &mut randomness)?;
//! let (profile, validity) = (Profile::NaturalPerson, Validity::days(from, 365));
//! let certificate = root.issue(profile, &person, key.public_key(), validity, &mut randomness)?;
//! assert_eq!(certificate.issuer(), root.certificate().subject());
//!
//! let next_update = "2027-02-01T00:00:00Z".parse()?;
//! let list = RevocationList { number: 1, this_update: from, next_update, revoked: &[] };
//! let crl = lacre_core::x509::Crl::from_der(&root.revocation_list(&list, &mut randomness)?)?;
//! assert_eq!(crl.issuer(), root.certificate().subject());
//! # Ok(())
//! # }
//! ```

mod crl;
mod error;
mod issuer;
mod ocsp;
mod profile;
mod request;
mod subject;
mod timestamp;

pub use crl::{RevocationList, RevocationReason, Revoked};
pub use error::Error;
pub use issuer::{Issuer, Validity};
pub use ocsp::{CertificateStatus, OcspResponder, OcspUpdate};
pub use profile::{Locations, Profile};
pub use request::CertificateRequest;
pub use subject::Subject;
pub use timestamp::TimestampUnit;
