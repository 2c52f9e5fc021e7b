//! The formats: one folder each for syntax, signature and AdES profile.
//!
//! A format reads bytes and ends in a [`Draft`]: what the document states, which
//! digests match, what every signature value is over. The signer's certificate and
//! its chain are found later, over the whole document's material (`collect`).
//!
//! ```text
//! source ─► pdf, asic ─► cades, xades, jose ─► ades ─► ers ─► tsp ─► cms
//!                              └─► xml
//! ```
//!
//! Each uses those to its right; what all of them share ([`Content`], [`Contents`],
//! [`scope`], [`level`], [`draft`]) knows no format.

pub(crate) mod ades;
pub mod asic;
pub mod cades;
pub mod cms;
mod content;
mod contents;
mod decimal;
mod deflated;
mod digest_work;
pub mod draft;
pub mod ers;
pub(crate) mod ids;
pub mod jose;
pub mod level;
mod media_type;
pub mod pdf;
mod polyglot;
mod relay;
pub mod scope;
mod source;
pub mod tsp;
pub mod xades;
pub mod xml;

pub use content::Content;
pub use contents::Contents;
pub use deflated::{Deflated, NotAsStated};
pub use digest_work::DigestWork;
pub use draft::Draft;
pub(crate) use relay::{Relay, is_shared};
pub use source::{Error, Source};
