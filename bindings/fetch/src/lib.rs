//! Fetches over HTTP what a judgement asks for, within bounds.
//!
//! The core says what is missing as a value ([`lacre::report::Wanted`]); here it is answered. A [`Fetcher`] holds what
//! all fetching has in common: connections, the addresses that may be asked, a cache on disk. A [`Session`] bounds
//! what one judgement may cause: requests, octets, time. [`answered`] judges, fetches what is wanted, and judges again.
//!
//! Addresses come out of documents and certificates, so whoever made those chooses them. Only `http` and `https` are
//! spoken; each redirect is looked at like an address of its own; names are resolved once, and a connection goes to
//! one of the addresses that were looked at, none of which is private, unless the operator allows it ([`Addresses`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod address;
mod body;
mod cache;
mod error;
mod evidence;
mod fetcher;
pub mod lists;
mod online;
mod session;
mod side_by_side;

pub use address::Addresses;
pub use cache::{Cache, replace};
pub use error::{Failure, FetchError};
pub use fetcher::{Fetcher, Validators};
pub use online::{Answered, Judged, answered};
pub use session::{Limits, Session};
pub use side_by_side::side_by_side;
