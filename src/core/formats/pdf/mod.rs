//! PDF: a reader built around revisions, signatures, and what changed after them.
//!
//! A PDF signature covers a stretch of bytes, not a document; whether a document was signed, and
//! what happened to it afterwards, is for the reader to find out. So this reader keeps what others
//! merge away: which revision an object belongs to, where in the file it stands, and whether it had
//! to be searched for.
//!
//! Bytes become [objects](object) ([`lexer`]), found through [cross-references](xref) or, failing
//! that, by search. A [`File`] holds the bytes and what was read of them, a [`Revision`] is the document as it stood
//! at some end of the file.
//! In it stand [fields](field) with [signatures](signature) and what they
//! [permit](permissions); what changed after a signature is compared, each object in
//! its role. [`Unpacked`] is all of that, and [`draft`] what becomes of it: PAdES
//! (EN 319 142).

mod annotation;
mod changes;
mod characters;
mod colour_profile;
pub mod crypt;
pub mod date;
pub mod dss;
pub mod error;
pub mod field;
pub mod file;
pub mod filter;
pub mod latest_revision;
pub mod lexer;
mod limits;
pub mod object;
mod object_map;
mod objects;
mod pades;
mod page_content;
pub mod pages;
pub mod permissions;
pub mod picture;
pub mod rectangle;
mod repair;
mod revision;
pub mod signature;
mod streams;
pub mod string;
pub mod text;
pub mod unpacked;
mod updates;
#[cfg(feature = "signing")]
pub mod write;
pub mod xref;
mod xref_index;

pub use error::PdfError;
pub use file::File;
pub use object::{Dictionary, Object, Reference, Stream};
pub use pades::draft;
pub use revision::Revision;
pub use string::PdfString;
pub use unpacked::Unpacked;
pub use xref_index::Location;
