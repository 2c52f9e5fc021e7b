//! The formats: one folder each for syntax, signature and AdES profile.
//!
//! A format reads octets and ends in a [`Draft`]: what the document states, which
//! digests match, what every signature value is over. Whose certificate made a
//! value, and which chains there are, is found later over the whole document's
//! material (`collect`).

pub mod asic;
pub mod cms;
mod contents;
mod deflated;
pub mod draft;
pub mod ers;
pub mod jose;
pub mod pdf;
mod second;
mod source;
pub mod tsp;
pub mod xades;
pub mod xml;

pub use contents::Contents;
pub use deflated::{Deflated, NotAsStated};
pub use draft::Draft;
pub use source::{Error, Source};
