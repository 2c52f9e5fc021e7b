//! Augmentation (TR 119 001): time-stamps, certificates and revocation data are added to
//! signatures, so that they can be validated years later. The verb is to extend.
//!
//! [`extend`] judges a document with a [`Validator`](crate::Validator), and either says what is missing for a
//! [`Level`], or returns the extended file, which it has judged again. It does no I/O: the caller asks a time-stamping
//! authority, OCSP responders and repositories for what is [wanted](Want), adds it to the [`Material`], and calls again.

mod asked;
mod cades;
mod carrier;
mod checked;
mod extend;
mod material;
mod needs;
mod obstacles;
mod outlook;
#[cfg(feature = "pdf")]
mod pades;
mod state;
#[cfg(feature = "pdf")]
mod store;
mod target;
mod timestamp;
mod want;

pub use asked::Asked;
pub use extend::extend;
pub use material::Material;
pub use outlook::{Outlook, SignatureOutlook, outlook};
pub use target::{Freshness, Level, Obstacle, Target};
pub use timestamp::{renew, timestamp};
pub use want::{EvidenceWant, Extended, ExtendedSignature, Extension, TimestampWant, Want};
