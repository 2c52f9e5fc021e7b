//! PDF: a reader built around revisions, signatures, and what changed after them.
//!
//! A PDF signature covers a stretch of octets, not a document; whether a document was signed, and
//! what happened to it afterwards, is for the reader to find out. So this reader keeps what others
//! merge away: which revision an object belongs to, where in the file it stands, and whether it had
//! to be searched for.
//!
//! Octets become [objects](object) ([`lexer`]), found through [cross-references](xref) or, failing
//! that, by search; [`file`] puts them together to a document as it stood at some end of the file.
//! In it stand [fields](field) with [signatures](signature) and what they
//! [permit](permissions); what changed after a signature is [compared](compare) and
//! [classified](classify).

pub mod classify;
pub mod compare;
pub mod crypt;
pub mod error;
pub mod field;
pub mod file;
pub mod filter;
pub mod lexer;
pub mod object;
pub mod pages;
pub mod permissions;
mod repair;
pub mod revision_facts;
pub mod signature;
pub mod xref;

pub use error::PdfError;
pub use file::{File, Location, Revision};
pub use object::{Dictionary, Object, PdfString, Reference, Stream};
