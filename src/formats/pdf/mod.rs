//! PDF: a reader built around revisions, signatures, and what changed after them.
//!
//! A PDF signature covers a stretch of octets, not a document; whether a document was signed, and
//! what happened to it afterwards, is for the reader to find out. So this reader keeps what others
//! merge away: which revision an object belongs to, where in the file it stands, and whether it had
//! to be searched for.
//!
//! Octets become [objects](object) ([`lexer`]), found through [cross-references](xref) or, failing
//! that, by [search](repair); [`file`] puts them together to a document as it stood at some end of
//! the file.

pub mod crypt;
pub mod error;
pub mod file;
pub mod filter;
pub mod lexer;
pub mod object;
mod repair;
pub mod xref;

pub use error::PdfError;
pub use file::{File, Location, Revision};
pub use object::{Dictionary, Object, PdfString, Reference, Stream};
