//! Fetches missing validation data over HTTP, within bounds.
//!
//! The core reports what is missing as a value ([`lacre::report::Wanted`]). A [`Fetcher`] holds what all requests share:
//! connections, the permitted addresses, a cache on disk. A [`Session`] bounds the requests, bytes and time of one
//! validation. [`answered`] judges, fetches what is missing, and judges again. [`Session::timestamp`] asks
//! time-stamping authorities; [`csc`](https://cloudsignatureconsortium.org) (feature `csc`) has remote signing services
//! sign.
//!
//! Addresses come from documents and certificates, so an attacker may have chosen them. Only `http` and `https` are
//! used; each redirect is checked as an address of its own; names are resolved once, and a connection goes to one of
//! the addresses that were checked, none of which is private, unless the operator permits it ([`Addresses`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod address;
mod body;
mod cache;
#[cfg(feature = "csc")]
pub mod csc;
mod error;
mod evidence;
mod exchange;
mod fetcher;
mod in_order;
pub mod lists;
mod online;
mod session;
mod side_by_side;
mod timestamp;

pub use address::Addresses;
pub use cache::{Cache, replace};
pub use error::{Failure, FetchError};
pub use exchange::Credentials;
pub use fetcher::{Fetcher, Validators};
pub use in_order::in_order;
pub use online::{Answered, Judged, answered};
pub use session::{Limits, Session};
pub use side_by_side::side_by_side;
pub use timestamp::{Timestamp, TimestampAuthority, TimestampError, TimestampFailure, TimestampFault};
