//! ASN.1 as files have it: BER read where it lies, DER written.
//!
//! Signed structures are digested as they were sent, so reading must never be
//! parsing and writing again. A [`Tlv`] is one tag-length-value with its own
//! bytes (`raw`) and its contents (`content`); a [`Reader`] reads the values of
//! one level and looks no deeper, so one broken element
//! affects no other. Everything that BER allows is read (indefinite
//! lengths, strings in pieces) and much that it does not, but that real
//! certificates hold (X.690 in the comments is Rec. ITU-T X.690).
//!
//! Nothing here recurses but the [normaliser](to_der) and the joining of strings
//! in pieces, both no deeper than [`MAX_NESTING`].

mod der;
mod error;
mod integer;
mod oid;
mod reader;
mod string;
mod tag;
mod time;
mod tlv;
mod writer;

pub use der::to_der;
pub(crate) use der::{is_der, set_to_der};
pub use error::Error;
pub use integer::{decimal, magnitude};
pub use oid::{Oid, oid_content};
pub(crate) use oid::{encode as encode_oid, oid};
pub use reader::Reader;
pub(crate) use reader::{element_count, is_deeper_than};
pub use string::BitString;
pub use tag::{Class, Tag};
pub use tlv::Tlv;
pub(crate) use writer::header;
pub use writer::{Writer, tlv};

/// Levels of nesting that are followed. Real structures: below 40. The same as
/// [`Budget::nesting`](crate::budget::Budget::nesting) by default.
pub const MAX_NESTING: usize = 128;
