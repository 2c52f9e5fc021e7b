//! PDF: a reader built around revisions, signatures, and what changed after them.
//!
//! A PDF signature covers a stretch of octets, not a document; whether a document was signed, and
//! what happened to it afterwards, is for the reader to find out. So this reader keeps what others
//! merge away: which revision an object belongs to, where in the file it stands, and whether it had
//! to be searched for.
//!
//! Octets become [objects](object) ([`lexer`]), found through [cross-references](xref) or, failing
//! that, by search. A [`File`] holds the octets and what was read of them, a [`Revision`] is the document as it stood
//! at some end of the file.
//! In it stand [fields](field) with [signatures](signature) and what they
//! [permit](permissions); what changed after a signature is compared, each object in
//! its role. [`Unpacked`] is all of that, and [`draft`] what becomes of it: PAdES
//! (EN 319 142).

mod appended;
mod bounds;
mod by_number;
mod compare;
pub mod crypt;
pub mod date;
pub mod error;
pub mod field;
pub mod file;
pub mod filter;
mod graph;
mod holding;
mod index;
mod ink;
pub mod lexer;
pub mod object;
mod objects;
mod pades;
pub mod pages;
pub mod permissions;
pub mod picture;
mod repair;
mod revision;
pub mod revision_facts;
mod role;
pub mod signature;
pub mod store;
mod streams;
pub mod unpacked;
mod update;
mod visible;
pub mod xref;

pub use error::PdfError;
pub use file::File;
pub use index::Location;
pub use object::{Dictionary, Object, PdfString, Reference, Stream};
pub use pades::draft;
pub use revision::Revision;
pub use unpacked::Unpacked;
