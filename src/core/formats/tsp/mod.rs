//! Time-stamp tokens: RFC 3161.
//!
//! A [`Token`] is a CMS `SignedData` over a [`TstInfo`]. Alone it says when and of which
//! digest; what that digest is of, the place where the token was found says. A [`TimestampQuery`] asks an authority for
//! one, and checks what comes back.

mod rejection;
pub mod request;
mod response;
mod standalone;
#[cfg(test)]
mod tests;
mod token;
mod tst_info;

pub use rejection::Rejection;
pub use request::TimestampQuery;
pub use response::ResponseError;
pub use standalone::standalone;
pub(in crate::formats) use token::SAID;
pub use token::{Imprint, Token};
pub use tst_info::TstInfo;
