//! The formats: one folder each for syntax, signature and AdES profile.
//!
//! A format reads octets and ends in a [`Draft`]: what the document states, which
//! digests match, what every signature value is over. Whose certificate made a
//! value, and which chains there are, is found later over the whole document's
//! material (`collect`).

pub(crate) mod ades;
pub mod asic;
pub mod cades;
pub mod cms;
mod content;
mod contents;
mod deflated;
pub mod draft;
pub mod ers;
mod ids;
pub mod jose;
pub mod level;
pub mod pdf;
pub mod scope;
mod second;
mod source;
pub mod tsp;
pub mod xades;
pub mod xml;

pub use content::Content;
pub use contents::Contents;
pub use deflated::{Deflated, NotAsStated};
pub use draft::Draft;
pub use source::{Error, Source};
